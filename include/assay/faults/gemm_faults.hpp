#pragma once

#include <vector>

#include "assay/core/fault.hpp"

namespace assay::inline v0 {

/// The faults that `faulty_gemm_subject` can build into a GEMM kernel.
[[nodiscard]] std::vector<Fault> gemm_faults();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/gemm_faults.ipp"
#endif
