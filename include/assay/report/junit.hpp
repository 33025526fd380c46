#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/detail/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/detail/account.hpp"
#include "assay/report/detail/utc_time.hpp"
#include "assay/report/detail/xml.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/write_file.hpp"

/// A run as JUnit XML: one document for GitLab, Jenkins (junit and xunit plugins) and the GitHub actions that read JUnit.
/// There is no one standard, so it keeps to what all of them take. It is valid by the schema of Jenkins' xunit plugin
/// (junit-10.xsd) and by that of Apache Ant's reports (Windy Road's JUnit.xsd): properties and output stand at the suite, since
/// those schemas have none at the case; `type` is no word that GitLab's parser takes for the type of the content.
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

struct JunitCounts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void add(std::string_view element) {
    ++tests;
    failures += element == "failure" ? 1 : 0;
    errors += element == "error" ? 1 : 0;
    skipped += element == "skipped" ? 1 : 0;
  }
};

/// What is no duration counts as none.
[[nodiscard]] constexpr double sane_seconds(double seconds) noexcept {
  return seconds > 0 && seconds < 1e12 ? seconds : 0;
}

/// Seconds without an exponent.
[[nodiscard]] inline std::string junit_seconds(double seconds, int decimals) {
  return printed_number(sane_seconds(seconds), decimals, std::chars_format::fixed);
}

[[nodiscard]] inline bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// "operation.backend.formats", of the labels that are there.
[[nodiscard]] inline std::string junit_class(const Outcome& outcome) {
  std::string name;
  for (const char* label : {"operation", "backend", "formats"}) {
    const std::string part = outcome.label(label);
    if (!blank(part)) name.append(name.empty() ? "" : ".").append(part);
  }
  return name.empty() ? "assay.case" : name;
}

/// What the id says beyond the class; the whole id if it is not built that way.
[[nodiscard]] inline std::string junit_name(const Outcome& outcome) {
  const std::string head = outcome.label("operation") + "/" + outcome.label("backend") + "/" + outcome.label("formats") + "/";
  const std::string name = outcome.id.rfind(head, 0) == 0 ? outcome.id.substr(head.size()) : outcome.id;
  return blank(name) ? "case" : name;
}

inline void append_property(std::string& xml, std::string_view name, std::string_view value) {
  xml += "      <property";
  append_attribute(xml, "name", name);
  append_attribute(xml, "value", value);
  xml += "/>\n";
}

/// Properties that are the same for all suites of a run.
[[nodiscard]] inline std::string junit_run_properties(const Run& run) {
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
  for (const auto& [name, version] : machine.libraries) append_property(xml, std::string("library.").append(name), version);
  return xml;
}

[[nodiscard]] inline std::string junit_case(std::string_view suite, std::string_view name, double seconds, std::string_view element,
                                            std::string_view type, std::string_view message, std::string_view body) {
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

/// One suite, with all that the strictest reader asks of it.
struct JunitSuite {
  std::string name;
  std::string properties, cases, output;
  JunitCounts counts;
  double seconds = 0;

  [[nodiscard]] std::string text(std::size_t id, const Environment& machine) const {
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
    xml.append(">\n    <properties>\n").append(properties).append("    </properties>\n").append(cases).append("    <system-out>");
    append_xml(xml, output, XmlPlace::content);
    return xml.append("</system-out>\n    <system-err/>\n  </testsuite>\n");
  }
};

[[nodiscard]] inline JunitSuite junit_suite(const std::string& name, const std::vector<const Outcome*>& outcomes, bool require_conclusive) {
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
                                   : junit_case(name, case_name, outcome->duration_seconds, element, type, stated_reason(*outcome),
                                                account_of(*outcome));
    suite.output.append(name_of(outcome->verdict)).append(" ").append(outcome->id).append(" seed=").append(std::to_string(outcome->seed));
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

/// The run as a JUnit XML document, a suite an operation × backend × formats (sorted), a case an outcome: `classname` is
/// "operation.backend.formats", `name` the rest of the id. XML 1.0 in UTF-8, valid whatever bytes the outcomes hold. O(n log n).
///
/// Nothing undecided reads as passed. `fail` is a failure and `error` an error; `skipped`, `unsupported`, `new_baseline` and
/// `inconclusive` are skipped, with a message that begins with the verdict ("inconclusive: …"). Where `require_conclusive` (of the run, or given), an
/// inconclusive case is a failure, as in `Run::exit_code`. A run that was cut short, or that decided nothing, has one suite more,
/// "assay.run", with an error that says so: the document has a failure or an error exactly when the exit code is not 0.
[[nodiscard]] inline std::string junit_text(const Run& run, bool require_conclusive = false) {
  std::map<std::string, std::vector<const Outcome*>> classes;
  for (const Outcome& outcome : run.outcomes) classes[detail::junit_class(outcome)].push_back(&outcome);

  const std::string properties = detail::junit_run_properties(run);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  std::size_t id = 0;
  for (const auto& [name, outcomes] : classes) {
    detail::JunitSuite suite = detail::junit_suite(name, outcomes, require_conclusive || run.require_conclusive);
    suite.properties.insert(0, properties);
    xml += suite.text(id++, run.environment);
  }
  if (const std::string shortfall = detail::shortfall(run); !shortfall.empty()) {
    detail::JunitSuite suite;
    suite.name = "assay.run";
    suite.properties = properties;
    suite.counts.add("error");
    suite.cases = detail::junit_case(suite.name, "every planned case ran, and something was decided", 0, "error", "assay.shortfall",
                                     shortfall, closing_line(run));
    xml += suite.text(id, run.environment);
  }
  return xml + "</testsuites>\n";
}

/// Writes `junit_text` to a file, whole or not at all (`write_file`). GitLab asks for the ending .xml.
[[nodiscard]] inline Result<void> write_junit(const Run& run, const std::filesystem::path& path, bool require_conclusive = false) {
  return write_file(path, junit_text(run, require_conclusive));
}

}  // namespace assay::inline v0
