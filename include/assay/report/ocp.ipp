#pragma once

#include "assay/report/ocp.hpp"

#include <cerrno>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OrderedJson ocp_device(const Environment& machine) {
  OrderedJson hardware = OrderedJson::array(), software = OrderedJson::array(), platforms = OrderedJson::array();
  if (!machine.processor.empty()) hardware.push_back({{"hardwareInfoId", "processor"}, {"name", machine.processor}});
  for (std::size_t i = 0; i < machine.devices.size(); ++i)
    hardware.push_back({{"hardwareInfoId", "device-" + std::to_string(i)}, {"name", machine.devices[i]}});
  if (!machine.operating_system.empty()) {
    platforms.push_back({{"info", machine.operating_system}});
    software.push_back(
        {{"softwareInfoId", "operating-system"}, {"name", machine.operating_system}, {"softwareType", "SYSTEM"}});
  }
  if (!machine.compiler.empty())
    software.push_back({{"softwareInfoId", "compiler"}, {"name", machine.compiler}, {"softwareType", "APPLICATION"}});
  for (std::size_t i = 0; i < machine.libraries.size(); ++i)
    software.push_back({{"softwareInfoId", "library-" + std::to_string(i)},
                        {"name", machine.libraries[i].first},
                        {"version", machine.libraries[i].second},
                        {"softwareType", "APPLICATION"}});
  return {{"dutInfoId", "host"},
          {"name", machine.host_name},
          {"platformInfos", std::move(platforms)},
          {"softwareInfos", std::move(software)},
          {"hardwareInfos", std::move(hardware)},
          {"metadata",
           {{"logicalProcessors", machine.logical_processors},
            {"instructionSets", machine.instruction_sets},
            {"memoryBytes", json_number(machine.memory_bytes)},
            {"compilerFlags", machine.compiler_flags}}}};
}

/// "gemm-fail": short and the same from run to run, so that verdicts can be counted over a fleet.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string ocp_verdict(const Outcome& outcome) {
  const std::string operation = outcome.label("operation");
  std::string text = operation.empty() ? "case" : operation;
  text.append("-").append(name_of(outcome.verdict));
  for (char& letter : text) letter = letter == '_' || letter == ' ' ? '-' : letter;
  return text;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OrderedJson ocp_measurement(const Measurement& entry) {
  OrderedJson json{{"name", entry.name}, {"value", json_number(entry.value)}, {"unit", entry.unit}};
  if (entry.name == measurement::worst_error_ratio && std::isfinite(entry.value))
    json["validators"].push_back({{"name", "allowed"}, {"type", "LESS_THAN_OR_EQUAL"}, {"value", 1.0}});
  return json;
}

ASSAY_DETAIL_HEADER_INLINE void add_ocp_step(OcpLines& lines, const Outcome& outcome, const std::string& id) {
  lines.step(id, "testStepStart", {{"name", outcome.id}});
  lines.time = later(lines.time, outcome.duration_seconds);
  for (const Measurement& entry : outcome.measurements) lines.step(id, "measurement", ocp_measurement(entry));
  const std::string account = account_of(outcome);
  const char* status = "COMPLETE";
  const auto diagnose = [&](const char* type) {
    lines.step(id, "diagnosis", {{"verdict", ocp_verdict(outcome)}, {"type", type}, {"message", account}});
  };
  switch (outcome.verdict) {
    case Verdict::pass: diagnose("PASS"); break;
    case Verdict::fail: diagnose("FAIL"); break;
    case Verdict::inconclusive:
    case Verdict::new_baseline: diagnose("UNKNOWN"); break;
    case Verdict::skipped:
    case Verdict::unsupported:
      lines.step(id, "log", {{"severity", "INFO"}, {"message", account}});
      status = "SKIP";
      break;
    case Verdict::error:
      lines.step(id, "error", {{"symptom", ocp_verdict(outcome)}, {"message", account}});
      status = "ERROR";
      break;
  }
  lines.step(id, "testStepEnd", {{"status", status}});
}

/// Status and result of the run, one of the four pairs that the specification allows.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OrderedJson ocp_end(const Run& run, bool require_conclusive) {
  const int code = run.exit_code(require_conclusive);
  const char* status = run.count(Verdict::fail) > 0 || code == 0 ? "COMPLETE" : code == 1 ? "ERROR" : "SKIP";
  const char* result = run.count(Verdict::fail) > 0 ? "FAIL" : code == 0 ? "PASS" : "NOT_APPLICABLE";
  return {{"status", status}, {"result", result}};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string ocp_text(const Run& run, bool require_conclusive) {
  detail::OcpLines lines;
  const detail::UtcTime start = detail::utc_time(run.environment.started_at).value_or(detail::UtcTime());
  lines.time = start;
  lines.add({{"schemaVersion", {{"major", 2}, {"minor", 0}}}});
  lines.run("testRunStart", {{"name", run.title.empty() ? "Assay" : run.title},
                             {"version", run.environment.assay_version},
                             {"commandLine", run.command},
                             {"parameters", {{"seed", std::to_string(run.seed)}, {"plannedCases", run.planned_cases}}},
                             {"dutInfo", detail::ocp_device(run.environment)}});
  std::size_t step = 0;
  for (const Outcome& outcome : run.outcomes) detail::add_ocp_step(lines, outcome, std::to_string(step++));
  if (const detail::UtcTime end = detail::later(start, run.duration_seconds); end > lines.time) lines.time = end;
  if (const std::string shortfall = detail::shortfall(run); !shortfall.empty())
    lines.run("error", {{"symptom", "assay-shortfall"}, {"message", shortfall}});
  lines.run("log", {{"severity", "INFO"}, {"message", closing_line(run)}});
  lines.run("testRunEnd", detail::ocp_end(run, require_conclusive));
  return std::move(lines.text);
}

}  // namespace assay::inline v0
