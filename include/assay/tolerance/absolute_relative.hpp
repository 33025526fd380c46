#pragma once

#include <cstdio>

#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay {

namespace detail {
ASSAY_FUNCTION constexpr double least(double a, double b) { return a < b ? a : b; }
ASSAY_FUNCTION constexpr double greatest(double a, double b) { return a > b ? a : b; }
}  // namespace detail

/// Accepts |out − r| ≤ absolute + relative·|r|, numpy.allclose's rule, whatever the data: for those who want it. The
/// reference is not rounded to the output's format. An infinity, or NaN in a format without one, is accepted only where
/// that is what the reference rounds to.
struct AbsoluteRelativeTolerance {
  double absolute = 0;
  double relative = 0;

  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    if (const detail::SpecialExpectation special = detail::special_expectation<T>(expected); special.decided) return special.interval;
    const double allowed = absolute + relative * (expected.value < 0 ? -expected.value : expected.value);
    AcceptanceInterval accepted;
    accepted.lower = detail::greatest(expected.value - allowed, -max_finite<float64>());
    accepted.upper = detail::least(expected.value + allowed, max_finite<float64>());
    const double rounded = round_to<T>(expected.value);
    accepted.nan_accepted = is_nan(rounded);
    if (is_infinite(rounded)) (rounded < 0 ? accepted.lower : accepted.upper) = rounded;
    return accepted;
  }
  [[nodiscard]] std::string describe() const {
    char text[96];
    std::snprintf(text, sizeof text, "accept |out - r| <= %g + %g*|r|", absolute, relative);
    return text;
  }
};

/// |out − r| ≤ bound.
[[nodiscard]] ASSAY_FUNCTION constexpr AbsoluteRelativeTolerance absolute_tolerance(double bound) { return {bound, 0}; }
/// |out − r| ≤ bound·|r|.
[[nodiscard]] ASSAY_FUNCTION constexpr AbsoluteRelativeTolerance relative_tolerance(double bound) { return {0, bound}; }

enum class Preset { strict, normal, relaxed };

/// Fixed tolerances people are used to: normal is absolute/relative 1e-5/1e-4 (f32), 1e-3/1e-2 (f16), 1e-2/5e-2 (bf16);
/// strict is a tenth of it, relaxed ten times. Formats not named take normal from their unit roundoff: 100u/1000u.
template <Format T>
[[nodiscard]] ASSAY_FUNCTION constexpr AbsoluteRelativeTolerance preset_tolerance(Preset preset) {
  const double factor = preset == Preset::strict ? 0.1 : preset == Preset::relaxed ? 10.0 : 1.0;
  AbsoluteRelativeTolerance normal;
  if constexpr (std::is_same_v<T, float32>) {
    normal = {1e-5, 1e-4};
  } else if constexpr (std::is_same_v<T, float16>) {
    normal = {1e-3, 1e-2};
  } else if constexpr (std::is_same_v<T, bfloat16>) {
    normal = {1e-2, 5e-2};
  } else {
    double unit = 1;
    for (int bit = 0; bit < FormatTraits<T>::layout.precision(); ++bit) unit *= 0.5;
    normal = {100 * unit, 1000 * unit};
  }
  return {normal.absolute * factor, normal.relative * factor};
}

}  // namespace assay
