#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/formats/limits.hpp"
#include "assay/formats/lookup_code.hpp"

namespace assay::inline v0 {

/// What a format is made of.
enum class FormatKind { floating_point, integer, table };

/// A format in figures, for tables and messages. Figures that a kind does not have are 0.
struct FormatDescription {
  const char* name = "";  ///< as `FormatTraits` names it
  FormatKind kind = FormatKind::floating_point;
  int bits = 0;                    ///< width of a code
  std::size_t bytes = 0;           ///< of one value that is not packed
  int exponent_bits = 0;           ///< width of the exponent field
  int fraction_bits = 0;           ///< width of the fraction field, without the leading one
  int bias = 0;                    ///< of the exponent
  double lowest = 0;               ///< the smallest finite value
  double largest = 0;              ///< largest finite value
  double smallest_normal = 0;      ///< smallest positive value with a full fraction
  double smallest_subnormal = 0;   ///< 0 without subnormal numbers
  int infinities = 0;              ///< how many codes are infinities
  std::uint64_t nans = 0;          ///< how many codes are NaN
  bool has_zero = true;            ///< false: scales, which are powers of two
  bool has_negative_zero = false;  ///< zero has a code of either sign
};

/// The description of a binary floating-point format.
template <FloatFormat T>
[[nodiscard]] constexpr FormatDescription format_description() {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const int signs = layout.has_sign() ? 2 : 1;
  FormatDescription description{FormatTraits<T>::name(), FormatKind::floating_point, FormatTraits<T>::bits, sizeof(T)};
  description.exponent_bits = layout.exponent_bits;
  description.fraction_bits = layout.fraction_bits;
  description.bias = layout.bias;
  description.largest = max_finite<T>();
  description.lowest = layout.has_sign() ? -max_finite<T>() : layout.has_zero() ? 0.0 : min_normal<T>();
  description.smallest_normal = min_normal<T>();
  description.smallest_subnormal = layout.has_zero() && layout.fraction_bits > 0 ? min_subnormal<T>() : 0.0;
  description.infinities = layout.has_infinity() ? signs : 0;
  switch (layout.specials) {
    case SpecialValues::ieee:
      description.nans = static_cast<std::uint64_t>(signs) * ((std::uint64_t{1} << layout.fraction_bits) - 1);
      break;
    case SpecialValues::finite_nan: description.nans = static_cast<std::uint64_t>(signs); break;
    case SpecialValues::fnuz: description.nans = 1; break;
    case SpecialValues::none: break;
  }
  description.has_zero = layout.has_zero();
  description.has_negative_zero = layout.has_sign() && layout.specials != SpecialValues::fnuz;
  return description;
}

template <IntegerFormat T>
[[nodiscard]] constexpr FormatDescription format_description() {
  constexpr IntegerLayout layout = FormatTraits<T>::layout;
  FormatDescription description{FormatTraits<T>::name(), FormatKind::integer, FormatTraits<T>::bits, sizeof(T)};
  description.lowest = static_cast<double>(layout.lowest());
  description.largest = static_cast<double>(layout.highest());
  return description;
}

template <LookupFormat T>
[[nodiscard]] constexpr FormatDescription format_description() {
  constexpr auto table = FormatTraits<T>::table;
  FormatDescription description{FormatTraits<T>::name(), FormatKind::table, FormatTraits<T>::bits, sizeof(T)};
  bool any = false;
  description.has_zero = false;
  for (const double value : table.values) {
    if (is_nan(value)) {
      ++description.nans;
      continue;
    }
    description.lowest = !any || value < description.lowest ? value : description.lowest;
    description.largest = !any || value > description.largest ? value : description.largest;
    any = true;
    (is_negative(value) ? description.has_negative_zero : description.has_zero) |= is_zero(value);
  }
  return description;
}

}  // namespace assay::inline v0
