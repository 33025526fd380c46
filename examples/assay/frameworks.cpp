#include "frameworks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/core/table.hpp"
#include "assay/frameworks/cases/check_by_bound.hpp"
#include "assay/frameworks/cases/known_failures.hpp"
#include "assay/frameworks/cases/operator_coverage.hpp"
#include "assay/frameworks/door/door_worker.hpp"
#include "assay/frameworks/door/lowered_precision.hpp"
#include "assay/frameworks/door/mode_agreement.hpp"
#include "assay/frameworks/door/mode_name.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"
#include "assay/frameworks/onnx_runtime/onnx_runtime.hpp"
#include "assay/frameworks/openvino/openvino.hpp"
#include "assay/frameworks/pjrt/pjrt.hpp"
#include "assay/frameworks/tensorflow/tensorflow.hpp"
#include "assay/frameworks/torch/torch.hpp"
#include "assay/release/calendar_date.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "assay/suite/glob.hpp"
#include "fault.hpp"
#include "frameworks_checks.hpp"
#include "generated_cases.hpp"
#include "printed_table.hpp"
#include "suites/doors.hpp"

namespace assay_program {

namespace {

using Clock = std::chrono::steady_clock;

/// "openvino…" is OpenVINO itself, "OpenVINO" ONNX Runtime's provider of that name; "torch.…" and "tensorflow.…" are
/// frameworks.
bool is_runtime_of_its_own(const std::string& provider) {
  const std::string first = provider.substr(0, provider.find('.'));
  return first == "openvino" || first == "torch" || first == "tensorflow";
}

assay::Result<assay::ExecutionMode> mode_of(const FrameworksOptions& options) {
  assay::ExecutionMode mode;
  mode.provider.name = options.provider;
  if (is_runtime_of_its_own(options.provider)) {
    auto read = assay::read_mode_name(options.provider);
    if (!read) return read;
    if (!options.provider_library.empty() || options.level != 99)
      return assay::failure(
          assay::ErrorKind::invalid,
          "--provider-library and --level are ONNX Runtime's; OpenVINO itself, PyTorch and TensorFlow have neither");
    mode = std::move(read).value();
  }
  mode.provider.library = options.provider_library;
  mode.optimization_level = options.level;
  if (options.threads != 1) mode.threads = options.threads;
  for (const std::string& option : options.options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      return assay::failure(assay::ErrorKind::invalid, "--option " + option + " is not KEY=VALUE");
    mode.provider.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  if (options.level != 0 && options.level != 1 && options.level != 2 && options.level != 99)
    return assay::failure(assay::ErrorKind::invalid, "--level is 0, 1, 2 or 99");
  if (options.threads < 1) return assay::failure(assay::ErrorKind::invalid, "--threads is 1 or more");
  return mode;
}

const char* name_of(assay::ForeignRuntime runtime) {
  switch (runtime) {
    case assay::ForeignRuntime::onnx_runtime: return "ONNX Runtime";
    case assay::ForeignRuntime::pjrt: return "PJRT";
    case assay::ForeignRuntime::openvino: return "OpenVINO";
    case assay::ForeignRuntime::torch: return "PyTorch";
    case assay::ForeignRuntime::tensorflow: return "TensorFlow";
  }
  return "";
}

/// Operators of the list that is asked for; none where none is.
assay::Result<std::vector<std::string>> critical_operators(const FrameworksOptions& options) {
  if (options.critical.empty()) return std::vector<std::string>{};
  if (options.critical == "default") return assay::read_critical_operators(assay::default_critical_operators());
  const auto text = assay::read_whole_file(options.critical);
  if (!text) return text.propagate();
  auto read = assay::read_critical_operators(text.value());
  if (!read) return assay::failure(read.error().kind, options.critical + ": " + read.error().message);
  return read;
}

bool is_asked_for(const FrameworksOptions& options, const std::string& name) {
  return options.only.empty() || std::any_of(options.only.begin(), options.only.end(),
                                             [&](const std::string& glob) { return assay::glob_matches(glob, name); });
}

/// Cases that cannot even be read are errors of their own.
assay::Outcome unreadable(const std::string& folder, const std::string& backend, const assay::Error& error) {
  assay::Outcome outcome;
  const std::string name = std::filesystem::path(folder).filename().string();
  outcome.id = "onnx/" + backend + "/none/" + name;
  outcome.labels = {{"operation", "none"}, {"backend", backend}, {"data", name}};
  outcome.verdict = error.kind == assay::ErrorKind::unsupported ? assay::Verdict::unsupported : assay::Verdict::error;
  outcome.reason = error.message;
  return outcome;
}

/// Judges a case, and tells which of its nodes were computed in a narrower format than the model's.
assay::Outcome outcome_of(const assay::OnnxCase& own, const std::string& backend, const assay::ExecutionMode& mode,
                          assay::DoorWorker& worker) {
  std::string lowered;
  assay::Outcome outcome = assay::judge_onnx_case(own, backend, mode, [&](const auto& program, const auto& inputs) {
    auto run = worker.run(program, inputs);
    if (run) lowered = assay::lowered_text(assay::lowered_nodes(own.read.graph, run.value().assignment));
    return run;
  });
  if (lowered.empty()) return outcome;
  outcome.labels[assay::lowered_label] = lowered;
  outcome.diagnosis.insert(outcome.diagnosis.begin(), backend + " computed " + lowered);
  return outcome;
}

/// Of how many cases nodes were computed in a narrower format than the model's, and of how many that fail.
void print_lowered(const std::vector<assay::Outcome>& outcomes) {
  std::map<std::string, std::pair<int, int>> by_format;
  for (const assay::Outcome& outcome : outcomes) {
    std::string how = outcome.label(assay::lowered_label);
    if (how.empty()) continue;
    const std::size_t in = how.find(" in "), kernel = how.find(" ("), declared = how.rfind("declared ");
    how = how.substr(in + 4, kernel - in - 4) + " where the model has " + how.substr(declared + 9);
    auto& [all, failed] = by_format[how];
    ++all;
    failed += outcome.verdict == assay::Verdict::fail ? 1 : 0;
  }
  for (const auto& [how, counts] : by_format)
    std::printf("%d cases were computed in %s; %d of them fail\n", counts.first, assay::visible(how).c_str(),
                counts.second);
}

constexpr assay::Verdict shown[] = {assay::Verdict::pass, assay::Verdict::fail, assay::Verdict::error,
                                    assay::Verdict::unsupported, assay::Verdict::inconclusive};

void print_by_operation(const std::vector<assay::Outcome>& outcomes) {
  std::map<std::string, std::map<assay::Verdict, int>> by_operation;
  for (const assay::Outcome& outcome : outcomes) ++by_operation[outcome.label("operation")][outcome.verdict];
  assay::Table table;
  table.columns = {"operator"};
  for (const assay::Verdict verdict : shown) table.columns.emplace_back(name_of(verdict));
  for (auto& [operation, counts] : by_operation) {
    const int all = counts[assay::Verdict::pass];
    int sum = 0;
    for (const assay::Verdict verdict : shown) sum += counts[verdict];
    if (all == sum) continue;  // told in one line
    table.rows.push_back({assay::visible(operation)});
    for (const assay::Verdict verdict : shown)
      table.rows.back().push_back(counts[verdict] == 0 ? "" : std::to_string(counts[verdict]));
  }
  if (!table.rows.empty()) print_table(table);
  std::printf("%zu operators, or graphs of them, of which %zu pass in every case\n\n", by_operation.size(),
              by_operation.size() - table.rows.size());
}

/// By what cases were judged, and where the derived bound and ONNX's tolerance differ.
void print_judges(const std::vector<assay::Outcome>& outcomes) {
  std::size_t bound = 0, loose = 0, narrow = 0, data = 0;
  for (const assay::Outcome& outcome : outcomes) {
    if (outcome.label("judged_by") != "bound") continue;
    ++bound;
    const bool passed = outcome.verdict == assay::Verdict::pass, by_onnx = outcome.label("by_onnx") == "pass";
    loose += !passed && by_onnx ? 1 : 0;
    narrow += passed && !by_onnx ? 1 : 0;
    data += outcome.label("expected_data") == "fail" ? 1 : 0;
    for (const std::string& line : outcome.diagnosis)
      std::printf("note  %s\n      %s\n", assay::visible(outcome.id).c_str(),
                  assay::clipped(assay::visible(line), 300).c_str());
  }
  std::printf(
      "%zu judged by the derived bound, the others by ONNX's own tolerance; of these %zu fail that ONNX's tolerance "
      "lets "
      "pass, %zu pass that it refuses, and of %zu the data that ONNX expects fail\n",
      bound, loose, narrow, data);
}

int told(const FrameworksOptions& options, const std::vector<assay::Outcome>& outcomes, double seconds,
         const std::vector<assay::KnownFailure>& list) {
  print_by_operation(outcomes);
  const assay::JudgedFailures judged =
      assay::judge_by_known_failures(outcomes, list, assay::date_text(assay::current_date()));
  std::map<assay::Verdict, int> counts;
  std::string lines;
  for (const assay::Outcome& outcome : outcomes) {
    ++counts[outcome.verdict];
    const std::string reason = assay::visible(outcome.reason);
    lines += std::string(name_of(outcome.verdict)) + "\t" + outcome.id + "\t" + outcome.label("opset") + "\t" + reason +
             "\n";
    if (outcome.verdict != assay::Verdict::fail && outcome.verdict != assay::Verdict::error) continue;
    const bool known = std::find(judged.known.begin(), judged.known.end(), outcome.id) != judged.known.end();
    std::printf("%-5s %s%s\n      %s\n", std::string(name_of(outcome.verdict)).c_str(),
                assay::visible(outcome.id).c_str(), known ? " (known)" : "", assay::clipped(reason, 300).c_str());
  }
  for (const std::string& stale : judged.stale) std::printf("known failures: %s\n", assay::visible(stale).c_str());
  print_judges(outcomes);
  print_lowered(outcomes);
  std::printf("%zu cases in %s s:", outcomes.size(), assay::number_text(seconds, 3).c_str());
  for (const assay::Verdict verdict : shown)
    std::printf(" %d %s%s", counts[verdict], std::string(name_of(verdict)).c_str(),
                verdict == assay::Verdict::inconclusive ? "\n" : ",");
  if (!options.table.empty())
    if (const auto written = assay::write_file(options.table, lines); !written) return fault(written.error().message);
  if (!judged.unknown.empty()) return 1;
  return counts[assay::Verdict::pass] + static_cast<int>(judged.known.size()) > 0 ? 0 : 2;
}

int run_cases(const FrameworksOptions& options) {
  const auto mode = mode_of(options);
  if (!mode) return fault(mode.error().message);
  std::vector<assay::KnownFailure> list;
  if (!options.known_failures.empty()) {
    const auto text = assay::read_whole_file(options.known_failures);
    if (!text) return fault(text.error().message);
    auto read = assay::read_known_failures(text.value());
    if (!read) return fault(options.known_failures + ", " + read.error().message);
    list = std::move(read).value();
  }
  const auto worker = foreign_worker(mode.value().runtime, options.seconds, options.library);
  if (!worker) return fault(worker.error().message);
  const auto described = worker.value()->describe();
  if (!described) return fault(described.error().message);
  const auto folder = folder_of_cases(options.cases);
  if (!folder) return fault(folder.error().message);
  const auto cases = assay::find_onnx_cases(folder.value());
  if (!cases) return fault(cases.error().message);
  const auto critical = critical_operators(options);
  if (!critical) return fault(critical.error().message);
  const auto is_critical = [&](const std::string& operation) {
    return critical.value().empty() ||
           std::any_of(critical.value().begin(), critical.value().end(),
                       [&](const std::string& glob) { return assay::glob_matches(glob, operation); });
  };
  const std::string backend = assay::mode_name(mode.value());
  std::string providers;
  for (const std::string& provider : described.value().providers)
    providers += (providers.empty() ? "" : ", ") + provider;
  std::printf("%s %s with %s: %s\n\n", name_of(mode.value().runtime), assay::visible(described.value().version).c_str(),
              assay::visible(providers).c_str(), assay::visible(backend).c_str());
  const auto start = Clock::now();
  std::vector<assay::Outcome> outcomes;
  for (const std::string& path : cases.value()) {
    if (!is_asked_for(options, std::filesystem::path(path).filename().string())) continue;
    const auto own = assay::read_onnx_case(path);
    if (own && !is_critical(own.value().operation())) continue;
    outcomes.push_back(own ? outcome_of(own.value(), backend, mode.value(), *worker.value())
                           : unreadable(path, backend, own.error()));
  }
  if (outcomes.empty()) return fault("--only and --critical leave no case of " + folder.value());
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const int code = told(options, outcomes, seconds, list);
  const assay::Outcome coverage = assay::operator_coverage(outcomes, backend, critical.value());
  if (!critical.value().empty()) {
    for (const assay::Measurement& entry : coverage.measurements)
      std::printf("%s %s%s\n", entry.name.c_str(), assay::number_text(entry.value, 4).c_str(),
                  entry.unit == "%" ? " %" : "");
    if (!coverage.reason.empty()) std::printf("%s\n", assay::visible(coverage.reason).c_str());
  }
  if (options.report.empty()) return code;
  outcomes.push_back(coverage);
  if (const auto written = write_framework_report(options.report, std::move(outcomes), "node cases of ONNX, " + backend,
                                                  "onnx", seconds);
      !written)
    return fault(written.error().message);
  std::printf("report: %s\n", options.report.c_str());
  return code;
}

}  // namespace

int frameworks(const FrameworksOptions& options) {
  if (options.action == "serve") return assay::serve_onnx_runtime(options.library);
  if (options.action == "serve-pjrt") return assay::serve_pjrt(options.library);
  if (options.action == "serve-openvino") return assay::serve_openvino(options.library);
  if (options.action == "serve-torch") return assay::serve_torch(options.library);
  if (options.action == "serve-tensorflow") return assay::serve_tensorflow(options.library);
  if (options.action == "onnx") return run_cases(options);
  if (options.action == "torch") return check_torch(options);
  if (options.action == "calibration") return check_calibrations(options);
  if (options.action == "fusions" || options.action == "opsets") {
    const auto mode = mode_of(options);
    if (!mode) return fault(mode.error().message);
    const auto worker = foreign_worker(mode.value().runtime, options.seconds, options.library);
    if (!worker) return fault(worker.error().message);
    return options.action == "fusions" ? check_fusions(options, mode.value(), *worker.value())
                                       : check_opsets(options, mode.value(), *worker.value());
  }
  if (options.action == "critical") {
    std::fputs(std::string(assay::default_critical_operators()).c_str(), stdout);
    return 0;
  }
  return fault("'" + options.action +
               "' is no action of frameworks; there are onnx, critical, fusions, opsets, calibration and torch");
}

}  // namespace assay_program
