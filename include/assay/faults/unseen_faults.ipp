#pragma once

#include "assay/faults/unseen_faults.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE const std::vector<UnseenFaults>& invisible_faults() {
  static const std::vector<UnseenFaults> all{
      {{},
       "",
       {"negative_zero"},
       "-0 equals 0, and which of them an exact sum of zero gives depends on the order of additions: the contract "
       "leaves it open",
       {"gather", "rearrangement", "non_maximum_suppression", "sampling"}},
      {{"non_maximum_suppression", "sampling"},
       "",
       {"swallowed_nan", "swallowed_infinity", "invented_nan", "nan_for_zero", "negative_zero", "flushed_output",
        "rounded_toward_zero", "rounded_away_from_zero", "rounded_at_random", "rounded_twice"},
       "its outputs are integers: there is nothing to round, and no NaN, infinity, subnormal number or negative zero"},
      {{"rearrangement", "sort"},
       "",
       {"rounded_toward_zero", "rounded_away_from_zero", "rounded_at_random", "rounded_twice"},
       "it moves numbers that have the format already: nothing rounds"},
      {{"optimizer"},
       "",
       {"row_edge_of_4", "row_edge_of_16", "row_overrun", "first_row_for_all", "tiles_transposed", "ignored_strides",
        "input_strides_ignored", "first_input_row_for_all"},
       "its operands are vectors: there is one row, and no gap between rows"},
      {{"sampling"},
       "",
       {"shifted_output", "lanes_exchanged", "tiles_transposed"},
       "the draws of a row are independent and of one distribution: in another order they are as likely"},
      {{"non_maximum_suppression"},
       "",
       {"nan_read_as_zero"},
       "whether a box with a coordinate that is NaN overlaps another one is left open: it may be taken for any box"},
      {{"sampling"},
       "",
       {"nan_read_as_zero"},
       "of rows with a logit that is NaN nothing is promised but that tokens are of the vocabulary"},
      {{"attention"},
       "",
       {"rounded_twice"},
       "weights may be stored in the output's 16 bits and all be off alike, by half a unit: a second rounding adds an "
       "eighth of one, and "
       "sums in float32 are off by more, too"},
      {{"non_maximum_suppression"}, "", {"input_row_edge"}, "a box has four numbers: a row ends within the first tile"},
      {{"non_maximum_suppression"},
       "",
       {"flushed_input"},
       "coordinates below the smallest normal number change areas by less than that: no threshold lies there"},
      {{"attention_backward"},
       "",
       {"swallowed_infinity", "invented_nan", "nan_read_as_zero"},
       "where values are not finite, products of 0 and infinity make gradients NaN in one right order and not in "
       "another: nothing is "
       "promised"},
      {{"l2_normalize"},
       "",
       {"swallowed_infinity", "invented_nan"},
       "its results are at most 1 in magnitude: no infinity is ever due"},
      {{"resize"},
       "",
       {"swallowed_infinity", "invented_nan"},
       "a weight of 0 may multiply an infinity or leave it out: nothing is promised where inputs are infinite"},
      {{"gemm"},
       "bf16.f32.bf16",
       {"fused_products"},
       "products of 16-bit numbers are exact in float32: no bit changes"},
      {{"gemm"}, "f16.f32.f16", {"fused_products"}, "products of 16-bit numbers are exact in float32: no bit changes"},
      {{"gemm"},
       "f32.f32.f32",
       {"fused_products"},
       "the rounding of a product is at most u|ab|, which the bound counts: both ways are right unless the same bits "
       "are promised"},
      {{"gemm"}, "bf16.f32.bf16", {"narrow_inputs"}, "bf16 has 8 significand bits, TF32 keeps 11: no bit changes"},
      {{"gemm"}, "bf16.f32.bf16", {"input_in_bfloat16"}, "inputs have that format already: no bit changes"},
      {{"gemm"}, "f16.f32.f16", {"input_in_float16"}, "inputs have that format already: no bit changes"},
      {{"gemm"}, "f16.f32.f16", {"narrow_inputs"}, "f16 has 11 significand bits, TF32 keeps 11: no bit changes"},
      {{"gemm"},
       "f32.f32.f32",
       {"truncated_output", "rounded_before_beta", "rounded_toward_zero", "rounded_away_from_zero", "rounded_at_random",
        "rounded_twice"},
       "the sum has the output's format already: no bit changes"}};
  return all;
}

ASSAY_DETAIL_HEADER_INLINE std::string proof_of_invisibility(std::string_view operation, std::string_view fault,
                                                             std::string_view formats) {
  const auto among = [](const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const UnseenFaults& entry : invisible_faults())
    if (among(entry.faults, fault) &&
        (entry.operations.empty() ? !among(entry.others, operation) : among(entry.operations, operation)) &&
        (entry.formats.empty() || entry.formats == formats))
      return std::string(entry.why);
  return "";
}

}  // namespace assay::inline v0
