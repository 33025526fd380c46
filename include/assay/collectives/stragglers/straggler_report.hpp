#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/detail/rank_list.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

/// A rank that takes longer than the others.
struct SlowRank {
  int rank = 0;
  double slowdown = 1;  ///< its median time over that of the others
  double at_least = 1;  ///< lower bound of the same
  std::string what;     ///< "working", "sending", "receiving", "sending and receiving"
};

/// A link that takes longer than the ranks at its ends do on their others.
struct SlowLink {
  /// The ranks at its ends.
  int from = 0, to = 0;
  double slowdown = 1;  ///< time ÷ the time that the ends' other links take
  double at_least = 1;  ///< the lower bound of `slowdown`
};

/// Who holds the others up.
struct StragglerReport {
  /// `fail`: somebody; `pass`: nobody, by data that would have shown it; `inconclusive`: too few data.
  Verdict verdict = Verdict::inconclusive;
  std::string reason;           ///< one line, with the slowest first; also of a pass
  std::vector<SlowRank> ranks;  ///< slowest first
  std::vector<SlowLink> links;
  std::vector<double> slowdowns;  ///< of each rank, or of each link (from × to); NaN where nothing is known
};

namespace detail {

/// The slowest first, by number where they are equal.
[[nodiscard]] inline bool slower_rank(const SlowRank& a, const SlowRank& b) {
  return a.slowdown != b.slowdown ? a.slowdown > b.slowdown : a.rank < b.rank;
}
[[nodiscard]] inline bool slower_link(const SlowLink& a, const SlowLink& b) {
  return a.slowdown != b.slowdown ? a.slowdown > b.slowdown : std::pair(a.from, a.to) < std::pair(b.from, b.to);
}

[[nodiscard]] inline std::string times_text(double slowdown) {
  return printed_number(slowdown, slowdown < 10 ? 2 : 0, std::chars_format::fixed) + " ×";
}

/// "rank 3 is 2.01 × as slow as the others in sending (at least 1.97 ×); the link 0 → 5 takes 2.10 × …"
[[nodiscard]] std::string stragglers_text(const StragglerReport& report);

}  // namespace detail

/// As an outcome: with a table of the slow.
[[nodiscard]] Outcome straggler_outcome(const StragglerReport& report, std::string id);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/stragglers/straggler_report.ipp"
#endif
