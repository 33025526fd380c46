#pragma once

#include "assay/report/junit_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/lower_case.hpp"
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

/// Judges by what stands within a case, else by what its attributes say. What says neither is no pass.
ASSAY_DETAIL_HEADER_INLINE void judge_junit_case(const XmlElement& element, Outcome& outcome) {
  const auto is_one_of = [](const std::string& word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const std::string status = lower_case(element.attribute("status")), result = lower_case(element.attribute("result"));
  const auto take = [&](Verdict verdict, const XmlElement& said) {
    outcome.verdict = verdict;
    outcome.reason = junit_reason(said);
  };
  const auto states = [&](const char* name) { return std::string(name) + " is '" + element.attribute(name) + "'"; };
  const auto say = [&](Verdict verdict, const std::string& reason) {
    outcome.verdict = verdict;
    outcome.reason = clipped(visible(reason), 200);
  };
  if (const XmlElement* failed = element.child("failure")) return take(Verdict::fail, *failed);
  if (const XmlElement* broken = element.child("error")) return take(Verdict::error, *broken);
  if (const XmlElement* skipped = element.child("skipped")) return take(Verdict::skipped, *skipped);
  for (const auto& [name, word] : {std::pair("status", status), std::pair("result", result)})
    if (is_one_of(word, {"fail", "failed"})) return say(Verdict::fail, "its " + states(name));
  for (const auto& [name, word] : {std::pair("result", result), std::pair("status", status)})
    if (is_one_of(word, {"notrun", "disabled", "skipped", "suppressed"}))
      return say(Verdict::skipped, "it was not run: " + states(name));
  if (!is_one_of(status, {"", "run", "passed", "completed"}))
    return say(Verdict::inconclusive, "its " + states("status") + ", which does not say that it passed");
  if (!is_one_of(result, {"", "completed"}))
    return say(Verdict::inconclusive, "its " + states("result") + ", which does not say that it passed");
  outcome.verdict = Verdict::pass;
}

/// What a suite has, with the suites within.
struct JunitTally {
  std::size_t planned = 0;  ///< outcomes that there should be
  std::size_t failed = 0;   ///< failures and errors, those included that it tells and does not hold
  std::size_t added = 0;    ///< outcomes that say so, and are no case
};

/// A count that an attribute tells; 0 where it tells none.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t junit_count(const XmlElement& element, const char* attribute) {
  const auto said = read_number(element.attribute(attribute));
  return said && *said >= 0 && *said < 1e9 ? static_cast<std::size_t>(*said) : 0;
}

/// Compares what was read with what the element tells, and adds what is missing.
ASSAY_DETAIL_HEADER_INLINE void compare_junit_tally(const XmlElement& suite, const std::string& id, Run& run,
                                                    JunitTally& counts) {
  counts.planned = std::max(counts.planned, junit_count(suite, "tests") + counts.added);
  const std::size_t told = junit_count(suite, "failures") + junit_count(suite, "errors");
  if (told <= counts.failed) return;
  Outcome missing;
  missing.id = id + "/failures";
  missing.verdict = Verdict::error;
  missing.reason = "the suite tells of " + std::to_string(told) + " failures and errors, and " +
                   std::to_string(counts.failed) + " of them can be found in the file";
  run.outcomes.push_back(std::move(missing));
  counts.failed = told;
  ++counts.added;
  ++counts.planned;
}

ASSAY_DETAIL_HEADER_INLINE JunitTally read_junit_suite(const XmlElement& suite, const std::string& path, Run& run) {
  const std::string name = suite.attribute("name");
  JunitTally counts;
  for (const XmlElement& element : suite.children) {
    if (element.name == "testsuite") {
      const JunitTally nested = read_junit_suite(element, name.empty() ? path : path + name + "/", run);
      counts.planned += nested.planned;
      counts.failed += nested.failed;
      counts.added += nested.added;
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
    // Some count the cases that failed, some, as Catch2, what failed within them.
    const auto within = std::count_if(element.children.begin(), element.children.end(), [](const XmlElement& child) {
      return child.name == "failure" || child.name == "error";
    });
    counts.failed += within > 0 ? static_cast<std::size_t>(within) : outcome.verdict == Verdict::fail ? 1 : 0;
    ++counts.planned;
    run.outcomes.push_back(std::move(outcome));
  }
  compare_junit_tally(suite, path + (name.empty() ? "suite" : name), run, counts);
  if (run.environment.started_at.empty()) run.environment.started_at = suite.attribute("timestamp");
  if (run.environment.host_name.empty()) run.environment.host_name = suite.attribute("hostname");
  return counts;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Run> run_from_junit(std::string_view text) {
  const auto document = parse_xml(text);
  if (!document) return document.propagate();
  const XmlElement& root = document.value();
  Run run;
  run.title = root.attribute("name");
  if (root.name == "testsuite") {
    run.planned_cases = detail::read_junit_suite(root, "", run).planned;
    return run;
  }
  if (root.name != "testsuites")
    return failure(ErrorKind::malformed, "the document is a '" + clipped(visible(root.name), 40) +
                                             "', and results of JUnit's form are 'testsuites' or 'testsuite'");
  detail::JunitTally counts;
  for (const XmlElement& suite : root.children) {
    if (suite.name != "testsuite") continue;
    const detail::JunitTally of_suite = detail::read_junit_suite(suite, "", run);
    counts.planned += of_suite.planned;
    counts.failed += of_suite.failed;
    counts.added += of_suite.added;
  }
  detail::compare_junit_tally(root, run.title.empty() ? "testsuites" : run.title, run, counts);
  run.planned_cases = counts.planned;
  return run;
}

}  // namespace assay::inline v0
