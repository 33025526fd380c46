#pragma once

#include "assay/formats/element_format.hpp"
#include "assay/tensor/fill.hpp"

namespace assay::inline v0 {

/// The values of an operand as a device computes them, see `OperandFill`.
struct OperandValues {
  Fill pattern{};
  Index inner = 1;
  double scale = 1, offset = 0, lowest = 0, highest = 0;
  const double* given = nullptr;
  bool random_codes = false;

  [[nodiscard]] ASSAY_FUNCTION double operator()(Index element) const {
    if (given != nullptr) return given[element];
    const Index length = pattern.length > 0 ? pattern.length : 1;
    const double drawn = pattern(element / (length * inner) * inner + element % inner, element / inner % length);
    const double value = scale == 1 && offset == 0 ? drawn : offset + scale * drawn;
    return value < lowest ? lowest : value > highest ? highest : value;
  }
  /// Where `given`: the code whose bits are those of the given number. Else any code of a format; NaNs have even
  /// payloads, which what poisons outputs has not.
  [[nodiscard]] ASSAY_FUNCTION std::uint64_t code(const ElementFormat& format, Index element) const {
    if (given != nullptr) return detail::bits_of(given[element]);
    const int bits = format.is_float() ? format.layout.bits() : format.wide_integer ? 64 : format.integers.bits;
    const std::uint64_t mask = (std::uint64_t{2} << (bits - 1)) - 1,
                        drawn = random_bits(pattern.seed, static_cast<std::uint64_t>(element), 0).low() & mask;
    return is_nan(format.decode(drawn)) && format.layout.has_infinity() ? drawn & ~std::uint64_t{1} : drawn;
  }
};

}  // namespace assay::inline v0
