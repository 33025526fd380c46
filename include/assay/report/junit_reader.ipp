#pragma once

#include "assay/report/junit_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/text.hpp"
#include "assay/report/xml_element.hpp"

namespace assay::inline v0 {

namespace detail {

/// What an element says: its message, else the first line of its text.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string junit_reason(const XmlElement& element) {
  std::string reason = element.attribute("message");
  if (reason.empty()) {
    const std::size_t first = element.text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos) reason = element.text.substr(first, element.text.find('\n', first) - first);
  }
  return clipped(reason.empty() ? "the file gives no reason" : reason, 1000);
}

ASSAY_DETAIL_HEADER_INLINE void judge_junit_case(const XmlElement& element, Outcome& outcome) {
  const std::string status = element.attribute("status"), result = element.attribute("result");
  const auto take = [&](Verdict verdict, const XmlElement& said) {
    outcome.verdict = verdict;
    outcome.reason = junit_reason(said);
  };
  outcome.verdict = Verdict::pass;
  if (const XmlElement* failed = element.child("failure"))
    take(Verdict::fail, *failed);
  else if (const XmlElement* broken = element.child("error"))
    take(Verdict::error, *broken);
  else if (const XmlElement* skipped = element.child("skipped"))
    take(Verdict::skipped, *skipped);
  else if (status == "notrun" || status == "disabled" || result == "skipped" || result == "suppressed")
    outcome.verdict = Verdict::skipped, outcome.reason = "it was not run: " + (result.empty() ? status : result);
  else if (status == "fail")
    outcome.verdict = Verdict::fail, outcome.reason = "its status is 'fail'";
}

ASSAY_DETAIL_HEADER_INLINE void read_junit_suite(const XmlElement& suite, const std::string& path, Run& run) {
  const std::string name = suite.attribute("name");
  const std::size_t before = run.outcomes.size();
  std::size_t nested = 0;
  for (const XmlElement& element : suite.children) {
    if (element.name == "testsuite") {
      const std::size_t planned = run.planned_cases;
      read_junit_suite(element, name.empty() ? path : path + name + "/", run);
      nested += run.planned_cases - planned;
    }
    if (element.name != "testcase") continue;
    Outcome outcome;
    // CTest repeats the name of a test as its class.
    const std::string given = element.attribute("classname");
    const std::string group = given == element.attribute("name") ? std::string() : given;
    outcome.id = path + (name.empty() || name == group ? "" : name + "/") + (group.empty() ? "" : group + "/") +
                 element.attribute("name");
    outcome.labels["suite"] = name;
    if (const XmlElement* properties = element.child("properties"))
      for (const XmlElement& property : properties->children)
        outcome.labels[property.attribute("name")] =
            property.attribute("value").empty() ? property.text : property.attribute("value");
    const auto seconds = read_number(element.attribute("time"));
    if (seconds && std::isfinite(*seconds) && *seconds >= 0) outcome.duration_seconds = *seconds;
    judge_junit_case(element, outcome);
    run.outcomes.push_back(std::move(outcome));
  }
  const std::size_t own = run.outcomes.size() - before;
  const auto said = read_number(suite.attribute("tests"));
  const double told = said && *said >= 0 && *said < 1e9 ? *said : 0;
  run.planned_cases += std::max(own, static_cast<std::size_t>(told)) - nested;
  if (run.environment.started_at.empty()) run.environment.started_at = suite.attribute("timestamp");
  if (run.environment.host_name.empty()) run.environment.host_name = suite.attribute("hostname");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Run> run_from_junit(std::string_view text) {
  const auto document = parse_xml(text);
  if (!document) return document.propagate();
  const XmlElement& root = document.value();
  Run run;
  run.title = root.attribute("name");
  if (root.name == "testsuite") {
    detail::read_junit_suite(root, "", run);
    return run;
  }
  if (root.name != "testsuites")
    return failure(ErrorKind::malformed, "the document is a '" + clipped(visible(root.name), 40) +
                                             "', and results of JUnit's form are 'testsuites' or 'testsuite'");
  for (const XmlElement& suite : root.children)
    if (suite.name == "testsuite") detail::read_junit_suite(suite, "", run);
  const auto said = detail::read_number(root.attribute("tests"));
  if (said && *said > static_cast<double>(run.planned_cases) && *said < 1e9)
    run.planned_cases = static_cast<std::size_t>(*said);
  return run;
}

}  // namespace assay::inline v0
