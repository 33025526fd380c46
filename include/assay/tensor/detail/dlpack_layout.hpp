#pragma once

#include <cstdint>
#include <string>

#include "assay/core/result.hpp"
#include "assay/tensor/dlpack_format.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] inline Failure malformed_dlpack(const std::string& what) {
  return failure(ErrorKind::malformed, "DLPack: " + what + "; its producer is at fault");
}

/// Extents and strides as an operand has them; the address is not set. What a stride says of a dimension with one
/// element is not kept: producers differ in it, and kernels that look for rows without gaps would take it at its word.
[[nodiscard]] Result<Operand> dlpack_extents(const dlpack::Tensor& tensor, const ElementFormat& format);

/// The first and the last byte of the elements about the first element's, the last as one past it. False: beyond 64
/// bits.
[[nodiscard]] bool byte_reach(const Operand& operand, Index& lowest, Index& highest);

/// The address of the first element, or what is wrong with it.
[[nodiscard]] Result<void*> dlpack_address(const dlpack::Tensor& tensor, const Operand& operand);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/tensor/detail/dlpack_layout.ipp"
#endif
