#pragma once

#include <string>
#include <vector>

#include "assay/core/fault.hpp"

namespace assay::inline v0 {

/// The faults that `emulated_quantise_subject` and `emulated_dequantise_subject` can build into a kernel.
[[nodiscard]] std::vector<Fault> quantise_faults();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/faults/quantise_faults.ipp"
#endif
