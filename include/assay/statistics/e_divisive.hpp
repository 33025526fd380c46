#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "assay/core/detail/stable_sort.hpp"
#include "assay/statistics/detail/random_sequence.hpp"
#include "assay/statistics/detail/samples.hpp"

namespace assay::inline v0 {

/// When a split counts as a change.
struct EDivisiveOptions {
  double significance = 0.01;      ///< of each split, alone
  std::size_t permutations = 199;  ///< the smallest p is 1/(1 + permutations)
  std::size_t shortest = 3;        ///< runs in a segment
  std::uint64_t seed = 1;          ///< of the permutations
};

/// A split of a series: `position` is the first run of the new level.
struct ChangePoint {
  std::size_t position = 0;
  double statistic = 0;  ///< of the split: how far the two sides lie apart
  double p_value = 1;    ///< how often a random order splits as well
};

namespace detail {

/// Σ|x − e| over the elements e entered so far, by the ranks of the values: two Fenwick trees, interleaved. O(log n) a call.
class DistanceSums {
 public:
  explicit DistanceSums(std::span<const double> sorted) : sorted_(sorted), tree_(sorted.size() + 1) {}

  void clear() {
    std::fill(tree_.begin(), tree_.end(), Node{});
    total_ = {};
  }
  /// Enters the element of that rank and returns its distance to all before.
  double enter(std::uint32_t rank) {
    const double value = sorted_[rank];
    Node below;
    for (std::size_t i = rank + 1; i > 0; i &= i - 1) below += tree_[i];
    const double distance = (value * below.count - below.sum) + ((total_.sum - below.sum) - value * (total_.count - below.count));
    for (std::size_t i = rank + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += Node{value, 1};
    total_ += Node{value, 1};
    return distance;
  }

 private:
  struct Node {
    double sum = 0;
    double count = 0;
    void operator+=(const Node& other) {
      sum += other.sum;
      count += other.count;
    }
  };
  std::span<const double> sorted_;
  std::vector<Node> tree_;
  Node total_;
};

/// The best split of one segment, given by the ranks of its values.
class EnergySplit {
 public:
  EnergySplit(std::span<const double> sorted, std::size_t shortest) : sums_(sorted), shortest_(shortest), to_all_(sorted.size()) {
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

  /// Q(τ) = τ(κ−τ)/κ·(2·mean between − mean within left − mean within right), the largest over τ. O(κ log κ).
  /// An element that moves from right to left takes its distances to the left along: what is left of those to all are those to the right.
  [[nodiscard]] ChangePoint best(std::span<const std::uint32_t> ranks) {
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

 private:
  [[nodiscard]] static double mean_of_pairs(double sum, double count) { return count < 2 ? 0 : sum / (count * (count - 1) / 2); }

  DistanceSums sums_;
  std::size_t shortest_;
  std::vector<double> to_all_;  ///< of each rank: the sum of its distances to all
  double pairs_ = 0;            ///< the sum of all distances
};

/// Values in ascending order, and the rank of each at its place in the series.
struct RankedSeries {
  explicit RankedSeries(std::span<const double> values) : sorted(values.size()), ranks(values.size()) {
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    detail::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
    const double centre = values[order[order.size() / 2]];  // sums of values lose digits to a large common part, distances do not have it
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      ranks[order[rank]] = static_cast<std::uint32_t>(rank);
      sorted[rank] = values[order[rank]] - centre;
    }
  }
  std::vector<double> sorted;
  std::vector<std::uint32_t> ranks;
};

/// The best split of `values` with its p-value, or position 0 if it is not significant.
[[nodiscard]] inline ChangePoint significant_split(std::span<const double> values, const EDivisiveOptions& options, std::uint64_t seed) {
  RankedSeries series(values);
  if (series.sorted.front() == series.sorted.back()) return {};
  EnergySplit split(series.sorted, options.shortest);
  ChangePoint found = split.best(series.ranks);
  // Rounding must not tell equal statistics apart: one that is smaller by next to nothing counts as reached.
  const double reached = found.statistic - 1e-9 * std::abs(found.statistic);
  const auto too_many = static_cast<std::size_t>(options.significance * static_cast<double>(1 + options.permutations) * (1 + 1e-12));
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

/// The split of a whole series with the largest energy statistic Q, without a test of significance: for [0×5, 10×5] τ = 5 and Q = 50.
/// Position 0 if the series is shorter than twice `shortest`. O(n log n).
/// Misuse: a sample that is NaN, infinite or beyond `largest_sample`; `shortest` below 1.
[[nodiscard]] inline ChangePoint largest_energy_split(std::span<const double> series, std::size_t shortest = 3) {
  detail::expect_samples(series, 0, "largest_energy_split()");
  expect(shortest >= 1, [] { return "largest_energy_split() was given 0 as the shortest segment; it has a run at least"; });
  if (series.size() < 2 * shortest) return {};
  const detail::RankedSeries ranked(series);
  return detail::EnergySplit(ranked.sorted, shortest).best(ranked.ranks);
}

/// Change points of any kind (level, spread, shape), ascending, by E-divisive with α = 1. Source: Matteson, James, Journal of the American Statistical
/// Association 109 (2014).
///
/// A segment is split where Q = τ(κ−τ)/κ·(2·mean |x−y| − mean |x−x′| − mean |y−y′|) is largest, τ runs before the split of κ, provided that a share of at
/// most `significance` of the permutations of that segment reaches as much: p = (1 + reached)/(1 + permutations), never 0. Then both parts are split
/// likewise. Two departures from the paper, as in MongoDB's and Apache Otava's tools: the right side always reaches to the end of the segment, and each
/// segment is tested by itself. Permutations presume that runs are exchangeable: on autocorrelated runs nearly every series splits.
///
/// The sums of distances come from Fenwick trees over ranks: O(κ log κ) a permutation instead of O(κ²). Permutations end as soon as the split
/// cannot become significant, which is after a few in most series where nothing changed.
/// Misuse: a sample that is NaN, infinite or beyond `largest_sample`; a significance outside (0, 1), no permutations, `shortest` below 1, 2³² runs.
[[nodiscard]] inline std::vector<ChangePoint> e_divisive(std::span<const double> series, const EDivisiveOptions& options = {}) {
  detail::expect_samples(series, 0, "e_divisive()");
  detail::expect_share(options.significance, "EDivisiveOptions::significance");
  expect(options.permutations >= 1 && options.shortest >= 1,
         [] { return "EDivisiveOptions needs a permutation at least, and segments of a run at least"; });
  expect(options.significance * static_cast<double>(1 + options.permutations) * (1 + 1e-12) >= 1, [] {
    return "EDivisiveOptions::permutations is too small for its significance: even 0 of them that reach as much would not do; take "
           "1/significance";
  });
  expect(series.size() < std::uint64_t{1} << 32, [] { return "e_divisive() was given 2^32 runs or more; cut the series"; });
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
  std::sort(found.begin(), found.end(), [](const ChangePoint& a, const ChangePoint& b) { return a.position < b.position; });
  return found;
}

}  // namespace assay::inline v0
