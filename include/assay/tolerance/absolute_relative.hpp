#pragma once

#include "assay/core/printed_number.hpp"
#include "assay/formats/element_format.hpp"
#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay::inline v0 {

namespace detail {
ASSAY_FUNCTION constexpr double least(double a, double b) {
  return a < b ? a : b;
}
ASSAY_FUNCTION constexpr double greatest(double a, double b) {
  return a > b ? a : b;
}

/// |out − r| ≤ allowed of a finite r, which the output's format has as `rounded`.
[[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval_around(double reference, double allowed,
                                                                          double rounded) {
  AcceptanceInterval accepted;
  accepted.lower = greatest(reference - allowed, -max_finite<float64>());
  accepted.upper = least(reference + allowed, max_finite<float64>());
  accepted.nan_accepted = is_nan(rounded);
  if (is_infinite(rounded)) (rounded < 0 ? accepted.lower : accepted.upper) = rounded;
  return accepted;
}
}  // namespace detail

/// Accepts |out − r| ≤ absolute + relative·|r|, numpy.allclose's rule, whatever the data: for those who want it. The
/// reference is not rounded to the output's format. An infinity, or NaN in a format without one, is accepted only where
/// that is what the reference rounds to.
struct AbsoluteRelativeTolerance {
  double absolute = 0;
  double relative = 0;

  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    if (const detail::SpecialExpectation special = detail::special_expectation<T>(expected); special.decided)
      return special.interval;
    return detail::interval_around(expected.value, allowed(expected.value), round_to<T>(expected.value));
  }
  /// What it leaves to either side of a finite reference.
  [[nodiscard]] ASSAY_FUNCTION constexpr double allowed(double reference) const {
    return absolute + detail::rounded_product(relative, reference < 0 ? -reference : reference);
  }
  [[nodiscard]] std::string describe() const {
    return "accept |out - r| <= " + detail::printed_number(absolute) + " + " + detail::printed_number(relative) +
           "*|r|";
  }
};

/// |out − r| ≤ bound.
[[nodiscard]] ASSAY_FUNCTION constexpr AbsoluteRelativeTolerance absolute_tolerance(double bound) {
  return {bound, 0};
}
/// |out − r| ≤ bound·|r|.
[[nodiscard]] ASSAY_FUNCTION constexpr AbsoluteRelativeTolerance relative_tolerance(double bound) {
  return {0, bound};
}

/// How much the customary tolerances allow.
enum class Preset { strict, normal, relaxed };

/// Fixed tolerances people are used to: normal is absolute/relative 1e-5/1e-4 (f32), 1e-3/1e-2 (f16), 1e-2/5e-2 (bf16);
/// strict is a tenth of it, relaxed ten times. Formats not named take normal from their unit roundoff: 100u/1000u.
[[nodiscard]] ASSAY_FUNCTION constexpr AbsoluteRelativeTolerance preset_tolerance(FloatLayout format, Preset preset) {
  const double factor = preset == Preset::strict ? 0.1 : preset == Preset::relaxed ? 10.0 : 1.0;
  const double unit = power_of_two(-format.precision());
  AbsoluteRelativeTolerance normal{100 * unit, 1000 * unit};
  constexpr FloatLayout single = FormatTraits<float32>::layout, half = FormatTraits<float16>::layout,
                        brain = FormatTraits<bfloat16>::layout;  // devices compare own copies
  if (format == single) normal = {1e-5, 1e-4};
  if (format == half) normal = {1e-3, 1e-2};
  if (format == brain) normal = {1e-2, 5e-2};
  return {normal.absolute * factor, normal.relative * factor};
}
/// The same of a format that is a type.
template <Format T>
[[nodiscard]] ASSAY_FUNCTION constexpr AbsoluteRelativeTolerance preset_tolerance(Preset preset) {
  return preset_tolerance(FormatTraits<T>::layout, preset);
}
/// The same of a format that is chosen at run time. Integers are to be exact.
[[nodiscard]] ASSAY_FUNCTION constexpr AbsoluteRelativeTolerance preset_tolerance(const ElementFormat& format,
                                                                                  Preset preset) {
  return format.is_float() ? preset_tolerance(format.layout, preset) : AbsoluteRelativeTolerance{};
}

}  // namespace assay::inline v0
