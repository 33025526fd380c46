#pragma once

#include "assay/tensor/fill.hpp"

namespace assay {

/// The values of an operand as a device computes them, see `OperandFill`.
struct OperandValues {
  Fill pattern{};
  Index inner = 1;
  double scale = 1, offset = 0, lowest = 0, highest = 0;
  const double* given = nullptr;

  [[nodiscard]] ASSAY_FUNCTION double operator()(Index element) const {
    if (given != nullptr) return given[element];
    const Index length = pattern.length > 0 ? pattern.length : 1;
    const double drawn = pattern(element / (length * inner) * inner + element % inner, element / inner % length);
    const double value = scale == 1 && offset == 0 ? drawn : offset + scale * drawn;
    return value < lowest ? lowest : value > highest ? highest : value;
  }
};

}  // namespace assay
