#pragma once

#include <type_traits>

#include "assay/formats/format_traits.hpp"

namespace assay::inline v0::detail {

/// Whether values of a layout pass through binary32 exactly, with no subnormal of binary32 needed for those of its own:
/// or with the very exponents of binary32.
constexpr bool fits_words(FloatLayout layout) {
  if (layout.exponent_bits < 1 || layout.fraction_bits < 1 || layout.fraction_bits > 23 || layout.bits() > 32)
    return false;
  if (layout.sign_mask() != layout.magnitude_mask() + 1) return false;
  const bool same_exponents = layout.exponent_bits == 8 && layout.bias == 127 && layout.specials == SpecialValues::ieee;
  const bool inside = layout.bias >= -100 && layout.bias + layout.fraction_bits <= 120 &&
                      (1 << layout.exponent_bits) - 1 - layout.bias <= 127;
  return same_exponents || (inside && layout.bits() <= 16);
}

/// Formats whose codes vectors of 32-bit words hold and convert: float32, the 16-, 8-, 6- and 4-bit floating-point
/// ones.
template <class T>
concept WordFormat = Format<T> &&(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4) && requires {
  requires std::is_same_v<std::remove_cv_t<decltype(FormatTraits<T>::layout)>, FloatLayout>;
  requires fits_words(FormatTraits<T>::layout);
  requires sizeof(T) == 1 ||
      FormatTraits<T>::layout.bits() == 8 * static_cast<int>(sizeof(T));  // tf32's codes are not its lowest bits
};

/// Whether every value of one layout is one of the other: then nothing is rounded.
constexpr bool holds_all_of(FloatLayout wide, FloatLayout narrow) {
  return wide.fraction_bits >= narrow.fraction_bits &&
         wide.min_exponent() - wide.fraction_bits <= narrow.min_exponent() - narrow.fraction_bits &&
         decode(wide, wide.max_finite_bits()) >= decode(narrow, narrow.max_finite_bits());
}

}  // namespace assay::inline v0::detail
