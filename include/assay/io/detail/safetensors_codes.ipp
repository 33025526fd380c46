#pragma once

#include "assay/io/detail/safetensors_codes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::uint8_t packed_code(const std::byte* bytes, std::size_t position, int bits) {
  const std::size_t first_bit = position * static_cast<std::size_t>(bits);
  const int shift = static_cast<int>(first_bit % 8);
  unsigned window = std::to_integer<unsigned>(bytes[first_bit / 8]) >> shift;
  if (shift + bits > 8) window |= std::to_integer<unsigned>(bytes[first_bit / 8 + 1]) << (8 - shift);
  return static_cast<std::uint8_t>(window & ((1U << bits) - 1));
}

template <class T>
void decode_packed(const std::byte* bytes, std::size_t first, std::size_t count, int bits, double* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = decode(T::from_bits(packed_code(bytes, first + i, bits)));
}

template <class T>
void decode_floats(const std::byte* bytes, std::size_t first, std::size_t count, double* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = decode(stored_at<T>(bytes, first + i));
}

template <class T>
void decode_integers(const std::byte* bytes, std::size_t first, std::size_t count, double* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(stored_at<T>(bytes, first + i));
}

ASSAY_DETAIL_HEADER_INLINE void decode_safetensors(SafetensorsType type, const std::byte* bytes, std::size_t first,
                                                   std::size_t count, double* values) {
  switch (type) {
    case SafetensorsType::boolean:
      for (std::size_t i = 0; i < count; ++i) values[i] = bytes[first + i] != std::byte{0} ? 1.0 : 0.0;
      return;
    case SafetensorsType::f4: return decode_packed<float4_e2m1fn>(bytes, first, count, 4, values);
    case SafetensorsType::f6_e2m3: return decode_packed<float6_e2m3fn>(bytes, first, count, 6, values);
    case SafetensorsType::f6_e3m2: return decode_packed<float6_e3m2fn>(bytes, first, count, 6, values);
    case SafetensorsType::u8: return decode_integers<std::uint8_t>(bytes, first, count, values);
    case SafetensorsType::i8: return decode_integers<std::int8_t>(bytes, first, count, values);
    case SafetensorsType::f8_e5m2: return decode_floats<float8_e5m2>(bytes, first, count, values);
    case SafetensorsType::f8_e4m3: return decode_floats<float8_e4m3fn>(bytes, first, count, values);
    case SafetensorsType::f8_e8m0: return decode_floats<float8_e8m0fnu>(bytes, first, count, values);
    case SafetensorsType::f8_e4m3fnuz: return decode_floats<float8_e4m3fnuz>(bytes, first, count, values);
    case SafetensorsType::f8_e5m2fnuz: return decode_floats<float8_e5m2fnuz>(bytes, first, count, values);
    case SafetensorsType::i16: return decode_integers<std::int16_t>(bytes, first, count, values);
    case SafetensorsType::u16: return decode_integers<std::uint16_t>(bytes, first, count, values);
    case SafetensorsType::f16: return decode_floats<float16>(bytes, first, count, values);
    case SafetensorsType::bf16: return decode_floats<bfloat16>(bytes, first, count, values);
    case SafetensorsType::i32: return decode_integers<std::int32_t>(bytes, first, count, values);
    case SafetensorsType::u32: return decode_integers<std::uint32_t>(bytes, first, count, values);
    case SafetensorsType::f32:
    case SafetensorsType::c64: return decode_floats<float32>(bytes, first, count, values);
    case SafetensorsType::f64: return decode_floats<float64>(bytes, first, count, values);
    case SafetensorsType::i64: return decode_integers<std::int64_t>(bytes, first, count, values);
    case SafetensorsType::u64: return decode_integers<std::uint64_t>(bytes, first, count, values);
  }
}

}  // namespace assay::inline v0::detail
