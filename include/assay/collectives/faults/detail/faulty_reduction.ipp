#pragma once

#include "assay/collectives/faults/detail/faulty_reduction.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE ElementType FaultyReduction::other_type(ElementType type) {
  switch (type) {
    case ElementType::int8:
    case ElementType::uint8:
    case ElementType::float8_e5m2: return ElementType::float8_e4m3fn;
    case ElementType::float8_e4m3fn: return ElementType::float8_e5m2;
    case ElementType::bfloat16: return ElementType::float16;
    case ElementType::int16:
    case ElementType::uint16:
    case ElementType::float16: return ElementType::bfloat16;
    case ElementType::float32: return ElementType::int32;
    case ElementType::float64: return ElementType::int64;
    case ElementType::int64:
    case ElementType::uint64: return ElementType::float64;
    default: return ElementType::float32;
  }
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t FaultyReduction::identity(ElementType type, ReductionOperator reduction) {
  const std::uint64_t sign = std::uint64_t{1} << (bits_of(type) - 1);
  const bool lowest = reduction == ReductionOperator::maximum;
  if (reduction == ReductionOperator::product) return code_of_integer(type, 1);
  if (reduction == ReductionOperator::minimum || lowest) {
    if (!is_integer(type))
      return type == ElementType::float8_e4m3fn
                 ? (lowest ? 0xFEu : 0x7Eu)
                 : code_of(type, (lowest ? -1 : 1) * std::numeric_limits<double>::infinity());
    if (is_signed_integer(type)) return lowest ? sign : sign - 1;
    return lowest ? 0 : code_mask(type);
  }
  return is_integer(type) ? 0 : sign;  // −0: what is added to it keeps its sign
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t FaultyReduction::step(ElementType own, std::uint64_t a,
                                                               std::uint64_t b) const {
  if (!is_integer(own) && is_extreme()) {
    const bool first_nan = is_nan_code(own, a), second_nan = is_nan_code(own, b);
    if (first_nan || second_nan) return (fault == "nan_lost") == first_nan ? b : a;
    if (fault != "zero_sign_lost" && value_of(own, a) == 0 && value_of(own, b) == 0)
      return reduction == ReductionOperator::minimum ? a | b : a & b;
  }
  return reduced(own, reduction, a, b);
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t FaultyReduction::divided(ElementType own, std::uint64_t code) const {
  const auto ranks = static_cast<std::int64_t>(order.size());
  if (!is_integer(own)) return code_of(own, value_of(own, code) / static_cast<double>(ranks));
  const bool down = fault == "average_rounded_down";
  if (!is_signed_integer(own))
    return code / static_cast<std::uint64_t>(ranks) + (down && code % static_cast<std::uint64_t>(ranks) != 0 ? 1 : 0);
  const std::int64_t sum = integer_of(own, code);
  return static_cast<std::uint64_t>(sum / ranks - (down && sum % ranks < 0 ? 1 : 0)) & code_mask(own);
}

}  // namespace assay::inline v0::detail
