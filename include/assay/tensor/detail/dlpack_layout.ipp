#pragma once

#include "assay/tensor/detail/dlpack_layout.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<Operand> dlpack_extents(const dlpack::Tensor& tensor, const ElementFormat& format) {
  if (tensor.ndim < 0) return malformed_dlpack("the tensor has " + std::to_string(tensor.ndim) + " dimensions");
  if (tensor.ndim > Operand::most_dimensions)
    return failure(ErrorKind::unsupported, "DLPack: the tensor has " + std::to_string(tensor.ndim) +
                                               " dimensions, and an operand at most " +
                                               std::to_string(Operand::most_dimensions) + "; join some of them");
  if (tensor.ndim > 0 && tensor.shape == nullptr)
    return malformed_dlpack("the tensor has " + std::to_string(tensor.ndim) + " dimensions and no shape");
  Operand operand;
  operand.format = format;
  operand.rank = tensor.ndim;
  Index size = 1, compact = 1;
  for (int d = 0; d < tensor.ndim; ++d) {
    operand.extents[d] = tensor.shape[d];
    if (operand.extents[d] < 0)
      return malformed_dlpack("extent " + std::to_string(operand.extents[d]) + " of dimension " + std::to_string(d) +
                              " is negative");
    size = checked_product(size, operand.extents[d]);
  }
  Index distance = 1;
  for (int d = tensor.ndim - 1; d >= 0; --d) {
    const Index extent = operand.extents[d];
    const bool given = tensor.strides != nullptr && extent != 1 && size != 0;
    operand.strides[d] = given ? tensor.strides[d] : tensor.strides == nullptr || size == 0 ? compact : distance;
    compact = checked_product(compact, extent > 0 ? extent : 1);
    if (__builtin_mul_overflow(operand.strides[d], extent, &distance) || distance == INT64_MIN)
      distance = 0;  // refused below, by its reach
    distance = distance < 0 ? -distance : distance;
  }
  // A product that passes 2^63 before it meets a 0 is refused, too: whoever multiplies in another order would pass it.
  if (compact < 0) return malformed_dlpack("the product of the extents exceeds 2^63 − 1 elements");
  return operand;
}

ASSAY_DETAIL_HEADER_INLINE bool byte_reach(const Operand& operand, Index& lowest, Index& highest) {
  lowest = 0;
  highest = 1;
  for (int d = 0; d < operand.rank; ++d) {
    Index reach = 0;
    if (__builtin_mul_overflow(operand.extents[d] - 1, operand.strides[d], &reach)) return false;
    Index& end = reach < 0 ? lowest : highest;
    if (__builtin_add_overflow(end, reach, &end)) return false;
  }
  return !__builtin_mul_overflow(lowest, Index{operand.format.bytes}, &lowest) &&
         !__builtin_mul_overflow(highest, Index{operand.format.bytes}, &highest);
}

ASSAY_DETAIL_HEADER_INLINE Result<void*> dlpack_address(const dlpack::Tensor& tensor, const Operand& operand) {
  if (operand.size() == 0) return static_cast<void*>(nullptr);
  if (tensor.data == nullptr)
    return malformed_dlpack("a null pointer was given for " + std::to_string(operand.size()) + " elements");
  Index lowest = 0, highest = 0;
  std::uintptr_t first = 0, unused = 0;
  const bool in_reach =
      byte_reach(operand, lowest, highest) &&
      !__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(tensor.data), tensor.byte_offset, &first) &&
      !__builtin_add_overflow(first, lowest, &unused) && !__builtin_add_overflow(first, highest, &unused);
  if (!in_reach) return malformed_dlpack("extents, strides and byte_offset reach beyond what 64 bits address");
  if (first % static_cast<std::uintptr_t>(operand.format.bytes) != 0)
    return failure(ErrorKind::unsupported,
                   "DLPack: the elements begin " +
                       std::to_string(first % static_cast<std::uintptr_t>(operand.format.bytes)) +
                       " bytes behind a multiple of the " + std::to_string(operand.format.bytes) +
                       " bytes that each of them takes, where devices cannot read them; copy the tensor");
  return reinterpret_cast<void*>(first);
}

}  // namespace assay::inline v0::detail
