#pragma once

#include "assay/kernels/all_operations.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay::inline v0 {

/// The products that most libraries have. `assay::compiled` has what validates them on the host.
using CommonGemms =
    Operations<Gemm<float64, float64, float64, float64>, Gemm<float32, float32, float32, float32>,
               Gemm<float16, float16, float32, float32>, Gemm<float16, float16, float32, float16>,
               Gemm<float16, float16, float16, float16>, Gemm<bfloat16, bfloat16, float32, float32>,
               Gemm<bfloat16, bfloat16, float32, bfloat16>, Gemm<bfloat16, bfloat16, bfloat16, bfloat16>>;

}  // namespace assay::inline v0
