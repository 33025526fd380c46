#pragma once

#include "assay/serving/answer_check.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "assay/report/text.hpp"

namespace assay::inline v0 {
namespace detail {

inline std::string around(const std::string& text, std::size_t at) {
  const std::size_t from = at > 12 ? at - 12 : 0;
  return "'" + visible(text.substr(from, 36)) + "'";
}

inline std::size_t first_difference(const std::string& a, const std::string& b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  return at;
}

/// Whether `answer` is `right` with one part of it, of at least `least` bytes, inserted again right behind itself.
inline bool repeats_part(const std::string& answer, const std::string& right, std::size_t least = 1) {
  if (answer.size() <= right.size()) return false;
  const std::size_t extra = answer.size() - right.size();
  if (extra < least || extra > right.size()) return false;
  const std::size_t at = first_difference(answer, right);  // the repeated part ends here, or earlier
  if (answer.compare(at + extra, std::string::npos, right, at, std::string::npos) != 0) return false;
  return at >= extra && answer.compare(at, extra, right, at - extra, extra) == 0;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE GoldenAnswers golden_answers(std::span<const RequestRecord> records,
                                                        std::vector<std::string>* unstable) {
  GoldenAnswers answers;
  std::set<std::string> differing;
  for (const RequestRecord& record : records) {
    if (record.end != RequestEnd::complete) continue;
    const std::string text = record.output();
    const auto [found, added] = answers.emplace(record.prompt, text);
    if (!added && found->second != text) differing.insert(record.prompt);
  }
  for (const std::string& prompt : differing) answers.erase(prompt);
  if (unstable != nullptr) unstable->assign(differing.begin(), differing.end());
  return answers;
}

ASSAY_DETAIL_HEADER_INLINE AnswerFinding compare_answer(const RequestRecord& record, const GoldenAnswers& golden) {
  const auto finding = [&](AnswerFault fault, std::string evidence) {
    return AnswerFinding{record.id, record.prompt, fault, std::move(evidence)};
  };
  if (record.end != RequestEnd::complete)
    return finding(AnswerFault::not_complete, std::string(name_of(record.end)) + ": " + record.reason);
  const std::string answer = record.output();
  const auto found = golden.find(record.prompt);
  if (found != golden.end() && answer == found->second) return finding(AnswerFault::none, "");
  if (answer.empty()) return finding(AnswerFault::empty, "no output, finish reason '" + record.finish_reason() + "'");
  if (!is_utf8(answer)) return finding(AnswerFault::invalid_text, "the text is no UTF-8");
  if (found == golden.end()) return finding(AnswerFault::none, "");
  const std::string& right = found->second;
  for (const auto& [prompt, text] : golden)
    if (prompt != record.prompt && !text.empty() && answer == text)
      return finding(AnswerFault::swapped, "it is the answer to '" + visible(prompt) + "'");
  if (right.compare(0, answer.size(), answer) == 0)
    return finding(AnswerFault::truncated, "it ends after " + std::to_string(answer.size()) + " of " +
                                               std::to_string(right.size()) + " bytes, finish reason '" +
                                               record.finish_reason() + "'");
  if (detail::repeats_part(answer, right))
    return finding(AnswerFault::repeated, std::to_string(answer.size() - right.size()) +
                                              " bytes stand twice, the second time before " +
                                              detail::around(answer, detail::first_difference(answer, right)));
  const std::size_t at = detail::first_difference(answer, right);
  return finding(AnswerFault::other, "it differs from byte " + std::to_string(at) + ": " + detail::around(answer, at) +
                                         " instead of " + detail::around(right, at));
}

ASSAY_DETAIL_HEADER_INLINE AnswerFinding find_needles(const RequestRecord& record,
                                                      const std::map<std::string, std::string>& needles) {
  AnswerFinding finding{record.id, record.prompt, AnswerFault::none, ""};
  if (record.end != RequestEnd::complete) {
    finding.fault = AnswerFault::not_complete;
    finding.evidence = std::string(name_of(record.end)) + ": " + record.reason;
    return finding;
  }
  const std::string answer = record.output();
  for (const auto& [prompt, needle] : needles)
    if (prompt != record.prompt && answer.find(needle) != std::string::npos) {
      finding.fault = AnswerFault::mixed;
      finding.evidence = "'" + visible(needle) + "', which belongs to '" + visible(prompt) + "', stands in the answer";
      return finding;
    }
  const auto own = needles.find(record.prompt);
  if (own != needles.end() && answer.find(own->second) == std::string::npos) {
    finding.fault = AnswerFault::lost_needle;
    finding.evidence = "'" + visible(own->second) + "' does not stand in the answer";
  }
  return finding;
}

ASSAY_DETAIL_HEADER_INLINE Outcome answer_outcome(std::span<const AnswerFinding> findings, std::size_t answers,
                                                  const std::string& id) {
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  outcome.measure("answers", static_cast<double>(answers), "answers");
  std::map<AnswerFault, std::size_t> counts;
  Table table{"Answers that are wrong", {"request", "prompt", "what", "evidence"}, {}};
  for (const AnswerFinding& finding : findings) {
    if (finding.fault == AnswerFault::none) continue;
    if (counts[finding.fault]++ < 20)
      table.rows.push_back({std::to_string(finding.id), visible(finding.prompt.substr(0, 60)),
                            std::string(name_of(finding.fault)), finding.evidence});
  }
  outcome.verdict = answers == 0 ? Verdict::inconclusive : Verdict::pass;
  if (answers == 0) outcome.reason = "no answer was compared";
  if (counts.empty()) return outcome;
  outcome.verdict = Verdict::fail;
  std::size_t wrong = 0;
  std::string kinds;
  for (const auto& [fault, count] : counts) {
    wrong += count;
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name_of(fault));
  }
  outcome.reason = std::to_string(wrong) + " of " + std::to_string(answers) + " answers are wrong: " + kinds;
  outcome.diagnosis.push_back("request " + table.rows.front()[0] + ": " + table.rows.front()[3]);
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace assay::inline v0
