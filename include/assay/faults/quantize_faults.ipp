#pragma once

#include "assay/faults/quantize_faults.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<Fault> quantize_faults() {
  const std::vector<std::string> quantize{"quantize"}, dequantize{"dequantize"}, both{"quantize", "dequantize"};
  return {
      {"exponent_off_by_one", FaultClass::rounding, "takes every scale to be twice what it is", both},
      {"padding_in_amax", FaultClass::addressing, "counts ones that pad a partly filled block in its largest magnitude",
       quantize},
      {"padding_scale_one", FaultClass::special_value, "pads the table of scales with 1.0 instead of zero", quantize},
      {"half_away", FaultClass::rounding, "rounds ties away from zero", quantize},
      {"nan_overflow", FaultClass::special_value, "writes NaN or infinity where the largest element is due", quantize},
      {"scale_stride", FaultClass::addressing,
       "takes the rows of the table of scales to be as long as there are full blocks", both},
      {"wrong_block", FaultClass::addressing, "takes the table of scales to have as many columns as it has rows", both},
      {"missing_zero_point", FaultClass::missing_work,
       "leaves out the zero point in the last columns beyond a multiple of 16", both},
      {"swizzled_tail", FaultClass::addressing,
       "does not interleave the scales of the last rows beyond a multiple of 128", both},
      {"swizzle_missing", FaultClass::addressing, "stores scales row by row where tiles are asked for", both},
      {"nibble_order", FaultClass::addressing, "stores the first of two codes in the other nibble", both},
      {"narrow_reciprocal", FaultClass::precision,
       "multiplies by a reciprocal of the scale that was rounded to 8 significand bits", quantize},
      {"truncated_codes", FaultClass::rounding, "rounds codes toward zero", quantize},
      {"nan_of_zeros", FaultClass::special_value, "divides zero by zero where a block is all zeros", quantize},
      {"stale_tensor_scale", FaultClass::state, "uses a scale of the tensor that is 5 % off", quantize},
      {"unwritten_tail", FaultClass::memory, "does not write the last rows beyond a multiple of 16", both},
      {"gaps_overwritten", FaultClass::memory, "writes zeros between the rows of its output", both},
      {"input_modified", FaultClass::memory, "flips one bit of its input", both},
  };
}

}  // namespace assay::inline v0
