#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/detail/rank_list.hpp"
#include "assay/core/detail/printed_number.hpp"
#include "assay/core/outcome.hpp"

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
[[nodiscard]] inline std::string stragglers_text(const StragglerReport& report) {
  std::string text;
  std::size_t told = 0;
  constexpr std::size_t most = 4;
  const auto part = [&](const std::string& more) {
    if (told++ < most) text += (text.empty() ? "" : "; ") + more;
  };
  for (const SlowRank& slow : report.ranks)
    part("rank " + std::to_string(slow.rank) + " is " + times_text(slow.slowdown) + " as slow as the others in " + slow.what +
         " (at least " + times_text(slow.at_least) + ")");
  for (const SlowLink& slow : report.links)
    part("the link " + std::to_string(slow.from) + " → " + std::to_string(slow.to) + " takes " + times_text(slow.slowdown) +
         " the time of its like (at least " + times_text(slow.at_least) + ")");
  return told > most ? text + "; and " + std::to_string(told - most) + " more" : text;
}

}  // namespace detail

/// As an outcome: with a table of the slow.
[[nodiscard]] inline Outcome straggler_outcome(const StragglerReport& report, std::string id) {
  Outcome outcome;
  outcome.id = std::move(id);
  outcome.verdict = report.verdict;
  outcome.reason = report.verdict == Verdict::pass ? "" : report.reason;
  if (report.verdict == Verdict::pass) outcome.derivation.push_back(report.reason);
  Table table{"slow", {"who", "what", "slowdown", "at least"}, {}};
  constexpr std::size_t most_rows = 100;
  const auto row = [&](std::string who, std::string what, double slowdown, double at_least) {
    if (table.rows.size() < most_rows)
      table.rows.push_back({std::move(who), std::move(what), detail::times_text(slowdown), detail::times_text(at_least)});
  };
  for (const SlowRank& slow : report.ranks) row("rank " + std::to_string(slow.rank), slow.what, slow.slowdown, slow.at_least);
  for (const SlowLink& slow : report.links)
    row(std::to_string(slow.from) + " → " + std::to_string(slow.to), "link", slow.slowdown, slow.at_least);
  if (!table.rows.empty()) outcome.tables.push_back(std::move(table));
  outcome.measure("slow_ranks", static_cast<double>(report.ranks.size()), "ranks");
  outcome.measure("slow_links", static_cast<double>(report.links.size()), "links");
  outcome.labels = {{"operation", "collectives"}, {"check", "full"}};
  return outcome;
}

}  // namespace assay::inline v0
