#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/code_format.hpp"
#include "assay/formats/code_packing.hpp"
#include "assay/formats/scale_layout.hpp"
#include "assay/formats/scale_rule.hpp"

namespace assay::inline v0 {

/// A second scale for the whole tensor, a float32, by which every block's scale is multiplied.
enum class TensorScale {
  none,
  given,    ///< an input of the kernel
  computed  ///< amax of the tensor / (max of the scale format · max of the element format)
};

/// What becomes of a block that holds NaN or an infinity.
enum class SpecialValueRule {
  poison_block,  ///< its scale is NaN, its codes mean nothing
  /// scales look at finite values only; NaN becomes NaN where the format has it; infinities saturate or stay
  per_element,
  undefined  ///< anything
};

/// The scale of a block of zeros. No specification fixes it, so long as the block decodes to zeros.
enum class ZeroBlockScale {
  any,       ///< any scale that is finite and not negative
  smallest,  ///< the smallest number of the scale format
  one
};

/// A block-scaled or affine number format as data: an element is (code − zero point) · scale [· tensor scale], with one
/// scale for each block of `block_rows` × `block_columns` elements of a matrix. Blocks at the ends of rows and columns
/// may be partly filled; their scales are those of the elements that are there.
struct BlockScaling {
  const char* name = "";  ///< of static storage; not read on devices
  CodeFormat element;
  CodePacking packing = CodePacking::bytes;
  Index block_rows = 1;     ///< 0: all rows
  Index block_columns = 0;  ///< 0: all columns
  CodeFormat scale;
  ScaleRule rule = ScaleRule::maximum;
  /// Further rules whose scales are as good, each 1 << its number: libraries differ in them.
  unsigned also_admitted = 0;
  ScaleOrder order = ScaleOrder::strided;
  TensorScale tensor_scale = TensorScale::none;
  bool zero_points = false;  ///< one code of the element format for each scale, in a table of the same layout
  double least_amax = 0;     ///< amax is taken to be at least this
  double least_scale = 0;    ///< a scale is taken to be at least this, before it is rounded
  SpecialValueRule specials = SpecialValueRule::undefined;
  ZeroBlockScale zero_block = ZeroBlockScale::any;
  bool keeps_negative_zero = true;  ///< zeros have the sign of their value, where the format can; false: any sign
  bool lowest_may_be_used =
      false;  ///< integers: one code below `lowest`, the most negative, is admitted where it is nearer

  /// Rows of a block in a matrix of that many rows; all of them where `block_rows` is 0.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index rows_of_block(Index rows) const {
    return block_rows > 0 ? block_rows : rows > 0 ? rows : 1;
  }
  /// Columns of a block in a matrix of that many columns; all of them where `block_columns` is 0.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index columns_of_block(Index columns) const {
    return block_columns > 0 ? block_columns : columns > 0 ? columns : 1;
  }
  /// Rows and columns of the table of scales of a matrix.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index scale_rows(Index rows) const {
    return (rows + rows_of_block(rows) - 1) / rows_of_block(rows);
  }
  /// Blocks side by side in a row of that many columns, the last of which may be partly filled.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index scale_columns(Index columns) const {
    return (columns + columns_of_block(columns) - 1) / columns_of_block(columns);
  }
  /// Whether scales that follow `other` are right in this format.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool admits(ScaleRule other) const {
    return other == rule || (also_admitted >> static_cast<unsigned>(other) & 1) != 0;
  }

  /// The same with another rule admitted.
  [[nodiscard]] constexpr BlockScaling admitting(ScaleRule other) const {
    BlockScaling scheme = *this;
    scheme.also_admitted |= 1u << static_cast<unsigned>(other);
    return scheme;
  }
  /// The same with scales in another order.
  [[nodiscard]] constexpr BlockScaling in_order(ScaleOrder other) const {
    BlockScaling scheme = *this;
    scheme.order = other;
    return scheme;
  }
};

/// Whether a description makes sense. `ErrorKind::invalid` says which of its parts do not fit each other.
[[nodiscard]] Result<void> check(const BlockScaling& scheme);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/formats/block_scaling.ipp"
#endif
