#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "assay/core/misuse.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

/// No sample may be larger: then squares, products and sums over any history stay finite.
inline constexpr double largest_sample = 1e150;

/// Whether every value is a number of magnitude at most `largest_sample`, so that the functions of this area take it.
/// O(n).
[[nodiscard]] bool are_samples(std::span<const double> values) noexcept;

namespace detail {

[[nodiscard]] inline std::string short_text(double value) {
  return printed_number(value);
}

void expect_samples(std::span<const double> values, std::size_t fewest, const char* function);

/// 0 < value < 1, which NaN is not.
inline void expect_share(double value, const char* what) {
  expect(value > 0 && value < 1,
         [&] { return std::string(what) + " is " + short_text(value) + "; it lies between 0 and 1, both excluded"; });
}

inline void expect_positive(double value, const char* what) {
  expect(value > 0 && are_samples({&value, 1}),
         [&] { return std::string(what) + " is " + short_text(value) + "; it must be positive and finite"; });
}

/// P(Z ≤ z) of the standard normal distribution, without cancellation in either tail.
[[nodiscard]] inline double normal_probability_below(double z) noexcept {
  return std::erfc(-z / 1.4142135623730951) / 2;
}

/// z with P(Z ≤ z) = probability, by bisection: for headers that do without Boost. Misuse: outside (0, 1).
[[nodiscard]] inline double normal_quantile_of(double probability) {
  expect_share(probability, "the probability whose normal quantile is wanted");
  double below = -40, above = 40;
  for (int i = 0; i < 80; ++i) {
    const double middle = (below + above) / 2;
    (normal_probability_below(middle) < probability ? below : above) = middle;
  }
  return (below + above) / 2;
}

}  // namespace detail
}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/samples.ipp"
#endif
