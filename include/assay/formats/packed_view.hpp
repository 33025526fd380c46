#pragma once

#include <cstdint>
#include <type_traits>

#include "assay/formats/code_packing.hpp"
#include "assay/formats/format_traits.hpp"

namespace assay::inline v0 {

/// Values of 8 bits or fewer, packed without gaps into bytes that somebody else owns, on any device: value i takes the
/// bits [i·b, (i+1)·b) of the sequence of bits that is counted, in `low_first`, from the lowest bit of byte 0 on. So
/// - of two 4-bit values the first is the low nibble,
/// - of four 2-bit values the first is in the lowest two bits,
/// - four 6-bit values a, b, c, d take three bytes: a and the lowest 2 bits of b (from bit 6 on); the upper 4 of b and
///   the lowest 4 of c; the upper 2 of c and d (from bit 2 on). `high_first` counts from the highest bit of byte 0 on,
///   as bitsandbytes does. T is const for a view that only reads. Precondition: `packed_bytes(Packing, bits, count)`
///   bytes at `data`.
template <class T, CodePacking Packing = CodePacking::low_first>
requires Format<std::remove_const_t<T>> &&(FormatTraits<std::remove_const_t<T>>::bits <= 8) struct PackedView {
  using Value = std::remove_const_t<T>;  ///< what is read and written
  using Byte =
      std::conditional_t<std::is_const_v<T>, const std::uint8_t, std::uint8_t>;  ///< of the memory that is viewed
  static constexpr int bits = FormatTraits<Value>::bits;

  Byte* data = nullptr;
  Index count = 0;

  /// Number of values.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index size() const { return count; }
  /// Bytes that the view spans, the last of which may be partly used.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index bytes() const { return packed_bytes(Packing, bits, count); }
  /// Precondition, unchecked: 0 ≤ position < size().
  [[nodiscard]] ASSAY_FUNCTION constexpr Value get(Index position) const {
    return FormatTraits<Value>::from_bits(
        static_cast<typename FormatTraits<Value>::Bits>(read_code(data, Packing, bits, position)));
  }
  /// Writes the lowest `bits` bits of the value's code and leaves its neighbors as they are. Values that share a byte
  /// must not be written at the same time. Precondition, unchecked: 0 ≤ position < size().
  ASSAY_FUNCTION constexpr void set(Index position, Value value) const requires(!std::is_const_v<T>) {
    write_code(data, Packing, bits, position, FormatTraits<Value>::to_bits(value));
  }
  /// A view that writes is a view that reads.
  ASSAY_FUNCTION constexpr operator PackedView<const Value, Packing>() const requires(!std::is_const_v<T>) {
    return {data, count};
  }
};

}  // namespace assay::inline v0
