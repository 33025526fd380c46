#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/config.hpp"
#include "assay/core/index.hpp"
#include "assay/formats/classify.hpp"
#include "assay/formats/float_layout.hpp"

namespace assay::inline v0::detail {

/// Elements of any type as codes in the lowest bits of 64: verification is compiled once for all types.
[[nodiscard]] FloatLayout float_layout_of(ElementType type);

[[nodiscard]] inline int bits_of(ElementType type) {
  return static_cast<int>(8 * bytes_of(type));
}
[[nodiscard]] inline std::uint64_t code_mask(ElementType type) {
  return ~std::uint64_t{0} >> (64 - bits_of(type));
}

[[nodiscard]] inline std::uint64_t load_code(const void* data, Index position, std::size_t bytes) {
  std::uint64_t code = 0;  // hosts are little-endian
  std::memcpy(&code, static_cast<const char*>(data) + static_cast<std::size_t>(position) * bytes, bytes);
  return code;
}
inline void store_code(void* data, Index position, std::size_t bytes, std::uint64_t code) {
  std::memcpy(static_cast<char*>(data) + static_cast<std::size_t>(position) * bytes, &code, bytes);
}

/// The value of an integer's code, its sign extended.
[[nodiscard]] inline std::int64_t integer_of(ElementType type, std::uint64_t code) {
  const int unused = 64 - bits_of(type);
  if (is_signed_integer(type)) return static_cast<std::int64_t>(code << unused) >> unused;
  return static_cast<std::int64_t>(code);
}
/// Of 64-bit integers the nearest double.
[[nodiscard]] inline double value_of(ElementType type, std::uint64_t code) {
  if (!is_integer(type)) return decode(float_layout_of(type), code);
  return is_signed_integer(type) ? static_cast<double>(integer_of(type, code)) : static_cast<double>(code);
}
[[nodiscard]] inline std::uint64_t code_of(ElementType type, double value) {
  return encode(float_layout_of(type), value);
}
/// A small integer in any type: exact in floats of enough precision, modulo 2^bits in integers.
[[nodiscard]] inline std::uint64_t code_of_integer(ElementType type, std::int64_t value) {
  return is_integer(type) ? static_cast<std::uint64_t>(value) & code_mask(type)
                          : code_of(type, static_cast<double>(value));
}
[[nodiscard]] inline bool is_nan_code(ElementType type, std::uint64_t code) {
  return !is_integer(type) && float_layout_of(type).is_nan(code);
}

/// u, half the distance from 1 to the next number.
[[nodiscard]] inline double unit_roundoff_of(ElementType type) {
  return is_integer(type) ? 0 : double_of(static_cast<std::uint64_t>(1023 - float_layout_of(type).precision()) << 52);
}
[[nodiscard]] inline double smallest_number_of(ElementType type) {
  return decode(float_layout_of(type), 1);
}

/// Order of codes as integers without sign: for numbers that of their values, both zeros alike.
[[nodiscard]] inline std::uint64_t order_of(ElementType type, std::uint64_t code) {
  const std::uint64_t middle = std::uint64_t{1} << 63;
  if (is_integer(type))
    return static_cast<std::uint64_t>(integer_of(type, code)) + (is_signed_integer(type) ? middle : 0);
  const std::uint64_t sign = std::uint64_t{1} << (bits_of(type) - 1), magnitude = code & (sign - 1);
  return (code & sign) != 0 ? middle - magnitude : middle + magnitude;
}

/// a and b reduced as one step of a sum (also of an average), product, minimum or maximum in the type's own arithmetic.
[[nodiscard]] std::uint64_t reduced(ElementType type, ReductionOperator reduction, std::uint64_t a, std::uint64_t b);

/// A hash of up to three numbers.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  std::uint64_t bits = a + 0x9E3779B97F4A7C15u * (b + 1) + 0xD1B54A32D192ED03u * c;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/detail/element_codes.ipp"
#endif
