#pragma once

#include "assay/faults/gemm_faults.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<Fault> gemm_faults() {
  const std::vector<std::string> gemm{"gemm"};
  return {
      {"dropped_term", FaultClass::missing_work, "leaves out one k of every sum", gemm},
      {"tail_of_terms", FaultClass::missing_work, "leaves out the k beyond a multiple of 32", gemm},
      {"terms_beyond_the_end", FaultClass::repeated_work,
       "rounds k up to a multiple of 8 and goes on with the first terms of the next row", gemm},
      {"dropped_tile_of_terms", FaultClass::missing_work, "leaves out 32 consecutive k of every sum", gemm},
      {"repeated_term", FaultClass::repeated_work, "counts one k of every sum twice", gemm},
      {"narrow_accumulator", FaultClass::precision, "keeps sums in 16 bits", gemm},
      {"accumulator_of_16_bits", FaultClass::precision, "keeps 16 significand bits of the sum of every 16 products",
       gemm},
      {"accumulator_of_13_bits", FaultClass::precision, "keeps 13 significand bits of the sum of every 16 products",
       gemm},
      {"accumulator_of_10_bits", FaultClass::precision, "keeps 10 significand bits of the sum of every 16 products",
       gemm},
      {"rounded_partial_sums", FaultClass::precision, "stores the partial sums of four splits of k in 16 bits", gemm},
      {"narrow_inputs", FaultClass::precision, "rounds float32 inputs to 11 significand bits, as TF32 does", gemm},
      {"truncated_output", FaultClass::rounding, "rounds outputs toward zero", gemm},
      {"sums_toward_zero", FaultClass::rounding,
       "rounds every partial sum toward zero where rounding to nearest is promised", gemm},
      {"fused_products", FaultClass::rounding,
       "rounds product and sum at once where the product is to be rounded first", gemm},
      {"rounded_before_beta", FaultClass::rounding, "rounds alpha*A*B to the output's format before it adds beta*C",
       gemm},
      {"neighbor_element", FaultClass::addressing, "gives one element its right neighbor's value", gemm},
      {"stale_tile", FaultClass::state, "leaves a previous result in one tile of 16 x 16 elements", gemm},
      {"zero_tile", FaultClass::missing_work, "leaves zeros in one tile of 16 x 16 elements", gemm},
      {"forgotten_alpha", FaultClass::missing_work, "leaves alpha out", gemm},
      {"private_staging", FaultClass::missing_work,
       "sums only the terms that its own thread of 16 has staged: its shared memory is private", gemm},
      {"missing_barrier", FaultClass::state,
       "reads the second half of a tile of 32 terms of A before it is staged, and finds the tile before", gemm},
      {"lost_atomic", FaultClass::state, "loses one of four partial sums of some elements, others each time", gemm},
      {"forgotten_beta", FaultClass::missing_work, "leaves out beta*C", gemm},
      {"wrong_batch", FaultClass::addressing, "reads the operands of batch 0 for batch 1", gemm},
      {"c_read_for_zero_beta", FaultClass::special_value, "adds 0*C where beta is 0", gemm},
      {"nan_written", FaultClass::special_value, "writes NaN to one element", gemm},
      {"swallowed_nan", FaultClass::special_value, "writes 0 where NaN is due", gemm},
      {"saturated_overflow", FaultClass::special_value, "writes the largest finite value where an infinity is due",
       gemm},
      {"flushed_subnormals", FaultClass::special_value, "reads subnormal inputs as zero", gemm},
      {"zeros_returned", FaultClass::missing_work, "writes zeros", gemm},
      {"unwritten_output", FaultClass::memory, "writes nothing", gemm},
      {"unwritten_tail", FaultClass::memory, "does not write the last rows beyond a multiple of 16", gemm},
      {"canary_overwritten", FaultClass::memory, "writes one element behind the output", gemm},
      {"input_modified", FaultClass::memory, "flips one bit of A", gemm},
  };
}

}  // namespace assay::inline v0
