#pragma once

#include "assay/report/junit.hpp"

#include <map>
#include <set>

#include "assay/core/config.hpp"
#include "assay/report/findings.hpp"

namespace assay::inline v0 {

namespace detail {

/// The element that tells what came of a case; empty: it passed.
[[nodiscard]] constexpr std::string_view junit_element(Verdict verdict, bool require_conclusive) noexcept {
  switch (verdict) {
    case Verdict::pass: return "";
    case Verdict::fail: return "failure";
    case Verdict::error: return "error";
    case Verdict::inconclusive: return require_conclusive ? "failure" : "skipped";
    default: return "skipped";
  }
}

/// What is no duration counts as none.
[[nodiscard]] constexpr double sane_seconds(double seconds) noexcept {
  return seconds > 0 && seconds < 1e12 ? seconds : 0;
}

/// Seconds without an exponent.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string junit_seconds(double seconds, int decimals) {
  return printed_number(sane_seconds(seconds), decimals, std::chars_format::fixed);
}

/// "operation.backend.formats", of the labels that are there.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string junit_class(const Outcome& outcome) {
  std::string name;
  for (const char* label : {"operation", "backend", "formats"}) {
    const std::string part = outcome.label(label);
    if (!blank(part)) name.append(name.empty() ? "" : ".").append(part);
  }
  return name.empty() ? "assay.case" : name;
}

/// What the id says beyond the class; the whole id if it is not built that way.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string junit_name(const Outcome& outcome) {
  const std::string head =
      outcome.label("operation") + "/" + outcome.label("backend") + "/" + outcome.label("formats") + "/";
  const std::string name = outcome.id.rfind(head, 0) == 0 ? outcome.id.substr(head.size()) : outcome.id;
  return blank(name) ? "case" : name;
}

ASSAY_DETAIL_HEADER_INLINE void append_property(std::string& xml, std::string_view name, std::string_view value) {
  xml += "      <property";
  append_attribute(xml, "name", name);
  append_attribute(xml, "value", value);
  xml += "/>\n";
}

/// Properties that are the same for all suites of a run.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string junit_run_properties(const Run& run) {
  const Environment& machine = run.environment;
  std::string xml;
  append_property(xml, "title", run.title);
  append_property(xml, "command", run.command);
  append_property(xml, "seed", std::to_string(run.seed));
  append_property(xml, "planned_cases", std::to_string(run.planned_cases));
  append_property(xml, "reported_cases", std::to_string(run.outcomes.size()));
  append_property(xml, "assay_version", machine.assay_version);
  append_property(xml, "operating_system", machine.operating_system);
  append_property(xml, "processor", machine.processor);
  append_property(xml, "logical_processors", std::to_string(machine.logical_processors));
  append_property(xml, "instruction_sets", machine.instruction_sets);
  append_property(xml, "memory_bytes", number_text(machine.memory_bytes, 6));
  append_property(xml, "compiler", machine.compiler);
  append_property(xml, "compiler_flags", machine.compiler_flags);
  for (const std::string& device : machine.devices) append_property(xml, "device", device);
  for (const auto& [name, version] : machine.libraries)
    append_property(xml, std::string("library.").append(name), version);
  return xml;
}

/// What the findings of a run say, for its first suite.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string junit_findings(const Run& run) {
  std::string xml;
  for (const std::string& line : standing_of_backends(run)) {
    const std::size_t colon = line.find(": ");
    append_property(xml, "backends." + line.substr(0, colon), line.substr(colon + 2));
  }
  std::size_t number = 0;
  for (const Finding& finding : findings_of(run))
    append_property(xml, "finding." + std::to_string(++number),
                    heading_of(finding) + "; for example " + example_of(finding, run).id);
  return xml;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string junit_case(std::string_view suite, std::string_view name,
                                                                double seconds, std::string_view element,
                                                                std::string_view type, std::string_view message,
                                                                std::string_view body) {
  std::string xml = "    <testcase";
  append_attribute(xml, "classname", suite);
  append_attribute(xml, "name", name);
  append_attribute(xml, "time", junit_seconds(seconds, 6));
  if (element.empty()) return xml.append("/>\n");
  xml.append(">\n      <").append(element);
  append_attribute(xml, "message", message);
  if (element != "skipped") append_attribute(xml, "type", type);
  xml += ">";
  append_xml(xml, body, XmlPlace::content);
  return xml.append("</").append(element).append(">\n    </testcase>\n");
}

