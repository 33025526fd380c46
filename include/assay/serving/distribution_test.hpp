#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"

/// Whether tokens come from the distribution that they are to come from; by Boost.Math (component boost_math).
namespace assay::inline v0 {

/// Pearson's χ² test of counts against a distribution.
struct DistributionTest {
  double statistic = 0;           ///< χ²
  double degrees_of_freedom = 0;  ///< cells after pooling, less one
  double p_value = 1;             ///< 1 where nothing can be tested, 0 where something impossible came
  std::uint64_t samples = 0;      ///< tokens that were counted
  std::uint64_t impossible = 0;   ///< samples of tokens that have probability 0: one is enough to refute
  double least_expected = 0;      ///< of the cells after pooling
};

/// Tests `counts` against `probabilities`. Cells that expect fewer than `least_expected` samples are pooled, since the
/// χ² distribution does not hold of them. O(V log V). Misuse: different sizes, probabilities that are negative or do not
/// sum to 1 within 1e-6, no samples.
[[nodiscard]] DistributionTest test_distribution(std::span<const std::uint64_t> counts,
                                                 std::span<const double> probabilities, double least_expected = 5);

/// How many samples the test needs to refute `actual` as `expected` with that power at that level: by the noncentral χ²
/// distribution, noncentrality n·Σ(a − e)²/e. Infinite where both are equal; 1 where `actual` has what `expected`
/// excludes. O(V). Misuse: different sizes, level or power outside (0, 1).
[[nodiscard]] double samples_to_refute(std::span<const double> actual, std::span<const double> expected,
                                       double level = 1e-3, double power = 0.9);

/// As an outcome `serving/<id>`: `fail` below `level`; `inconclusive` where fewer than two cells are left.
[[nodiscard]] Outcome distribution_outcome(const DistributionTest& test, const std::string& id, double level = 1e-3);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/distribution_test.ipp"
#endif
