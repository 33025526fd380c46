#pragma once

#include <string>

#include "assay/core/detail/printed_number.hpp"
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
  per_element,   ///< scales look at finite values only; NaN becomes NaN where the format has it; infinities saturate or stay
  undefined      ///< anything
};

/// The scale of a block of zeros. No specification fixes it, so long as the block decodes to zeros.
enum class ZeroBlockScale {
  any,       ///< any scale that is finite and not negative
  smallest,  ///< the smallest number of the scale format
  one
};

/// A block-scaled or affine number format as data: an element is (code − zero point) · scale [· tensor scale], with one
/// scale for each block of `block_rows` × `block_columns` elements of a matrix. Blocks at the ends of rows and columns may
/// be partly filled; their scales are those of the elements that are there.
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
  bool lowest_may_be_used = false;  ///< integers: one code below `lowest`, the most negative, is admitted where it is nearer

  /// Rows of a block in a matrix of that many rows; all of them where `block_rows` is 0.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index rows_of_block(Index rows) const { return block_rows > 0 ? block_rows : rows > 0 ? rows : 1; }
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
[[nodiscard]] inline Result<void> check(const BlockScaling& scheme) {
  const std::string name = std::string("block scaling ") + (*scheme.name != 0 ? scheme.name : "without a name") + ": ";
  const auto refuse = [&](const std::string& why) { return failure(ErrorKind::invalid, name + why); };
  const CodeFormat &element = scheme.element, &scale = scheme.scale;
  if (element.bits < 1 || element.bits > 8) return refuse("elements have " + std::to_string(element.bits) + " bits; 1 to 8 are possible");
  if (element.kind == CodeKind::floating_point && !element.layout.has_zero())
    return refuse("elements in " + std::string(element.name) + " have no zero; choose another format");
  if (element.kind == CodeKind::table && element.bits > 4)
    return refuse("a table of codes of " + std::to_string(element.bits) + " bits; tables have at most 4");
  if (element.kind == CodeKind::integer &&
      (element.lowest >= element.highest ||
       element.highest > (element.is_signed ? (1 << (element.bits - 1)) - 1 : (1 << element.bits) - 1) ||
       element.lowest < (element.is_signed ? -(1 << (element.bits - 1)) : 0)))
    return refuse("integers from " + std::to_string(element.lowest) + " to " + std::to_string(element.highest) + " do not fit " +
                  std::to_string(element.bits) + " bits");
  if (scheme.packing == CodePacking::high_first && 8 % element.bits != 0)
    return refuse("codes of " + std::to_string(element.bits) +
                  " bits are packed from the high end, which is defined for 1, 2, 4 and 8 bits; pack them low_first");
  if (scheme.block_rows < 0 || scheme.block_columns < 0)
    return refuse("blocks of " + std::to_string(scheme.block_rows) + "×" + std::to_string(scheme.block_columns) +
                  " elements; extents are positive, or 0 for the whole matrix");
  if (scheme.packing != CodePacking::bytes && scheme.block_columns * element.bits % 8 != 0)
    return refuse("a block of " + std::to_string(scheme.block_columns) + " codes of " + std::to_string(element.bits) +
                  " bits ends within a byte; make it a multiple of " +
                  std::to_string(element.bits % 8 == 0   ? 1
                                 : element.bits % 4 == 0 ? 2
                                 : element.bits % 2 == 0 ? 4
                                                         : 8) +
                  " or store a code a byte");
  if (scale.kind != CodeKind::floating_point) return refuse("scales in " + std::string(scale.name) + "; they are floating-point numbers");
  if (scale.bits != 8 && scale.bits != 16 && scale.bits != 32)
    return refuse("scales of " + std::to_string(scale.bits) + " bits; 8, 16 and 32 are possible");
  if (scale.holds_only_powers_of_two() && !is_exponent_rule(scheme.rule) && scheme.rule != ScaleRule::given)
    return refuse("the rule " + std::string(name_of(scheme.rule)) + " gives no powers of two, which is all that " + scale.name +
                  " holds; choose one of the exponent rules");
  if (scheme.rule == ScaleRule::range && !scheme.zero_points) return refuse("the rule range needs zero points");
  if (scheme.zero_points && element.kind != CodeKind::integer) return refuse("zero points need integers, not " + std::string(element.name));
  if (scheme.zero_points && scheme.rule != ScaleRule::range && scheme.rule != ScaleRule::given)
    return refuse("zero points follow from the rule range, not from " + std::string(name_of(scheme.rule)));
  if (scheme.zero_points && element.quantum_exponent != 0) return refuse("zero points need integers in units of 1");
  if (scheme.order == ScaleOrder::tiles_128x4 && (scale.bits != 8 || scheme.block_rows != 1))
    return refuse("tiles of 128×4 scales hold scales of 8 bits of blocks of one row; these have " + std::to_string(scale.bits) +
                  " bits and " + std::to_string(scheme.block_rows) + " rows");
  if (scheme.tensor_scale != TensorScale::none && scheme.rule != ScaleRule::maximum && scheme.rule != ScaleRule::given)
    return refuse("a scale of the whole tensor goes with the rule maximum, not with " + std::string(name_of(scheme.rule)));
  if (scheme.tensor_scale == TensorScale::computed && scheme.rule == ScaleRule::given)
    return refuse("given scales need a given scale of the tensor");
  if (scheme.specials == SpecialValueRule::poison_block && !scale.has_nan())
    return refuse("a block cannot be marked as NaN by scales in " + std::string(scale.name));
  if (!(scheme.least_amax >= 0) || !(scheme.least_scale >= 0))
    return refuse("least_amax and least_scale are " + detail::printed_number(scheme.least_amax) + " and " +
                  detail::printed_number(scheme.least_scale) + "; they must be 0 or more");
  return {};
}

}  // namespace assay::inline v0
