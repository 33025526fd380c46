#pragma once

#include "assay/frameworks/graph/tensor_type.hpp"

#include <iterator>
#include <string>

#include "assay/core/config.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/formats/small_integer.hpp"

namespace assay::inline v0 {

namespace detail {

/// By the numbers of `TensorType`.
struct TensorTypeRow {
  const char* name;
  int bits;
};
inline constexpr TensorTypeRow tensor_type_rows[] = {
    {"undefined", 0},      {"float32", 32},  {"uint8", 8},        {"int8", 8},           {"uint16", 16},
    {"int16", 16},         {"int32", 32},    {"int64", 64},       {"string", 0},         {"boolean", 8},
    {"float16", 16},       {"float64", 64},  {"uint32", 32},      {"uint64", 64},        {"complex64", 64},
    {"complex128", 128},   {"bfloat16", 16}, {"float8e4m3fn", 8}, {"float8e4m3fnuz", 8}, {"float8e5m2", 8},
    {"float8e5m2fnuz", 8}, {"uint4", 4},     {"int4", 4},         {"float4e2m1", 4},     {"float8e8m0", 8},
    {"uint2", 2},          {"int2", 2}};

[[nodiscard]] constexpr ElementFormat integer_format(const char* name, int bits, bool is_signed) {
  ElementFormat format;
  format.name = name;
  format.kind = ElementKind::integer;
  format.bytes = bits / 8;
  format.integers = {bits, is_signed};
  return format;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE int bits_of(TensorType type) noexcept {
  const auto number = static_cast<std::size_t>(type);
  return number < std::size(detail::tensor_type_rows) ? detail::tensor_type_rows[number].bits : 0;
}

ASSAY_DETAIL_HEADER_INLINE std::string_view name_of(TensorType type) noexcept {
  const auto number = static_cast<std::size_t>(type);
  return number < std::size(detail::tensor_type_rows) ? detail::tensor_type_rows[number].name : "unknown";
}

ASSAY_DETAIL_HEADER_INLINE std::optional<ElementFormat> element_format_of(TensorType type) noexcept {
  switch (type) {
    case TensorType::float32: return element_format<float32>();
    case TensorType::uint8: return element_format<std::uint8_t>();
    case TensorType::int8: return element_format<std::int8_t>();
    case TensorType::uint16: return detail::integer_format("uint16", 16, false);
    case TensorType::int16: return detail::integer_format("int16", 16, true);
    case TensorType::int32: return element_format<std::int32_t>();
    case TensorType::int64: return element_format<std::int64_t>();
    case TensorType::float16: return element_format<float16>();
    case TensorType::float64: return element_format<float64>();
    case TensorType::uint32: return detail::integer_format("uint32", 32, false);
    case TensorType::bfloat16: return element_format<bfloat16>();
    case TensorType::float8e4m3fn: return element_format<float8_e4m3fn>();
    case TensorType::float8e4m3fnuz: return element_format<float8_e4m3fnuz>();
    case TensorType::float8e5m2: return element_format<float8_e5m2>();
    case TensorType::float8e5m2fnuz: return element_format<float8_e5m2fnuz>();
    case TensorType::uint4: return element_format<uint4_t>();
    case TensorType::int4: return element_format<int4_t>();
    case TensorType::float4e2m1: return element_format<float4_e2m1fn>();
    case TensorType::float8e8m0: return element_format<float8_e8m0fnu>();
    case TensorType::uint2: return element_format<uint2_t>();
    case TensorType::int2: return element_format<int2_t>();
    default: return std::nullopt;
  }
}

ASSAY_DETAIL_HEADER_INLINE Result<TensorType> tensor_type_of(const ElementFormat& format) {
  for (std::size_t number = 0; number < std::size(detail::tensor_type_rows); ++number) {
    const auto type = static_cast<TensorType>(number);
    if (const auto known = element_format_of(type); known && *known == format) return type;
  }
  return failure(ErrorKind::unsupported, std::string("ONNX has no element type for ") + format.name);
}

}  // namespace assay::inline v0
