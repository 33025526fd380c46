#pragma once

#include "assay/collectives/stragglers/slow_links.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double log_or_nan(double seconds) {
  return std::isfinite(seconds) && seconds > 0 ? std::log(seconds) : std::numeric_limits<double>::quiet_NaN();
}

/// Of two or three ranks: the fastest link of a class is what the others are held to, and no rank is told from its
/// links.
ASSAY_DETAIL_HEADER_INLINE void compare_with_fastest(StragglerReport& report, const LinkTimes& times,
                                                     const std::vector<int>& classes, double least) {
  std::map<int, double> fastest;
  const auto cell = [&](int from, int to) {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(times.size) + static_cast<std::size_t>(to);
  };
  for (const bool judge : {false, true})
    for (int from = 0; from < times.size; ++from)
      for (int to = 0; to < times.size; ++to) {
        const LinkTime& link = times.at(from, to);
        if (std::isnan(log_or_nan(link.seconds))) continue;
        double& best = fastest.try_emplace(classes[cell(from, to)], link.seconds).first->second;
        if (!judge)
          best = std::min(best, link.seconds);
        else if (report.slowdowns[cell(from, to)] = link.seconds / best; link.lower / best > least)
          report.links.push_back({from, to, link.seconds / best, link.lower / best});
      }
}

/// Effects of ranks and links by median polish: who sends or receives slowly over most links is a slow rank, what is
/// left are slow links.
ASSAY_DETAIL_HEADER_INLINE void attribute_slowness(StragglerReport& report, const LinkTimes& times,
                                                   const std::vector<int>& classes, double least) {
  const auto n = static_cast<std::size_t>(times.size);
  std::vector<double> logs(n * n);
  for (std::size_t cell = 0; cell < logs.size(); ++cell) logs[cell] = log_or_nan(times.links[cell].seconds);
  const MedianPolish fit = median_polish(logs, n, classes);
  const auto usual = [&](std::size_t cell) { return fit.overall + fit.classes.at(classes[cell]); };
  std::vector<double> sends(n), receives(n);  // effects of ranks that are slow
  const auto judge = [&](std::size_t rank, bool sending) {
    const double effect = sending ? fit.rows[rank] : fit.columns[rank];
    std::size_t measured = 0, slow = 0;
    std::vector<double> bounds;
    for (std::size_t other = 0; other < n; ++other) {
      const std::size_t cell = sending ? rank * n + other : other * n + rank;
      if (std::isnan(logs[cell])) continue;
      ++measured;
      bounds.push_back(times.links[cell].lower / std::exp(usual(cell)));
      slow += bounds.back() > least ? 1 : 0;
    }
    if (std::exp(effect) <= least || slow < 2 || 2 * slow <= measured) return;
    (sending ? sends : receives)[rank] = effect;
    SlowRank found{static_cast<int>(rank), std::exp(effect), median_of_values(bounds),
                   sending ? "sending" : "receiving"};
    const auto same = std::find_if(report.ranks.begin(), report.ranks.end(),
                                   [&](const SlowRank& known) { return known.rank == found.rank; });
    if (same == report.ranks.end())
      report.ranks.push_back(std::move(found));
    else
      *same = {found.rank, std::max(same->slowdown, found.slowdown), std::min(same->at_least, found.at_least),
               "sending and receiving"};
  };
  for (std::size_t rank = 0; rank < n; ++rank) {
    judge(rank, true);
    judge(rank, false);
  }
  for (std::size_t from = 0; from < n; ++from)
    for (std::size_t to = 0; to < n; ++to) {
      const std::size_t cell = from * n + to;
      if (std::isnan(logs[cell])) continue;
      const double like = std::exp(usual(cell) + sends[from] + receives[to]);
      report.slowdowns[cell] = times.links[cell].seconds / std::exp(usual(cell));
      if (times.links[cell].lower / like > least)
        report.links.push_back({static_cast<int>(from), static_cast<int>(to), times.links[cell].seconds / like,
                                times.links[cell].lower / like});
    }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE StragglerReport find_slow_links(const LinkTimes& times, const SlowLinkOptions& options) {
  expect(options.least_slowdown >= 1, [] { return "slow links are looked for with a least slowdown of 1 or more"; });
  StragglerReport report;
  const auto n = static_cast<std::size_t>(times.size);
  expect(times.links.size() == n * n, [&] {
    return "a matrix of links of " + std::to_string(n) + " ranks has " + std::to_string(times.links.size()) +
           " entries";
  });
  report.slowdowns.assign(times.links.size(), std::numeric_limits<double>::quiet_NaN());
  if (n < 2) {
    report.reason = "there are no links";
    return report;
  }
  std::vector<int> classes(n * n, 0);
  std::size_t measured = 0, bounded = 0;
  for (std::size_t cell = 0; cell < times.links.size(); ++cell) {
    if (options.class_of && cell / n != cell % n)
      classes[cell] = options.class_of(static_cast<int>(cell / n), static_cast<int>(cell % n));
    if (cell / n == cell % n || std::isnan(detail::log_or_nan(times.links[cell].seconds))) continue;
    ++measured;
    bounded += times.links[cell].lower > 0 ? 1 : 0;
  }
  if (n < 4)
    detail::compare_with_fastest(report, times, classes, options.least_slowdown);
  else if (measured > 0)
    detail::attribute_slowness(report, times, classes, options.least_slowdown);
  std::sort(report.ranks.begin(), report.ranks.end(), detail::slower_rank);
  std::sort(report.links.begin(), report.links.end(), detail::slower_link);
  const std::string counts = std::to_string(measured) + " of " + std::to_string(n * (n - 1)) + " links";
  if (!report.ranks.empty() || !report.links.empty()) {
    report.verdict = Verdict::fail;
    report.reason = detail::stragglers_text(report);
  } else if (2 * bounded < n * (n - 1)) {
    report.reason =
        "only " + counts + " were measured" +
        (bounded < measured ? ", " + std::to_string(bounded) + " of them often enough to bound their median" : "");
  } else {
    report.verdict = Verdict::pass;
    report.reason = "none of " + counts + " is shown to take more than " + detail::times_text(options.least_slowdown) +
                    " the time of its like";
  }
  return report;
}

ASSAY_DETAIL_HEADER_INLINE HeatMap slowdown_map(const StragglerReport& report, const LinkTimes& times,
                                                double least_slowdown) {
  HeatMap map;
  map.title = "time of a link / allowed: sender × receiver, messages of " + std::to_string(times.bytes) + " B";
  map.rows = map.columns = static_cast<std::size_t>(times.size);
  for (const double slowdown : report.slowdowns) map.values.push_back(slowdown / least_slowdown);
  return map;
}

}  // namespace assay::inline v0
