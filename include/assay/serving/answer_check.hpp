#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/serving/request_record.hpp"

namespace assay::inline v0 {

/// What is wrong with an answer.
enum class AnswerFault : std::uint8_t {
  none,          ///< as it is to be
  not_complete,  ///< the request did not complete
  empty,         ///< complete, without output
  truncated,     ///< a proper beginning of the right answer, and the server gave no reason to stop there
  swapped,       ///< the right answer to another prompt
  repeated,      ///< the right answer with a part of it twice
  mixed,         ///< another user's needle stands in it
  lost_needle,   ///< the own needle does not stand in it
  invalid_text,  ///< not UTF-8
  other          ///< differs in some other way
};
/// In the order of `AnswerFault`.
inline constexpr std::array<std::string_view, 10> answer_fault_names{
    "none",     "not_complete", "empty",       "truncated",    "swapped",
    "repeated", "mixed",        "lost_needle", "invalid_text", "other"};
/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(AnswerFault fault) noexcept {
  return answer_fault_names[static_cast<std::size_t>(fault)];
}

/// An answer that is not as it is to be.
struct AnswerFinding {
  std::uint64_t id = 0;  ///< of the request
  std::string prompt;    ///< by its name in the record
  AnswerFault fault = AnswerFault::none;
  std::string evidence;  ///< where it differs, and what stands there
};

/// The right answers by prompt, from a run without load: greedy, so that there is one.
using GoldenAnswers = std::map<std::string, std::string>;

/// The answers of complete records; a prompt whose answers differ among themselves has none, and is named in
/// `unstable`: it cannot be compared bitwise. O(text).
[[nodiscard]] GoldenAnswers golden_answers(std::span<const RequestRecord> records, std::vector<std::string>* unstable);

/// What is wrong with the answer to a prompt, by the golden answers; `other` answers serve to name what was swapped.
/// Prompts without a golden answer are only looked at for emptiness and text that is no UTF-8. O(text · prompts).
[[nodiscard]] AnswerFinding compare_answer(const RequestRecord& record, const GoldenAnswers& golden);

/// As `needles`: what each prompt's answer must contain, and no other prompt's may. O(text · needles).
[[nodiscard]] AnswerFinding find_needles(const RequestRecord& record,
                                         const std::map<std::string, std::string>& needles);

/// Whether bytes are well-formed UTF-8 (no surrogates, nothing overlong). O(n).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// All findings as one outcome `serving/<id>`: `pass` where none is, of `answers` that were compared.
[[nodiscard]] Outcome answer_outcome(std::span<const AnswerFinding> findings, std::size_t answers,
                                     const std::string& id);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/answer_check.ipp"
#endif
