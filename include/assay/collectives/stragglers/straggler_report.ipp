#pragma once

#include "assay/collectives/stragglers/straggler_report.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::string stragglers_text(const StragglerReport& report) {
  std::string text;
  std::size_t told = 0;
  constexpr std::size_t most = 4;
  const auto part = [&](const std::string& more) {
    if (told++ < most) text += (text.empty() ? "" : "; ") + more;
  };
  for (const SlowRank& slow : report.ranks)
    part("rank " + std::to_string(slow.rank) + " is " + times_text(slow.slowdown) + " as slow as the others in " +
         slow.what + " (at least " + times_text(slow.at_least) + ")");
  for (const SlowLink& slow : report.links)
    part("the link " + std::to_string(slow.from) + " → " + std::to_string(slow.to) + " takes " +
         times_text(slow.slowdown) + " the time of its like (at least " + times_text(slow.at_least) + ")");
  return told > most ? text + "; and " + std::to_string(told - most) + " more" : text;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome straggler_outcome(const StragglerReport& report, std::string id) {
  Outcome outcome;
  outcome.id = std::move(id);
  outcome.verdict = report.verdict;
  outcome.reason = report.verdict == Verdict::pass ? "" : report.reason;
  if (report.verdict == Verdict::pass) outcome.derivation.push_back(report.reason);
  Table table{"slow", {"who", "what", "slowdown", "at least"}, {}};
  constexpr std::size_t most_rows = 100;
  const auto row = [&](std::string who, std::string what, double slowdown, double at_least) {
    if (table.rows.size() < most_rows)
      table.rows.push_back(
          {std::move(who), std::move(what), detail::times_text(slowdown), detail::times_text(at_least)});
  };
  for (const SlowRank& slow : report.ranks)
    row("rank " + std::to_string(slow.rank), slow.what, slow.slowdown, slow.at_least);
  for (const SlowLink& slow : report.links)
    row(std::to_string(slow.from) + " → " + std::to_string(slow.to), "link", slow.slowdown, slow.at_least);
  if (!table.rows.empty()) outcome.tables.push_back(std::move(table));
  outcome.measure("slow_ranks", static_cast<double>(report.ranks.size()), "ranks");
  outcome.measure("slow_links", static_cast<double>(report.links.size()), "links");
  outcome.labels = {{"operation", "collectives"}, {"check", "full"}};
  return outcome;
}

}  // namespace assay::inline v0
