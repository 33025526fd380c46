#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "assay/core/stable_sort.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "assay/statistics/samples.hpp"

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

/// Σ|x − e| over the elements e entered so far, by the ranks of the values: two Fenwick trees, interleaved. O(log n) a
/// call.
class DistanceSums {
 public:
  explicit DistanceSums(std::span<const double> sorted) : sorted_(sorted), tree_(sorted.size() + 1) {}

  void clear() {
    std::fill(tree_.begin(), tree_.end(), Node{});
    total_ = {};
  }
  /// Enters the element of that rank and returns its distance to all before.
  double enter(std::uint32_t rank);

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
  EnergySplit(std::span<const double> sorted, std::size_t shortest);

  /// Q(τ) = τ(κ−τ)/κ·(2·mean between − mean within left − mean within right), the largest over τ. O(κ log κ). An
  /// element that moves from right to left takes its distances to the left along: what is left of those to all are
  /// those to the right.
  [[nodiscard]] ChangePoint best(std::span<const std::uint32_t> ranks);

 private:
  [[nodiscard]] static double mean_of_pairs(double sum, double count) {
    return count < 2 ? 0 : sum / (count * (count - 1) / 2);
  }

  DistanceSums sums_;
  std::size_t shortest_;
  std::vector<double> to_all_;  ///< of each rank: the sum of its distances to all
  double pairs_ = 0;            ///< the sum of all distances
};

/// Values in ascending order, and the rank of each at its place in the series.
struct RankedSeries {
  explicit RankedSeries(std::span<const double> values);
  std::vector<double> sorted;
  std::vector<std::uint32_t> ranks;
};

}  // namespace detail

/// The split of a whole series with the largest energy statistic Q, without a test of significance: for [0×5, 10×5] τ =
/// 5 and Q = 50. Position 0 if the series is shorter than twice `shortest`. O(n log n). Misuse: a sample that is NaN,
/// infinite or beyond `largest_sample`; `shortest` below 1.
[[nodiscard]] ChangePoint largest_energy_split(std::span<const double> series, std::size_t shortest = 3);

/// Change points of any kind (level, spread, shape), ascending, by E-divisive with α = 1. Source: Matteson, James,
/// Journal of the American Statistical Association 109 (2014).
///
/// A segment is split where Q = τ(κ−τ)/κ·(2·mean |x−y| − mean |x−x′| − mean |y−y′|) is largest, τ runs before the split
/// of κ, provided that a share of at most `significance` of the permutations of that segment reaches as much: p = (1 +
/// reached)/(1 + permutations), never 0. Then both parts are split likewise. Two departures from the paper, as in
/// MongoDB's and Apache Otava's tools: the right side always reaches to the end of the segment, and each segment is
/// tested by itself. Permutations presume that runs are exchangeable: on autocorrelated runs nearly every series
/// splits.
///
/// The sums of distances come from Fenwick trees over ranks: O(κ log κ) a permutation instead of O(κ²). Permutations
/// end as soon as the split cannot become significant, which is after a few in most series where nothing changed.
/// Misuse: a sample that is NaN, infinite or beyond `largest_sample`; a significance outside (0, 1), no permutations,
/// `shortest` below 1, 2³² runs.
[[nodiscard]] std::vector<ChangePoint> e_divisive(std::span<const double> series, const EDivisiveOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/e_divisive.ipp"
#endif
