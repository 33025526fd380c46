#pragma once

#include "assay/report/findings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "assay/core/config.hpp"
#include "assay/core/diagnosis.hpp"
#include "assay/core/stable_sort.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// What a line of an outcome's diagnosis says, if it is one that `Diagnosis::text` wrote.
struct StatedCause {
  std::string confidence, fault_class, kind, evidence;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<StatedCause> stated_cause(std::string_view line) {
  const std::size_t colon = line.find(": "), comma = line.find(", ", colon == std::string_view::npos ? 0 : colon);
  if (colon == std::string_view::npos || comma == std::string_view::npos) return std::nullopt;
  StatedCause cause;
  cause.confidence = line.substr(0, colon);
  cause.fault_class = line.substr(colon + 2, comma - colon - 2);
  bool known = false;
  for (const Confidence confidence : {Confidence::possible, Confidence::likely, Confidence::certain})
    known = known || cause.confidence == name_of(confidence);
  if (!known || cause.fault_class.find(' ') != std::string::npos) return std::nullopt;
  const std::size_t end = line.find(": ", comma);
  cause.kind = line.substr(comma + 2, end == std::string_view::npos ? end : end - comma - 2);
  if (end != std::string_view::npos) cause.evidence = line.substr(end + 2);
  return cause;
}

/// "x_subnormals_flushed" and "input2_subnormals_flushed" are one kind of fault: what follows the operand's name.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string kind_without_operand(const std::string& kind) {
  static constexpr std::array<std::string_view, 22> tails{"_subnormals_flushed",
                                                          "_nan_skipped",
                                                          "_narrowed_to_",
                                                          "_transposed",
                                                          "_of_first",
                                                          "_of_last",
                                                          "_of_next",
                                                          "_of_previous",
                                                          "_shifted",
                                                          "_lanes_exchanged",
                                                          "_wrong_pitch",
                                                          "_reversed",
                                                          "_stretched",
                                                          "_compressed",
                                                          "_halves_exchanged",
                                                          "_pairs_exchanged",
                                                          "_repeated",
                                                          "_sign_misread",
                                                          "_counter_wraps",
                                                          "_off_by_one",
                                                          "_negated",
                                                          "_exponent_off_by_one"};
  std::size_t first = std::string::npos;
  for (const std::string_view tail : tails)
    if (const std::size_t at = kind.find(tail); at != std::string::npos) first = std::min(first, at);
  return first == std::string::npos ? kind : kind.substr(first + 1);
}

