#pragma once

#include <string>

#include "assay/kernels/softmax/softmax.hpp"

namespace assay::inline v0::detail {

/// A tensor of (outer, length, inner) as (images, channels, rows, 1) in 32 bits: libraries of neural networks normalize
/// over channels.
struct FourDimensions {
  int extents[4] = {1, 1, 1, 1};
  int strides[4] = {1, 1, 1, 1};
};

[[nodiscard]] FourDimensions four_dimensions(const Operand& operand);

/// Why such a library cannot be asked for a softmax, or nothing. Formats are the library's own matter, but for there
/// being one.
[[nodiscard]] std::string channel_softmax_refusal(const std::string& library, const SoftmaxProblem& problem,
                                                  const OperandArray& operands);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/adapters/detail/channel_softmax.ipp"
#endif
