#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "assay/collectives/in_process/detail/small_float_values.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/vector_variants.hpp"

namespace assay::inline v0::detail {

template <class T>
[[nodiscard]] ASSAY_DETAIL_INLINE T element_at(const std::byte* memory, std::size_t index) {
  T element;
  std::memcpy(&element, memory + index * sizeof(T), sizeof(T));
  return element;
}

template <class T>
ASSAY_DETAIL_INLINE void set_element(std::byte* memory, std::size_t index, T element) {
  std::memcpy(memory + index * sizeof(T), &element, sizeof(T));
}

/// into[i] = combine(into[i], with[i]). The inner loop has a constant length, for compilers that make vectors of such
/// alone.
template <class T, class Combine>
ASSAY_DETAIL_INLINE void combine_elements(std::byte* __restrict into, const std::byte* __restrict with,
                                          std::size_t count, Combine combine) {
  constexpr std::size_t block = 64;
  std::size_t first = 0;
  for (; first + block <= count; first += block)
    for (std::size_t i = first; i < first + block; ++i)
      set_element<T>(into, i, combine(element_at<T>(into, i), element_at<T>(with, i)));
  for (; first < count; ++first)
    set_element<T>(into, first, combine(element_at<T>(into, first), element_at<T>(with, first)));
}

/// Signed integers for floating-point values, in whose order they stand: −0 before +0, NaNs beyond the infinities.
template <class T>
struct OrderedBits {
  using Signed = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using Unsigned = std::make_unsigned_t<Signed>;
  static constexpr Signed infinity = std::bit_cast<Signed>(std::numeric_limits<T>::infinity());

  /// Its own inverse.
  ASSAY_DETAIL_INLINE static Signed turned(Signed bits) {
    return bits ^ static_cast<Signed>(static_cast<Unsigned>(bits >> (8 * sizeof(T) - 1)) >> 1);
  }
};

template <class T>
[[nodiscard]] ASSAY_DETAIL_INLINE T extreme_of(T a, T b, bool minimum) {
  if constexpr (std::is_floating_point_v<T>) {
    // one that is NaN stands further out than all numbers, on the side that is asked for
    using Bits = OrderedBits<T>;
    using Signed = typename Bits::Signed;
    const auto key = [minimum](T value) __attribute__((always_inline)) {
      const auto bits = std::bit_cast<Signed>(value);
      const Signed magnitude = bits & std::numeric_limits<Signed>::max(),
                   is_nan = -static_cast<Signed>(magnitude > Bits::infinity);
      const Signed outermost =
          minimum ? std::numeric_limits<Signed>::min() + (std::numeric_limits<Signed>::max() - magnitude) : magnitude;
      return static_cast<Signed>((outermost & is_nan) | (Bits::turned(bits) & ~is_nan));
    };
    const Signed x = key(a), y = key(b);
    const Signed chosen = minimum ? (x < y ? x : y) : (x < y ? y : x);
    return std::bit_cast<T>(Bits::turned(chosen));
  } else {
    return minimum ? (b < a ? b : a) : (a < b ? b : a);
  }
}

template <class T, bool minimum>
struct TakeExtremes {
  template <std::size_t>
  ASSAY_DETAIL_INLINE static void run(std::byte*& into, const std::byte*& with, const std::size_t& count) {
    combine_elements<T>(
        into, with, count, [](T a, T b) __attribute__((always_inline)) { return extreme_of(a, b, minimum); });
  }
};

template <class T>
void take_extremes(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  if (reduction == ReductionOperator::minimum)
    run_variant<TakeExtremes<T, true>>(instruction_set(), into, with, count);
  else
    run_variant<TakeExtremes<T, false>>(instruction_set(), into, with, count);
}

/// Sums and products; of integers, those of `Unsigned`, which wrap: products in 32 bits at least, where promotion has
/// no sign.
template <class T>
void add_or_multiply(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  using Wide = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 4, std::uint32_t, T>;
  if (reduction == ReductionOperator::product) {
    combine_elements<T>(into, with, count,
                        [](T a, T b) { return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b)); });
  } else {
    combine_elements<T>(into, with, count,
                        [](T a, T b) { return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b)); });
  }
}

template <class T>
void reduce_integers(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  if (reduction == ReductionOperator::minimum || reduction == ReductionOperator::maximum)
    take_extremes<T>(reduction, into, with, count);
  else
    add_or_multiply<std::make_unsigned_t<T>>(reduction, into, with, count);
}

