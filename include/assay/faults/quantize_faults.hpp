#pragma once

#include <string>
#include <vector>

#include "assay/core/fault.hpp"

namespace assay::inline v0 {

/// The faults that `emulated_quantize_subject` and `emulated_dequantize_subject` can build into a kernel.
[[nodiscard]] std::vector<Fault> quantize_faults();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/quantize_faults.ipp"
#endif
