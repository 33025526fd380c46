#pragma once

#include <string>

#include "assay/compare/block_expectation.hpp"
#include "assay/core/instruction_set.hpp"
#include "assay/core/misuse.hpp"
#include "assay/formats/convert_range.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

/// At most so many elements of a row are made singles at once: a block of an expectation.
inline constexpr Index most_singles = expected_block_columns;

/// Whether rows of an operand are float32 exactly, or become it without rounding, and lie without gaps.
[[nodiscard]] inline bool has_rows_of_singles(const Operand& operand) {
  return operand.rank > 0 && operand.strides[operand.rank - 1] == 1 &&
         (operand.format == element_format<float32>() || operand.format == element_format<bfloat16>() ||
          operand.format == element_format<float16>());
}

/// Calls `walk(first)` with the elements from an offset on as they are stored. Precondition, unchecked:
/// `has_rows_of_singles`.
template <class Walk>
void with_stored_singles(const Operand& operand, Index offset, const Walk& walk) {
  if (operand.format.bytes == 4)
    walk(static_cast<const float32*>(operand.data) + offset);
  else if (operand.format.layout == FormatTraits<bfloat16>::layout)
    walk(static_cast<const bfloat16*>(operand.data) + offset);
  else
    walk(static_cast<const float16*>(operand.data) + offset);
}

/// `count` ≤ most_singles elements from an offset on, as they are or in `buffer`, which has room for as many as may be
/// asked for. Precondition, unchecked: `has_rows_of_singles`.
[[nodiscard]] inline const float* row_singles(const Operand& operand, Index offset, Index count,
                                              float (&buffer)[most_singles]) {
  expect(count <= most_singles, [&] {
    return "a block of " + std::to_string(count) + " elements was asked for; ask for at most " +
           std::to_string(most_singles) + " at once";
  });
  const auto elements = static_cast<std::size_t>(count);
  if (operand.format.bytes == 4) return static_cast<const float*>(operand.data) + offset;
  with_stored_singles(operand, offset, [&](const auto* first) {
    convert_range(first, buffer, elements, Rounding::nearest_even, Overflow::ieee, false, instruction_set());
  });
  return buffer;
}

/// The largest |x| of an operand of rank 1, and the smallest but for zeros; infinity and 0 of one that is not singles.
/// What is NaN does not count.
struct Magnitudes {
  double most = double_of(binary64_layout.infinity_bits()), least = 0;
};
[[nodiscard]] inline Magnitudes magnitudes_of(const Operand& operand) {
  if (!has_rows_of_singles(operand)) return {};
  constexpr float infinity = __builtin_inff();
  float largest = 0, smallest = infinity, buffer[most_singles];
  for (Index first = 0; first < operand.extents[0]; first += most_singles) {
    const Index left = operand.extents[0] - first, count = left < most_singles ? left : most_singles;
    const float* const values = row_singles(operand, first, count, buffer);
    for (Index i = 0; i < count; ++i) {
      const float size = values[i] < 0 ? -values[i] : values[i];
      largest = size > largest ? size : largest;
      smallest = size > 0 && size < smallest ? size : smallest;
    }
  }
  return {largest, smallest};
}

}  // namespace assay::inline v0::detail
