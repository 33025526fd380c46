#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace assay::inline v0::detail {

// A format of the stress: what operands are made of, what sums are kept in, and how many neighbors in k an instruction
// multiplies and adds at once (`group`). Operands are integers so small that every partial sum of 1024 products is
// exact in `Sum`.

/// Operands and sums of one type, a product at a time.
template <class T>
struct PlainProduct {
  using A = T;
  using B = T;
  using Sum = T;
  static constexpr std::size_t group = 1;
  // K·x² stays below 2^24 in float32, 2^31 in int32 and 2^53 in float64
  static constexpr std::int64_t largest = std::is_same_v<T, float> ? 127 : std::is_same_v<T, double> ? 4095 : 1023;
  static constexpr std::int64_t least_a = -largest, most_a = largest, least_b = -largest, most_b = largest;

  template <class Element>
  [[nodiscard]] static Element encode(std::int64_t value) {
    return static_cast<Element>(value);
  }
  template <class Element>
  [[nodiscard]] static std::int64_t decode(Element element) {
    return static_cast<std::int64_t>(element);
  }
};

/// Pairs of bfloat16 summed in float32: VDPBF16PS.
struct Bfloat16Pairs {
  using A = std::uint16_t;  ///< the upper half of a float32
  using B = std::uint16_t;
  using Sum = float;
  static constexpr std::size_t group = 2;
  static constexpr std::int64_t least_a = -127, most_a = 127, least_b = -127, most_b = 127;

  template <class Element>
  [[nodiscard]] static Element encode(std::int64_t value) {
    return static_cast<Element>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
  }
  template <class Element>
  [[nodiscard]] static std::int64_t decode(Element element) {
    return static_cast<std::int64_t>(std::bit_cast<float>(static_cast<std::uint32_t>(element) << 16));
  }
};

/// Quadruples of unsigned and signed 8-bit integers summed in 32 bits: VPDPBUSD, which does not saturate.
struct ByteQuadruples {
  using A = std::uint8_t;
  using B = std::int8_t;
  using Sum = std::int32_t;
  static constexpr std::size_t group = 4;
  static constexpr std::int64_t least_a = 0, most_a = 255, least_b = -128, most_b = 127;

  template <class Element>
  [[nodiscard]] static Element encode(std::int64_t value) {
    return static_cast<Element>(value);
  }
  template <class Element>
  [[nodiscard]] static std::int64_t decode(Element element) {
    return element;
  }
};

/// Calls `visitor.template operator()<Format>(name)` for each format of which there is a kernel.
template <class Visitor>
void for_each_stress_format(Visitor&& visitor) {
  visitor.template operator()<PlainProduct<double>>(std::string_view("f64"));
  visitor.template operator()<PlainProduct<float>>(std::string_view("f32"));
  visitor.template operator()<PlainProduct<std::int32_t>>(std::string_view("i32"));
  visitor.template operator()<Bfloat16Pairs>(std::string_view("bf16"));
  visitor.template operator()<ByteQuadruples>(std::string_view("i8"));
}

}  // namespace assay::inline v0::detail