ASSAY_DETAIL_HEADER_INLINE std::string JunitSuite::text(std::size_t id, const Environment& machine) const {
  std::string xml = "  <testsuite";
  append_attribute(xml, "name", name);
  append_attribute(xml, "package", "");
  append_attribute(xml, "id", std::to_string(id));
  append_attribute(xml, "hostname", blank(machine.host_name) ? "localhost" : machine.host_name);
  append_attribute(xml, "timestamp", second_text(utc_time(machine.started_at).value_or(UtcTime())));
  append_attribute(xml, "tests", std::to_string(counts.tests));
  append_attribute(xml, "failures", std::to_string(counts.failures));
  append_attribute(xml, "errors", std::to_string(counts.errors));
  append_attribute(xml, "skipped", std::to_string(counts.skipped));
  append_attribute(xml, "time", junit_seconds(seconds, 3));
  xml.append(">\n    <properties>\n")
      .append(properties)
      .append("    </properties>\n")
      .append(cases)
      .append("    <system-out>");
  append_xml(xml, output, XmlPlace::content);
  return xml.append("</system-out>\n    <system-err/>\n  </testsuite>\n");
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE JunitSuite junit_suite(const std::string& name,
                                                                const std::vector<const Outcome*>& outcomes,
                                                                bool require_conclusive) {
  JunitSuite suite;
  suite.name = name;
  SummaryRow row;
  std::set<std::string> names;  // readers drop all but the first case of a name
  for (const Outcome* outcome : outcomes) {
    count_outcome(row, *outcome);
    const std::string stem = junit_name(*outcome);
    std::string case_name = stem;
    for (int copy = 2; !names.insert(case_name).second; ++copy)
      case_name = std::string(stem).append(" (").append(std::to_string(copy)).append(")");
    const std::string_view element = junit_element(outcome->verdict, require_conclusive);
    const std::string type = std::string("assay.").append(name_of(outcome->verdict));
    suite.counts.add(element);
    suite.seconds += sane_seconds(outcome->duration_seconds);
    suite.cases += element.empty() ? junit_case(name, case_name, outcome->duration_seconds, "", "", "", "")
                                   : junit_case(name, case_name, outcome->duration_seconds, element, type,
                                                stated_reason(*outcome), account_of(*outcome));
    suite.output.append(name_of(outcome->verdict))
        .append(" ")
        .append(outcome->id)
        .append(" seed=")
        .append(std::to_string(outcome->seed));
    if (const auto ratio = outcome->measurement(measurement::worst_error_ratio))
      suite.output.append(" error/allowed=").append(number_text(*ratio));
    suite.output += "\n";
  }
  if (row.worst_error_ratio) {
    append_property(suite.properties, "worst_error_ratio", number_text(*row.worst_error_ratio));
    append_property(suite.properties, "worst_error_ratio.case", row.worst_case);
  }
  return suite;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string junit_text(const Run& run, bool require_conclusive) {
  std::map<std::string, std::vector<const Outcome*>> classes;
  for (const Outcome& outcome : run.outcomes) classes[detail::junit_class(outcome)].push_back(&outcome);

  const std::string properties = detail::junit_run_properties(run);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  std::size_t id = 0;
  for (const auto& [name, outcomes] : classes) {
    detail::JunitSuite suite = detail::junit_suite(name, outcomes, require_conclusive || run.require_conclusive);
    suite.properties.insert(0, id == 0 ? properties + detail::junit_findings(run) : properties);
    xml += suite.text(id++, run.environment);
  }
  if (const std::string shortfall = detail::shortfall(run); !shortfall.empty()) {
    detail::JunitSuite suite;
    suite.name = "assay.run";
    suite.properties = properties;
    suite.counts.add("error");
    suite.cases = detail::junit_case(suite.name, "every planned case ran, and something was decided", 0, "error",
                                     "assay.shortfall", shortfall, closing_line(run));
    xml += suite.text(id, run.environment);
  }
  return xml + "</testsuites>\n";
}

}  // namespace assay::inline v0
