#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "assay/collectives/in_process/detail/small_float_values.hpp"
#include "assay/collectives/reduction_operator.hpp"

namespace assay::detail {

template <class T>
[[nodiscard]] inline T element_at(const std::byte* memory, std::size_t index) {
  T element;
  std::memcpy(&element, memory + index * sizeof(T), sizeof(T));
  return element;
}

template <class T>
inline void set_element(std::byte* memory, std::size_t index, T element) {
  std::memcpy(memory + index * sizeof(T), &element, sizeof(T));
}

/// into[i] = combine(into[i], with[i]). The inner loop has a constant length, for compilers that make vectors of such alone.
template <class T, class Combine>
void combine_elements(std::byte* __restrict into, const std::byte* __restrict with, std::size_t count, Combine combine) {
  constexpr std::size_t block = 64;
  std::size_t first = 0;
  for (; first + block <= count; first += block)
    for (std::size_t i = first; i < first + block; ++i) set_element<T>(into, i, combine(element_at<T>(into, i), element_at<T>(with, i)));
  for (; first < count; ++first) set_element<T>(into, first, combine(element_at<T>(into, first), element_at<T>(with, first)));
}

/// Ascends with the values, −0 before +0. For numbers, not NaN.
template <class T>
[[nodiscard]] auto ordered(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Signed = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    using Unsigned = std::make_unsigned_t<Signed>;
    const auto bits = std::bit_cast<Signed>(value);
    return static_cast<Signed>(bits ^ static_cast<Signed>(static_cast<Unsigned>(bits >> (8 * sizeof(T) - 1)) >> 1));
  } else {
    return value;
  }
}

template <class T>
[[nodiscard]] bool is_nan_by_bits(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits infinity = sizeof(T) == 4 ? Bits{0x7f800000} : static_cast<Bits>(0x7ff0000000000000);
    return static_cast<Bits>(std::bit_cast<Bits>(value) << 1) > static_cast<Bits>(infinity << 1);
  } else {
    return false;
  }
}

template <class T>
void take_extremes(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  if (reduction == ReductionOperator::minimum) {
    combine_elements<T>(into, with, count, [](T a, T b) { return is_nan_by_bits(a) || (!is_nan_by_bits(b) && ordered(a) < ordered(b)) ? a : b; });
  } else {
    combine_elements<T>(into, with, count, [](T a, T b) { return is_nan_by_bits(a) || (!is_nan_by_bits(b) && ordered(b) < ordered(a)) ? a : b; });
  }
}

/// Sums and products; of integers, those of `Unsigned`, which wrap: products in 32 bits at least, where promotion has no sign.
template <class T>
void add_or_multiply(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  using Wide = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 4, std::uint32_t, T>;
  if (reduction == ReductionOperator::product) {
    combine_elements<T>(into, with, count, [](T a, T b) { return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b)); });
  } else {
    combine_elements<T>(into, with, count, [](T a, T b) { return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b)); });
  }
}

template <class T>
void reduce_integers(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  if (reduction == ReductionOperator::minimum || reduction == ReductionOperator::maximum) take_extremes<T>(reduction, into, with, count);
  else add_or_multiply<std::make_unsigned_t<T>>(reduction, into, with, count);
}

template <class T>
void reduce_floats(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  if (reduction == ReductionOperator::minimum || reduction == ReductionOperator::maximum) take_extremes<T>(reduction, into, with, count);
  else add_or_multiply<T>(reduction, into, with, count);
}

/// Elements of a small format pass through float32 in blocks.
template <class Format, class Use>
void through_float(std::byte* elements, std::size_t count, const Use& use) {
  constexpr std::size_t block = 512;
  float values[block];
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t here = count - first < block ? count - first : block;
    std::byte* const start = elements + first * sizeof(Format);
    for (std::size_t i = 0; i < here; ++i) values[i] = SmallFloatValues<Format>::load(element_at<Format>(start, i));
    use(values, first, here);
    for (std::size_t i = 0; i < here; ++i) set_element(start, i, SmallFloatValues<Format>::store(values[i]));
  }
}

template <class Format>
void reduce_small_floats(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  through_float<Format>(into, count, [&](float* values, std::size_t first, std::size_t here) {
    float others[512];
    for (std::size_t i = 0; i < here; ++i) others[i] = SmallFloatValues<Format>::load(element_at<Format>(with, first + i));
    reduce_floats<float>(reduction, reinterpret_cast<std::byte*>(values), reinterpret_cast<const std::byte*>(others), here);
  });
}

}  // namespace assay::detail
