#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/formats/limits.hpp"

namespace assay::inline v0::detail {

/// One instruction each where devices have one. Results serve to find candidates, which are looked at exactly.

[[nodiscard]] ASSAY_FUNCTION inline std::uint32_t single_bits(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
[[nodiscard]] ASSAY_FUNCTION inline float single_of_bits(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
[[nodiscard]] ASSAY_FUNCTION inline float single_size(float value) {
  return single_of_bits(single_bits(value) & 0x7fffffffu);
}
[[nodiscard]] ASSAY_FUNCTION inline std::uint32_t high_word(double value) {
  return static_cast<std::uint32_t>(bits_of(value) >> 32);
}
[[nodiscard]] ASSAY_FUNCTION inline double double_of_high_word(std::uint32_t word) {
  return double_of(static_cast<std::uint64_t>(word) << 32);
}

/// a/b within 2^−21 of its size, where b lies between 2^−126 and 2^126; infinite or NaN for b = 0.
[[nodiscard]] ASSAY_FUNCTION inline float near_quotient(float a, float b) {
#if defined(__CUDA_ARCH__)
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
  return a * inverse;
#elif defined(__HIP_DEVICE_COMPILE__)
  return a * __builtin_amdgcn_rcpf(b);
#else
  return a / b;
#endif
}

/// The larger; the number where the other is NaN.
[[nodiscard]] ASSAY_FUNCTION inline float larger_single(float number, float candidate) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __builtin_fmaxf(number, candidate);
#else
  return candidate > number ? candidate : number;
#endif
}

[[nodiscard]] ASSAY_FUNCTION inline float fused_single(float a, float b, float c) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

/// `Bytes` of memory as they are loaded, 16 at once.
template <std::size_t Bytes>
struct alignas(Bytes < 16 ? Bytes : 16) LoadedBytes {
  std::uint32_t words[(Bytes + 3) / 4] = {};
};

/// N stored elements, loaded at once.
template <class T, std::size_t N>
struct LoadedVector {
  static_assert(sizeof(T) * N % 4 == 0);
  LoadedBytes<sizeof(T) * N> bytes;

  ASSAY_FUNCTION void load(const T* from) { bytes = *reinterpret_cast<const LoadedBytes<sizeof(T) * N>*>(from); }
  template <std::size_t i>
  [[nodiscard]] ASSAY_FUNCTION T at() const {
    using Bits = typename FormatTraits<T>::Bits;
    constexpr std::size_t word = i * sizeof(T) / 4;
    if constexpr (sizeof(T) == 8)
      return FormatTraits<T>::from_bits(
          static_cast<Bits>(bytes.words[word] | static_cast<std::uint64_t>(bytes.words[word + 1]) << 32));
    else if constexpr (sizeof(T) == 4)
      return FormatTraits<T>::from_bits(static_cast<Bits>(bytes.words[word]));
    else
      return FormatTraits<T>::from_bits(static_cast<Bits>(bytes.words[word] >> (8 * (i * sizeof(T) % 4))));
  }
};

/// Formats whose numbers are singles, and whose other codes make a single that is as large as the largest number, or
/// larger, infinite or NaN.
template <class T>
inline constexpr bool single_format = [] {
  if constexpr (FloatFormat<T>) {
    constexpr FloatLayout layout = FormatTraits<T>::layout;
    const bool same = layout.exponent_bits == 8 && layout.bias == 127;
    const bool inside = layout.bias >= -100 && layout.bias + layout.fraction_bits <= 120 &&
                        (1 << layout.exponent_bits) - 1 - layout.bias <= 100;
    return layout.domain == Domain::real &&
           (layout.specials == SpecialValues::ieee || layout.specials == SpecialValues::finite_nan) &&
           layout.fraction_bits <= 23 && (same || inside) && layout.bits() == 8 * static_cast<int>(sizeof(T)) &&
           (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4);
  }
  return false;
}();

template <class T>
[[nodiscard]] ASSAY_FUNCTION float single_of(T stored) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const auto code = static_cast<std::uint32_t>(FormatTraits<T>::to_bits(stored));
  if constexpr (layout.exponent_bits == 8) {
    return single_of_bits(code << (23 - layout.fraction_bits));
  } else {
    constexpr auto magnitude = static_cast<std::uint32_t>(layout.magnitude_mask());
    constexpr int width = 8 * static_cast<int>(sizeof(T));
    const float size = single_of_bits((code & magnitude) << (23 - layout.fraction_bits)) *
                       static_cast<float>(power_of_two(127 - layout.bias));
    return single_of_bits(single_bits(size) | (code & ~magnitude) << (32 - width));
  }
}

}  // namespace assay::inline v0::detail