/// A reason without what differs from case to case.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string symptom_of(const Outcome& outcome) {
  if (const std::string ended = outcome.label("ended"); !ended.empty()) return "its process ended: " + ended;
  std::string text;
  for (const char letter : outcome.reason.substr(0, outcome.reason.find_first_of(",;:\n"))) {
    const bool digit = letter >= '0' && letter <= '9';
    if (!digit)
      text += letter;
    else if (text.empty() || text.back() != '#')
      text += '#';
  }
  if (text.rfind("# of # ", 0) == 0) text.erase(0, 7);
  return text.empty() ? "no reason was given" : clipped(visible(text), 100);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string family_of(const Outcome& outcome) {
  const std::string family = outcome.label("family"), operation = outcome.label("operation");
  return !family.empty() ? family : operation.empty() ? "-" : operation;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string backend_of(const Outcome& outcome) {
  const std::string backend = outcome.label("backend");
  return backend.empty() ? "-" : backend;
}

/// How telling a finding is: its failures, each as heavy as its cause is grave.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double weight_of(const Finding& finding) {
  const auto begins = [&](std::string_view text) { return finding.cause.rfind(text, 0) == 0; };
  const double gravity = begins("memory,") || begins("its process ended") ? 8
                         : begins("special_value,")                       ? 1
                         : begins("precision,") || begins("rounding,")    ? 2
                                                                          : 4;
  return gravity * static_cast<double>(finding.members.size()) * (finding.confidence == "possible" ? 0.5 : 1);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE int sureness(std::string_view confidence) {
  return confidence == "certain" ? 3 : confidence == "likely" ? 2 : confidence == "possible" ? 1 : 0;
}

/// Groups failures; what was left undiagnosed, since its suite had spent what it may, is given the cause of its like.
class FindingGroups {
 public:
  explicit FindingGroups(const Run& run) : run_(run) {
    std::vector<std::size_t> undiagnosed;
    for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
      const Outcome& outcome = run.outcomes[i];
      if (outcome.verdict != Verdict::fail && outcome.verdict != Verdict::error) continue;
      const auto stated = outcome.verdict == Verdict::fail ? cause_of(outcome) : std::nullopt;
      if (!stated) {
        undiagnosed.push_back(i);
        continue;
      }
      const std::string cause = stated->fault_class + ", " + kind_without_operand(stated->kind);
      add(i, cause, *stated);
      ++causes_[like(outcome, true)][cause];
      ++causes_[like(outcome, false)][cause];
    }
    for (const std::size_t i : undiagnosed) {
      const Outcome& outcome = run.outcomes[i];
      if (const std::string cause = cause_of_its_like(outcome); cause.empty()) {
        add(i, symptom_of(outcome), {});
      } else {
        add(i, cause, {});
        ++groups_.at(key(outcome, cause)).counted;
      }
    }
  }

  [[nodiscard]] std::vector<Finding> findings() {
    std::vector<Finding> all;
    for (auto& [key, finding] : groups_) {
      std::map<std::string, std::size_t> operations;
      for (const std::size_t member : finding.members) ++operations[run_.outcomes[member].label("operation")];
      finding.operations.assign(operations.begin(), operations.end());
      detail::stable_sort(finding.operations,
                          [](const auto& left, const auto& right) { return left.second > right.second; });
      all.push_back(std::move(finding));
    }
    detail::stable_sort(all,
                        [](const Finding& left, const Finding& right) { return weight_of(left) > weight_of(right); });
    return all;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string, Verdict>;

  [[nodiscard]] static std::optional<StatedCause> cause_of(const Outcome& outcome) {
    for (const std::string& line : outcome.diagnosis)
      if (auto stated = stated_cause(line)) return stated;
    return std::nullopt;
  }
  [[nodiscard]] static Key key(const Outcome& outcome, const std::string& cause) {
    return {backend_of(outcome), family_of(outcome), cause, outcome.verdict};
  }
  /// Failures that a diagnosis may be expected to hold for as well.
  [[nodiscard]] static std::string like(const Outcome& outcome, bool with_formats) {
    return outcome.label("operation") + "/" + backend_of(outcome) + "/" + outcome.label("data") +
           (with_formats ? "/" + outcome.label("formats") : std::string());
  }
  [[nodiscard]] std::string cause_of_its_like(const Outcome& outcome) const {
    if (outcome.verdict != Verdict::fail || outcome.label("diagnosis") != "omitted") return {};
    for (const bool with_formats : {true, false}) {
      const auto found = causes_.find(like(outcome, with_formats));
      if (found == causes_.end()) continue;
      return std::max_element(found->second.begin(), found->second.end(),
                              [](const auto& left, const auto& right) { return left.second < right.second; })
          ->first;
    }
    return {};
  }
  void add(std::size_t position, const std::string& cause, const StatedCause& stated) {
    const Outcome& outcome = run_.outcomes[position];
    Finding& finding = groups_[key(outcome, cause)];
    finding.members.push_back(position);
    const bool first = finding.members.size() == 1;
    if (!first && sureness(stated.confidence) <= sureness(finding.confidence)) return;
    if (first) std::tie(finding.backend, finding.family, finding.cause, finding.verdict) = key(outcome, cause);
    finding.confidence = stated.confidence;
    finding.account = stated.evidence.empty() ? outcome.reason : stated.evidence;
    std::swap(finding.members.front(), finding.members.back());
  }

  const Run& run_;
  std::map<Key, Finding> groups_;
  std::map<std::string, std::map<std::string, std::size_t>> causes_;
};

ASSAY_DETAIL_HEADER_INLINE std::string finding_key(const Outcome& outcome) {
  std::string cause = symptom_of(outcome);
  if (outcome.verdict == Verdict::fail)
    for (const std::string& line : outcome.diagnosis)
      if (const auto stated = stated_cause(line)) {
        cause = stated->fault_class + ", " + kind_without_operand(stated->kind);
        break;
      }
  return backend_of(outcome) + "/" + family_of(outcome) + "/" + cause;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Finding> findings_of(const Run& run) {
  return detail::FindingGroups(run).findings();
}

ASSAY_DETAIL_HEADER_INLINE std::string operations_text(const Finding& finding, std::size_t most) {
  if (finding.operations.size() == 1) return finding.operations.front().first;
  std::string text;
  for (std::size_t i = 0; i < finding.operations.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + finding.operations[i].first + " " + std::to_string(finding.operations[i].second);
  if (finding.operations.size() > most) text += " and " + std::to_string(finding.operations.size() - most) + " others";
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string subject_of(const Finding& finding) {
  const std::string what = finding.operations.size() == 1 ? finding.operations.front().first : finding.family;
  return finding.backend == "-" ? what : what + " on " + finding.backend;
}

ASSAY_DETAIL_HEADER_INLINE std::string heading_of(const Finding& finding) {
  std::string text = std::to_string(finding.members.size()) + " × " + subject_of(finding) + ": " + finding.cause;
  if (!finding.confidence.empty()) text += " (" + finding.confidence + ")";
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> standing_of_backends(const Run& run) {
  struct Standing {
    std::size_t cases = 0, passed = 0, bad = 0, undecided = 0;
  };
  std::map<std::string, Standing> backends;
  for (const Outcome& outcome : run.outcomes) {
    const std::string backend = detail::backend_of(outcome);
    Standing& standing = backends[backend == "-" ? detail::family_of(outcome) : backend];
    const bool bad = outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
    const bool right = outcome.verdict == Verdict::pass || outcome.verdict == Verdict::new_baseline;
    const bool undecided = outcome.verdict == Verdict::inconclusive;
    standing.bad += bad ? 1 : 0;
    standing.passed += right ? 1 : 0;
    standing.undecided += undecided ? 1 : 0;
    standing.cases += bad || right || undecided ? 1 : 0;
  }
  std::map<std::string, std::size_t> promises;
  for (const Outcome& outcome : run.outcomes)
    if (const std::string promise = outcome.label("judged_with"); !promise.empty()) ++promises[promise];
  std::string passed, failed, nothing;
  const auto add = [](std::string& list, const std::string& name) { list += (list.empty() ? "" : ", ") + name; };
  for (const auto& [name, standing] : backends) {
    const std::string cases = std::to_string(standing.cases) + (standing.cases == 1 ? " case" : " cases");
    if (standing.bad > 0)
      add(failed, visible(name) + " (" + std::to_string(standing.bad) + " of " + cases + ")");
    else if (standing.passed > 0)
      add(passed, visible(name) + " (" + cases +
                      (standing.undecided > 0 ? ", " + std::to_string(standing.undecided) + " undecided" : "") + ")");
    else
      add(nothing, visible(name));
  }
  std::vector<std::string> lines;
  if (!passed.empty()) lines.push_back("passed: " + passed);
  if (!failed.empty()) lines.push_back("failed: " + failed);
  if (!nothing.empty()) lines.push_back("nothing decided: " + nothing);
  std::size_t told = 0;
  for (const auto& [promise, cases] : promises)
    if (++told <= 2)
      lines.push_back("judged with: " + visible(promise) + ": " + std::to_string(cases) +
                      (cases == 1 ? " case passed by it" : " cases passed by it"));
  return lines;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> findings_lines(const Run& run, std::size_t most_lines,
                                                                   std::size_t width) {
  const std::vector<Finding> findings = findings_of(run);
  std::vector<std::string> lines;
  for (const std::string& line : standing_of_backends(run))
    if (!findings.empty() || line.rfind("judged with", 0) == 0) lines.push_back(clipped(line, width));
  if (findings.empty()) return lines;
  std::size_t failures = 0, shown = 0, told = 0;
  for (const Finding& finding : findings) failures += finding.members.size();
  if (findings.size() > 1)
    lines.push_back(std::to_string(failures) + " failures, " + std::to_string(findings.size()) +
                    " findings, the most telling first:");
  for (const Finding& finding : findings) {
    const Outcome& example = example_of(finding, run);
    const std::size_t left = most_lines - lines.size(), needed = example.reproduce.empty() ? 1 : 2;
    if (left < needed + (shown + 1 < findings.size() ? 1 : 0)) break;
    std::string line = heading_of(finding);
    if (finding.operations.size() > 1) line += " in " + operations_text(finding);
    if (finding.counted > 0) line += "; " + std::to_string(finding.counted) + " of them not diagnosed";
    if (finding.account.rfind(finding.cause, 0) != 0) line += "; " + finding.account;
    lines.push_back(clipped(visible(line), width));
    if (!example.reproduce.empty()) lines.push_back("  " + visible(example.reproduce));
    ++shown;
    told += finding.members.size();
  }
  if (shown < findings.size())
    lines.push_back("and " + std::to_string(findings.size() - shown) + " more findings, of " +
                    std::to_string(failures - told) + " failures");
  return lines;
}

ASSAY_DETAIL_HEADER_INLINE Table findings_table(const std::vector<Finding>& findings, const Run& run) {
  Table table{"findings", {"cases", "backend", "operations", "cause", "confidence", "example"}, {}};
  for (const Finding& finding : findings)
    table.rows.push_back({std::to_string(finding.members.size()), finding.backend, operations_text(finding),
                          finding.cause, finding.confidence.empty() ? "-" : finding.confidence,
                          example_of(finding, run).id});
  return table;
}

}  // namespace assay::inline v0
