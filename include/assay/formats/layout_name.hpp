#pragma once

#include "assay/formats/float_layout.hpp"

namespace assay::inline v0 {

/// The name by which the field calls a layout: e4m3fn, e5m2fnuz, e4m3b11fnuz; with a bias only where it is not the
/// usual one, which is half the range of the exponent field, and one more where the pattern of negative zero is the
/// NaN. Formats of positive numbers end in u (e8m0fnu), those of non-negative ones begin with it (ue4m3fn, as in PTX).
struct LayoutName {
  char text[24] = {};  ///< ends with a zero

  /// Composes the name; O(1), at compile time as well.
  ASSAY_FUNCTION explicit constexpr LayoutName(FloatLayout layout) {
    int at = 0;
    const auto letters = [&](const char* word) {
      while (*word != 0) text[at++] = *word++;
    };
    const auto number = [&](int value) {
      char digits[12] = {};
      int count = 0;
      if (value < 0) text[at++] = '-';
      for (int rest = value < 0 ? -value : value; rest > 0 || count == 0; rest /= 10)
        digits[count++] = static_cast<char>('0' + rest % 10);
      while (count > 0) text[at++] = digits[--count];
    };
    if (layout.domain == Domain::non_negative) letters("u");
    letters("e");
    number(layout.exponent_bits);
    letters("m");
    number(layout.fraction_bits);
    const bool fnuz = layout.specials == SpecialValues::fnuz;
    const int usual = (1 << (layout.exponent_bits - 1)) - (fnuz ? 0 : 1);
    if (layout.bias != usual) {
      letters("b");
      number(layout.bias);
    }
    if (fnuz)
      letters("fnuz");
    else if (layout.specials != SpecialValues::ieee)
      letters("fn");
    if (layout.domain == Domain::positive) letters("u");
  }
};

}  // namespace assay::inline v0
