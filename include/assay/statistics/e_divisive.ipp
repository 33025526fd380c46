#pragma once

#include "assay/statistics/e_divisive.hpp"

#include <cmath>
#include <numeric>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE double DistanceSums::enter(std::uint32_t rank) {
  const double value = sorted_[rank];
  Node below;
  for (std::size_t i = rank + 1; i > 0; i &= i - 1) below += tree_[i];
  const double distance =
      (value * below.count - below.sum) + ((total_.sum - below.sum) - value * (total_.count - below.count));
  for (std::size_t i = rank + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += Node{value, 1};
  total_ += Node{value, 1};
  return distance;
}

ASSAY_DETAIL_HEADER_INLINE EnergySplit::EnergySplit(std::span<const double> sorted, std::size_t shortest)
    : sums_(sorted), shortest_(shortest), to_all_(sorted.size()) {
  const auto n = static_cast<double>(sorted.size());
  double all = 0, below = 0;
  for (const double value : sorted) all += value;
  for (std::size_t rank = 0; rank < sorted.size(); ++rank) {
    const auto smaller = static_cast<double>(rank);
    to_all_[rank] = sorted[rank] * (2 * smaller - n) + all - 2 * below;
    below += sorted[rank];
    pairs_ += to_all_[rank] / 2;
  }
}

ASSAY_DETAIL_HEADER_INLINE ChangePoint EnergySplit::best(std::span<const std::uint32_t> ranks) {
  const std::size_t n = ranks.size();
  sums_.clear();
  ChangePoint best;
  double left = 0, right = pairs_;
  for (std::size_t split = 1; split + shortest_ <= n; ++split) {
    const std::uint32_t rank = ranks[split - 1];
    const double to_left = sums_.enter(rank);
    left += to_left;
    right -= to_all_[rank] - to_left;
    if (split < shortest_) continue;
    const auto before = static_cast<double>(split), after = static_cast<double>(n - split);
    const double between = (pairs_ - left - right) / (before * after);
    const double within = mean_of_pairs(left, before) + mean_of_pairs(right, after);
    const double statistic = before * after / (before + after) * (2 * between - within);
    if (best.position == 0 || statistic > best.statistic) best = {split, statistic, 1};
  }
  return best;
}

ASSAY_DETAIL_HEADER_INLINE RankedSeries::RankedSeries(std::span<const double> values)
    : sorted(values.size()), ranks(values.size()) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  detail::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  const double center =
      values[order[order.size() / 2]];  // sums of values lose digits to a large common part, distances do not have it
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    ranks[order[rank]] = static_cast<std::uint32_t>(rank);
    sorted[rank] = values[order[rank]] - center;
  }
}

/// The best split of `values` with its p-value, or position 0 if it is not significant.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE ChangePoint significant_split(std::span<const double> values,
                                                                       const EDivisiveOptions& options,
                                                                       std::uint64_t seed) {
  RankedSeries series(values);
  if (series.sorted.front() == series.sorted.back()) return {};
  EnergySplit split(series.sorted, options.shortest);
  ChangePoint found = split.best(series.ranks);
  // Rounding must not tell equal statistics apart: one that is smaller by next to nothing counts as reached.
  const double reached = found.statistic - 1e-9 * std::abs(found.statistic);
  const auto too_many =
      static_cast<std::size_t>(options.significance * static_cast<double>(1 + options.permutations) * (1 + 1e-12));
  RandomSequence random(seed);
  std::size_t as_large = 0;
  for (std::size_t i = 0; i < options.permutations; ++i) {
    random.shuffle(std::span<std::uint32_t>(series.ranks));
    if (split.best(series.ranks).statistic >= reached && ++as_large >= too_many) return {};
  }
  found.p_value = static_cast<double>(1 + as_large) / static_cast<double>(1 + options.permutations);
  return found;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE ChangePoint largest_energy_split(std::span<const double> series, std::size_t shortest) {
  detail::expect_samples(series, 0, "largest_energy_split()");
  expect(shortest >= 1,
         [] { return "largest_energy_split() was given 0 as the shortest segment; it has a run at least"; });
  if (series.size() < 2 * shortest) return {};
  const detail::RankedSeries ranked(series);
  return detail::EnergySplit(ranked.sorted, shortest).best(ranked.ranks);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<ChangePoint> e_divisive(std::span<const double> series,
                                                               const EDivisiveOptions& options) {
  detail::expect_samples(series, 0, "e_divisive()");
  detail::expect_share(options.significance, "EDivisiveOptions::significance");
  expect(options.permutations >= 1 && options.shortest >= 1,
         [] { return "EDivisiveOptions needs a permutation at least, and segments of a run at least"; });
  expect(options.significance * static_cast<double>(1 + options.permutations) * (1 + 1e-12) >= 1, [] {
    return "EDivisiveOptions::permutations is too small for its significance: even 0 of them that reach as much would "
           "not do; take "
           "1/significance";
  });
  expect(series.size() < std::uint64_t{1} << 32,
         [] { return "e_divisive() was given 2^32 runs or more; cut the series"; });
  std::vector<ChangePoint> found;
  std::vector<std::pair<std::size_t, std::size_t>> segments{{0, series.size()}};
  while (!segments.empty()) {
    const auto [begin, end] = segments.back();
    segments.pop_back();
    if (end - begin < 2 * options.shortest) continue;
    ChangePoint split = detail::significant_split(series.subspan(begin, end - begin), options, options.seed + begin);
    if (split.position == 0) continue;
    split.position += begin;
    found.push_back(split);
    segments.emplace_back(begin, split.position);
    segments.emplace_back(split.position, end);
  }
  std::sort(found.begin(), found.end(),
            [](const ChangePoint& a, const ChangePoint& b) { return a.position < b.position; });
  return found;
}

}  // namespace assay::inline v0