template <class T>
void reduce_floats(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  if (reduction == ReductionOperator::minimum || reduction == ReductionOperator::maximum)
    take_extremes<T>(reduction, into, with, count);
  else
    add_or_multiply<T>(reduction, into, with, count);
}

/// How many elements of a small format pass through float32 at once.
inline constexpr std::size_t float_block = 256;

template <class Format>
ASSAY_DETAIL_INLINE void load_block(const std::byte* __restrict from, float* __restrict values) {
  for (std::size_t i = 0; i < float_block; ++i) values[i] = SmallFloatValues<Format>::load(element_at<Format>(from, i));
}

template <class Format>
ASSAY_DETAIL_INLINE void store_block(const float* __restrict values, std::byte* __restrict to) {
  for (std::size_t i = 0; i < float_block; ++i) set_element(to, i, SmallFloatValues<Format>::store(values[i]));
}

/// Calls `use(values, first, here)` for blocks of elements as float32, `here` of them from `first`, and rounds them
/// back.
template <class Format, class Use>
void through_float(std::byte* elements, std::size_t count, const Use& use) {
  float values[float_block];
  std::size_t first = 0;
  for (; first + float_block <= count; first += float_block) {
    load_block<Format>(elements + first * sizeof(Format), values);
    use(values, first, float_block);
    store_block<Format>(values, elements + first * sizeof(Format));
  }
  if (first == count) return;
  std::byte rest[float_block * sizeof(Format)] = {};
  std::memcpy(rest, elements + first * sizeof(Format), (count - first) * sizeof(Format));
  load_block<Format>(rest, values);
  use(values, first, count - first);
  store_block<Format>(values, rest);
  std::memcpy(elements + first * sizeof(Format), rest, (count - first) * sizeof(Format));
}

/// Reduces blocks of a small format as float32, on the vectors of the machine.
template <class Format>
struct ReduceBlocks {
  template <std::size_t>
  ASSAY_DETAIL_INLINE static void run(const ReductionOperator& reduction, std::byte*& into, const std::byte*& with,
                                      const std::size_t& blocks) {
    float values[float_block], others[float_block];
    for (std::size_t block = 0; block < blocks; ++block) {
      std::byte* const place = into + block * float_block * sizeof(Format);
      load_block<Format>(place, values);
      load_block<Format>(with + block * float_block * sizeof(Format), others);
      switch (reduction) {
        case ReductionOperator::product:
          combine_block(
              values, others, [](float a, float b) __attribute__((always_inline)) { return a * b; });
          break;
        case ReductionOperator::minimum:
          combine_block(
              values, others, [](float a, float b) __attribute__((always_inline)) { return extreme_of(a, b, true); });
          break;
        case ReductionOperator::maximum:
          combine_block(
              values, others, [](float a, float b) __attribute__((always_inline)) { return extreme_of(a, b, false); });
          break;
        default:
          combine_block(
              values, others, [](float a, float b) __attribute__((always_inline)) { return a + b; });
          break;
      }
      store_block<Format>(values, place);
    }
  }

 private:
  template <class Combine>
  ASSAY_DETAIL_INLINE static void combine_block(float* __restrict values, const float* __restrict others,
                                                Combine combine) {
    for (std::size_t i = 0; i < float_block; ++i) values[i] = combine(values[i], others[i]);
  }
};

template <class Format>
void reduce_small_floats(ReductionOperator reduction, std::byte* into, const std::byte* with, std::size_t count) {
  const std::size_t blocks = count / float_block, done = blocks * float_block * sizeof(Format),
                    rest = count * sizeof(Format) - done;
  run_variant<ReduceBlocks<Format>>(instruction_set(), reduction, into, with, blocks);
  if (rest == 0) return;
  std::byte last[float_block * sizeof(Format)] = {}, last_with[float_block * sizeof(Format)] = {};
  std::memcpy(last, into + done, rest);
  std::memcpy(last_with, with + done, rest);
  std::byte* last_into = last;
  const std::byte* last_other = last_with;
  const std::size_t one = 1;
  run_variant<ReduceBlocks<Format>>(instruction_set(), reduction, last_into, last_other, one);
  std::memcpy(into + done, last, rest);
}

}  // namespace assay::inline v0::detail
