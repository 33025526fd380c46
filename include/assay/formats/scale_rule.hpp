#pragma once

#include "assay/formats/code_format.hpp"

namespace assay::inline v0 {

/// How the scale of a block follows from its values. With amax the largest magnitude, max the largest value of the
/// element format and emax its exponent:
enum class ScaleRule {
  exponent_floor,     ///< 2^(floor(log2 amax) − emax): OCP MX 1.0, section 6.3; values up to 2·2^emax saturate
  exponent_ceiling,   ///< 2^(ceil(log2 amax) − emax)
  exponent_even,      ///< as exponent_floor, of amax rounded to the element's precision, halves up
  exponent_covering,  ///< 2^ceil(log2(amax / max)): the smallest power of two with which nothing saturates
  maximum,            ///< amax / max
  range,              ///< (largest − smallest) / (highest − lowest), zero taken into the range; with a zero point
  given               ///< the kernel is given the scales
};

/// The name in ids and reports.
[[nodiscard]] constexpr const char* name_of(ScaleRule rule) noexcept {
  switch (rule) {
    case ScaleRule::exponent_floor: return "exponent_floor";
    case ScaleRule::exponent_ceiling: return "exponent_ceiling";
    case ScaleRule::exponent_even: return "exponent_even";
    case ScaleRule::exponent_covering: return "exponent_covering";
    case ScaleRule::maximum: return "maximum";
    case ScaleRule::range: return "range";
    case ScaleRule::given: return "given";
  }
  return "given";
}

/// Whether the rule gives powers of two.
[[nodiscard]] ASSAY_FUNCTION constexpr bool is_exponent_rule(ScaleRule rule) {
  return rule == ScaleRule::exponent_floor || rule == ScaleRule::exponent_ceiling || rule == ScaleRule::exponent_even ||
         rule == ScaleRule::exponent_covering;
}

/// The exponent of the scale by a rule that gives powers of two, before it is cut to what the scale format holds.
/// Exact for every amax that is a float32. Preconditions: `is_exponent_rule(rule)`; amax is finite and above 0.
[[nodiscard]] ASSAY_FUNCTION constexpr int scale_exponent(ScaleRule rule, const CodeFormat& element, double amax) {
  const int exponent = exponent_of(amax);
  const int scale = exponent - element.max_exponent();
  switch (rule) {
    case ScaleRule::exponent_ceiling: return scale + (amax > power_of_two(exponent) ? 1 : 0);
    case ScaleRule::exponent_even:
      return exponent_of(amax + power_of_two(exponent - element.fraction_bits() - 1)) - element.max_exponent();
    case ScaleRule::exponent_covering: return scale + (amax > element.max_value() * power_of_two(scale) ? 1 : 0);
    default: return scale;
  }
}

}  // namespace assay::inline v0
