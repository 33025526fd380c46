#pragma once

#include "assay/formats/block_scaling.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const BlockScaling& scheme) {
  const std::string name = std::string("block scaling ") + (*scheme.name != 0 ? scheme.name : "without a name") + ": ";
  const auto refuse = [&](const std::string& why) { return failure(ErrorKind::invalid, name + why); };
  const CodeFormat &element = scheme.element, &scale = scheme.scale;
  if (element.bits < 1 || element.bits > 8)
    return refuse("elements have " + std::to_string(element.bits) + " bits; 1 to 8 are possible");
  if (element.kind == CodeKind::floating_point && !element.layout.has_zero())
    return refuse("elements in " + std::string(element.name) + " have no zero; choose another format");
  if (element.kind == CodeKind::table && element.bits > 4)
    return refuse("a table of codes of " + std::to_string(element.bits) + " bits; tables have at most 4");
  if (element.kind == CodeKind::integer &&
      (element.lowest >= element.highest ||
       element.highest > (element.is_signed ? (1 << (element.bits - 1)) - 1 : (1 << element.bits) - 1) ||
       element.lowest < (element.is_signed ? -(1 << (element.bits - 1)) : 0)))
    return refuse("integers from " + std::to_string(element.lowest) + " to " + std::to_string(element.highest) +
                  " do not fit " + std::to_string(element.bits) + " bits");
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
  if (scale.kind != CodeKind::floating_point)
    return refuse("scales in " + std::string(scale.name) + "; they are floating-point numbers");
  if (scale.bits != 8 && scale.bits != 16 && scale.bits != 32)
    return refuse("scales of " + std::to_string(scale.bits) + " bits; 8, 16 and 32 are possible");
  if (scale.holds_only_powers_of_two() && !is_exponent_rule(scheme.rule) && scheme.rule != ScaleRule::given)
    return refuse("the rule " + std::string(name_of(scheme.rule)) + " gives no powers of two, which is all that " +
                  scale.name + " holds; choose one of the exponent rules");
  if (scheme.rule == ScaleRule::range && !scheme.zero_points) return refuse("the rule range needs zero points");
  if (scheme.zero_points && element.kind != CodeKind::integer)
    return refuse("zero points need integers, not " + std::string(element.name));
  if (scheme.zero_points && scheme.rule != ScaleRule::range && scheme.rule != ScaleRule::given)
    return refuse("zero points follow from the rule range, not from " + std::string(name_of(scheme.rule)));
  if (scheme.zero_points && element.quantum_exponent != 0) return refuse("zero points need integers in units of 1");
  if (scheme.order == ScaleOrder::tiles_128x4 && (scale.bits != 8 || scheme.block_rows != 1))
    return refuse("tiles of 128×4 scales hold scales of 8 bits of blocks of one row; these have " +
                  std::to_string(scale.bits) + " bits and " + std::to_string(scheme.block_rows) + " rows");
  if (scheme.tensor_scale != TensorScale::none && scheme.rule != ScaleRule::maximum && scheme.rule != ScaleRule::given)
    return refuse("a scale of the whole tensor goes with the rule maximum, not with " +
                  std::string(name_of(scheme.rule)));
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
