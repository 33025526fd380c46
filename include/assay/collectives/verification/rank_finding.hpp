#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/collectives/verification/collective_data.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What may have gone wrong, as one rank sees it.
struct CollectiveSuspicion {
  std::string fault;            ///< a name from the list of faults, see collective_diagnosis.hpp
  int guilty = -1;              ///< the rank whose doing it is; -1: not told
  Index begin = 0, length = 0;  ///< elements of the output where it shows
  double share = 0;             ///< of the wrong elements that it explains
  std::string evidence;         ///< one sentence
  double chance = 0;            ///< at most so likely it fits by chance, few elements of few bits being wrong; [0, 1]
};

/// What one rank found in its own buffers after one call. Small, however much is wrong.
struct RankFinding {
  static constexpr std::size_t most_runs = 64;  ///< runs of wrong elements that are kept

  int rank = 0;
  std::uint64_t call = 0;
  std::optional<Error> error;  ///< the call failed; nothing was compared then
  Index elements = 0;          ///< compared
  Index wrong = 0;
  std::uint64_t hash = 0;        ///< of the output's bytes where ranks must agree and no single result is right; else 0
  std::vector<ElementRun> runs;  ///< of wrong elements of the output, the first `most_runs`
  std::vector<CollectiveSuspicion> suspicions;

  /// Whether nothing was found wrong.
  [[nodiscard]] bool is_right() const { return !error && wrong == 0 && suspicions.empty(); }
};

namespace detail {

inline void put(std::string& text, long long number) {
  text += std::to_string(number) + " ";
}
inline void put(std::string& text, const std::string& words) {
  text += std::to_string(words.size()) + ":" + words;
}

/// Reads what `put` wrote; `ok` is false once anything was not of that form.
struct FindingReader {
  const std::string& text;
  std::size_t at = 0;
  bool ok = true;

  long long number(char end = ' ');
  std::string words();
};

}  // namespace detail

/// As text, to be exchanged between ranks.
[[nodiscard]] std::string to_text(const RankFinding& finding);

/// Errors: `malformed`, where the text is no finding.
[[nodiscard]] Result<RankFinding> rank_finding_from_text(const std::string& text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/rank_finding.ipp"
#endif
