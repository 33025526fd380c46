#pragma once

#include <vector>

#include "assay/core/fault.hpp"

namespace assay {

/// The faults that `faulty_gemm_subject` can build into a GEMM kernel.
[[nodiscard]] inline std::vector<Fault> gemm_faults() {
  const std::vector<std::string> gemm{"gemm"};
  return {
      {"dropped_term", FaultClass::missing_work, "leaves out one k of every sum", gemm},
      {"dropped_tile_of_terms", FaultClass::missing_work, "leaves out 32 consecutive k of every sum", gemm},
      {"repeated_term", FaultClass::repeated_work, "counts one k of every sum twice", gemm},
      {"narrow_accumulator", FaultClass::precision, "keeps sums in 16 bits", gemm},
      {"rounded_partial_sums", FaultClass::precision, "stores the partial sums of four splits of k in 16 bits", gemm},
      {"narrow_inputs", FaultClass::precision, "rounds float32 inputs to 11 significand bits, as TF32 does", gemm},
      {"truncated_output", FaultClass::rounding, "rounds outputs toward zero", gemm},
      {"neighbour_element", FaultClass::addressing, "gives one element its right neighbour's value", gemm},
      {"stale_tile", FaultClass::state, "leaves a previous result in one tile of 16 x 16 elements", gemm},
      {"forgotten_beta", FaultClass::missing_work, "leaves out beta*C", gemm},
      {"wrong_batch", FaultClass::addressing, "reads the operands of batch 0 for batch 1", gemm},
      {"nan_written", FaultClass::special_value, "writes NaN to one element", gemm},
      {"swallowed_nan", FaultClass::special_value, "writes 0 where NaN is due", gemm},
      {"saturated_overflow", FaultClass::special_value, "writes the largest finite value where an infinity is due", gemm},
      {"flushed_subnormals", FaultClass::special_value, "reads subnormal inputs as zero", gemm},
      {"zeros_returned", FaultClass::missing_work, "writes zeros", gemm},
      {"unwritten_output", FaultClass::memory, "writes nothing", gemm},
      {"unwritten_tail", FaultClass::memory, "does not write the last rows beyond a multiple of 16", gemm},
      {"canary_overwritten", FaultClass::memory, "writes one element behind the output", gemm},
      {"input_modified", FaultClass::memory, "flips one bit of A", gemm},
  };
}

}  // namespace assay
