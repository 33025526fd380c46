#pragma once

#include "assay/collectives/verification/detail/element_codes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE FloatLayout float_layout_of(ElementType type) {
  switch (type) {
    case ElementType::float16: return FormatTraits<float16>::layout;
    case ElementType::bfloat16: return FormatTraits<bfloat16>::layout;
    case ElementType::float64: return binary64_layout;
    case ElementType::float8_e4m3fn: return FormatTraits<float8_e4m3fn>::layout;
    case ElementType::float8_e5m2: return FormatTraits<float8_e5m2>::layout;
    default: return FormatTraits<float32>::layout;
  }
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t reduced(ElementType type, ReductionOperator reduction, std::uint64_t a,
                                                 std::uint64_t b) {
  switch (reduction) {
    case ReductionOperator::minimum: return order_of(type, b) < order_of(type, a) ? b : a;
    case ReductionOperator::maximum: return order_of(type, b) > order_of(type, a) ? b : a;
    case ReductionOperator::product:
      return is_integer(type) ? (a * b) & code_mask(type) : code_of(type, value_of(type, a) * value_of(type, b));
    default: return is_integer(type) ? (a + b) & code_mask(type) : code_of(type, value_of(type, a) + value_of(type, b));
  }
}

}  // namespace assay::inline v0::detail
