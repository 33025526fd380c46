#pragma once

#include <cstdint>

#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

/// An element as it is compared: its value and, of 64-bit integers, which a double rounds, the integer itself. Rounding
/// keeps their order, so that integers decide only where values are equal.
struct OrderedElement {
  double value = 0;
  std::int64_t integer = 0;  ///< of 64-bit integers; others 0

  /// The element with that row-major number.
  [[nodiscard]] ASSAY_FUNCTION static OrderedElement of(const Operand& operand, Index element) {
    const std::uint64_t code = operand.format.load_code(operand.data, operand.offset_of(element));
    return {operand.format.decode(code), operand.format.wide_integer ? static_cast<std::int64_t>(code) : 0};
  }
  /// Whether it is larger than another; NaN is larger than nothing, and nothing than NaN.
  [[nodiscard]] ASSAY_FUNCTION bool exceeds(const OrderedElement& other) const {
    return value > other.value || (value == other.value && integer > other.integer);
  }
  /// Whether both are the same number, of either sign where they are 0, or both NaN.
  [[nodiscard]] ASSAY_FUNCTION bool equals(const OrderedElement& other) const {
    return (value == other.value && integer == other.integer) || (is_nan(value) && is_nan(other.value));
  }
};

}  // namespace assay::inline v0::detail
