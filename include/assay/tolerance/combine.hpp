#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay::inline v0 {

/// Accepts what both models accept.
template <class First, class Second>
struct AllOf {
  First first;    ///< asked first
  Second second;  ///< asked second

  template <Format T>
  requires Tolerance<First, T> && Tolerance<Second, T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    const AcceptanceInterval a = first.template interval<T>(expected), b = second.template interval<T>(expected);
    if (a.undetermined) return b;
    if (b.undetermined) return a;
    AcceptanceInterval both;
    both.nan_accepted = a.nan_accepted && b.nan_accepted;
    both.lower = a.lower > b.lower ? a.lower : b.lower;
    both.upper = a.upper < b.upper ? a.upper : b.upper;
    if (both.lower > both.upper) {  // no number: written as only_nan() writes it, for whoever combines further
      both.lower = AcceptanceInterval::only_nan().lower;
      both.upper = AcceptanceInterval::only_nan().upper;
    }
    return both;
  }
  [[nodiscard]] std::string describe() const { return "all of (" + first.describe() + "; " + second.describe() + ")"; }
};

/// Accepts what either model accepts. Both contain the reference or the number it rounds to, between which there is no
/// other, so the union is an interval.
template <class First, class Second>
struct AnyOf {
  First first;    ///< asked first
  Second second;  ///< asked second

  template <Format T>
  requires Tolerance<First, T> && Tolerance<Second, T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    const AcceptanceInterval a = first.template interval<T>(expected), b = second.template interval<T>(expected);
    if (a.undetermined || b.undetermined) return a.undetermined ? a : b;
    AcceptanceInterval either;
    either.nan_accepted = a.nan_accepted || b.nan_accepted;
    either.lower = a.lower < b.lower ? a.lower : b.lower;
    either.upper = a.upper > b.upper ? a.upper : b.upper;
    return either;
  }
  [[nodiscard]] std::string describe() const { return "any of (" + first.describe() + "; " + second.describe() + ")"; }
};

/// Widens (factor > 1) or narrows (0 ≤ factor < 1) a model's interval about the rounded reference, or about the
/// reference where the model does not accept the rounded one. Infinite ends stay, as do ends beyond which the center
/// lies (numbers that end before a reference that overflows), and no finite end becomes infinite.
template <class Model>
struct Scaled {
  Model model;
  double factor = 1;

  template <Format T>
  requires Tolerance<Model, T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    AcceptanceInterval scaled = model.template interval<T>(expected);
    if (scaled.undetermined || scaled.lower > scaled.upper) return scaled;
    const double rounded = round_to<T>(expected.value);
    const double center = is_finite(rounded) && scaled.contains(rounded) ? rounded : expected.value;
    if (!is_finite(center)) return scaled;
    constexpr double largest = max_finite<float64>();
    if (is_finite(scaled.lower) && scaled.lower <= center) {
      const double lower = center - (center - scaled.lower) * factor;
      scaled.lower = lower > -largest ? lower : -largest;
    }
    if (is_finite(scaled.upper) && scaled.upper >= center) {
      const double upper = center + (scaled.upper - center) * factor;
      scaled.upper = upper < largest ? upper : largest;
    }
    return scaled;
  }
  [[nodiscard]] std::string describe() const {
    return detail::printed_number(factor) + " times (" + model.describe() + ")";
  }
};

/// Accepts what both models accept.
template <class First, class Second>
[[nodiscard]] constexpr AllOf<First, Second> all_of(First first, Second second) {
  return {first, second};
}
/// Accepts what either model accepts.
template <class First, class Second>
[[nodiscard]] constexpr AnyOf<First, Second> any_of(First first, Second second) {
  return {first, second};
}
/// The model with `factor` times its error.
template <class Model>
[[nodiscard]] constexpr Scaled<Model> scaled(Model model, double factor) {
  return {model, factor};
}

}  // namespace assay::inline v0
