#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "assay/formats/small_formats.hpp"

namespace assay::inline v0 {

/// The types of elements that communication libraries send and reduce, chosen at run time.
enum class ElementType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  float8_e4m3fn,
  float8_e5m2
};

/// In the order of `ElementType`.
inline constexpr std::array<ElementType, 14> all_element_types{
    ElementType::int8,          ElementType::uint8,      ElementType::int16,   ElementType::uint16,
    ElementType::int32,         ElementType::uint32,     ElementType::int64,   ElementType::uint64,
    ElementType::float16,       ElementType::bfloat16,   ElementType::float32, ElementType::float64,
    ElementType::float8_e4m3fn, ElementType::float8_e5m2};

/// Calls `visitor.template operator()<T>()` with the C++ type of `type`. The visitor is compiled for all of them.
template <class Visitor>
decltype(auto) with_element_type(ElementType type, Visitor&& visitor) {
  switch (type) {
    case ElementType::int8: return visitor.template operator()<std::int8_t>();
    case ElementType::uint8: return visitor.template operator()<std::uint8_t>();
    case ElementType::int16: return visitor.template operator()<std::int16_t>();
    case ElementType::uint16: return visitor.template operator()<std::uint16_t>();
    case ElementType::int32: return visitor.template operator()<std::int32_t>();
    case ElementType::uint32: return visitor.template operator()<std::uint32_t>();
    case ElementType::int64: return visitor.template operator()<std::int64_t>();
    case ElementType::uint64: return visitor.template operator()<std::uint64_t>();
    case ElementType::float16: return visitor.template operator()<float16>();
    case ElementType::bfloat16: return visitor.template operator()<bfloat16>();
    case ElementType::float64: return visitor.template operator()<float64>();
    case ElementType::float8_e4m3fn: return visitor.template operator()<float8_e4m3fn>();
    case ElementType::float8_e5m2: return visitor.template operator()<float8_e5m2>();
    case ElementType::float32: break;
  }
  return visitor.template operator()<float32>();
}

/// Bytes of one element.
[[nodiscard]] constexpr std::size_t bytes_of(ElementType type) noexcept {
  switch (type) {
    case ElementType::int8:
    case ElementType::uint8:
    case ElementType::float8_e4m3fn:
    case ElementType::float8_e5m2: return 1;
    case ElementType::int16:
    case ElementType::uint16:
    case ElementType::float16:
    case ElementType::bfloat16: return 2;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32: return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64: return 8;
  }
  return 1;
}

/// Whether elements are integers, with or without a sign.
[[nodiscard]] constexpr bool is_integer(ElementType type) noexcept {
  return type <= ElementType::uint64;
}
/// Whether elements are integers in two's complement.
[[nodiscard]] constexpr bool is_signed_integer(ElementType type) noexcept {
  return is_integer(type) && static_cast<int>(type) % 2 == 0;
}

/// The name on the command line and in reports.
[[nodiscard]] constexpr std::string_view name_of(ElementType type) noexcept {
  constexpr std::array<std::string_view, 14> names{"int8",   "uint8", "int16", "uint16", "int32", "uint32", "int64",
                                                   "uint64", "f16",   "bf16",  "f32",    "f64",   "e4m3fn", "e5m2"};
  return names[static_cast<std::size_t>(type)];
}

/// The type of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<ElementType> element_type_named(std::string_view name) noexcept {
  for (const ElementType type : all_element_types)
    if (name_of(type) == name) return type;
  return std::nullopt;
}

}  // namespace assay::inline v0
