#pragma once

#include <cmath>
#include <string>
#include <type_traits>

#include "assay/core/printed_number.hpp"
#include "assay/formats/classify.hpp"
#include "assay/tolerance/error_statistics.hpp"

namespace assay::inline v0 {

/// What an aggregate rule says of a whole tensor.
struct AggregateFinding {
  bool acceptable = true;   ///< false: the comparison fails, whatever its elements say
  std::string explanation;  ///< what was measured against what; also when acceptable
};

/// A rule for what only a whole tensor can tell: `judge(statistics)`, pure, O(1).
template <class Rule>
concept AggregateTolerance = requires(const Rule& rule, const ErrorStatistics& statistics) {
  requires std::is_same_v<decltype(rule.judge(statistics)), AggregateFinding>;
};

/// ‖out − r‖₂ ≤ bound·‖r‖₂: for algorithms that are only norm-wise stable (Strassen, Winograd, emulated products).
/// Where the sum of squares passes double's range nothing was measured, and nothing is acceptable.
struct NormwiseTolerance {
  double bound = 0;

  [[nodiscard]] AggregateFinding judge(const ErrorStatistics& statistics) const {
    const double error = std::sqrt(statistics.squared_error), reference = std::sqrt(statistics.squared_reference);
    const auto figure = [](double value) { return detail::printed_number(value, 4); };
    const std::string text =
        "‖out − r‖₂ = " + figure(error) + " against " + figure(bound) + "·‖r‖₂ = " + figure(bound * reference);
    if (!is_finite(error) || !is_finite(reference))
      return {false, text + ": the squares overflow, so nothing was measured"};
    return {error <= bound * reference, text};
  }
};

/// Counts elements that are not the correctly rounded reference. A correct kernel misrounds an element with probability
/// at most E/ulp on average over where r lies between two numbers, so that the count stays below its expectation but
/// for chance: Σ min(1, E/ulp) + 6√Σ + 6. A truncating or doubled output rounding misrounds about half of all elements.
/// E is the bound, several times the typical error: the test is safe, and void where E reaches an ulp.
/// Applies to data whose references lie evenly between output numbers: not to exact or near-tie fills, where the
/// element-wise interval is already exact.
struct MisroundingTolerance {
  [[nodiscard]] AggregateFinding judge(const ErrorStatistics& statistics) const {
    const double expected = statistics.expected_misrounded;
    const double limit = expected + 6 * std::sqrt(expected) + 6;
    const std::string text = std::to_string(statistics.misrounded) + " of " + std::to_string(statistics.elements) +
                             " elements are not the correctly rounded reference (" +
                             std::to_string(statistics.misrounded_inward) + " of them nearer to zero); at most " +
                             detail::printed_number(limit, 4) + " are explained by the accumulator";
    return {static_cast<double>(statistics.misrounded) <= limit, text};
  }
};

}  // namespace assay::inline v0
