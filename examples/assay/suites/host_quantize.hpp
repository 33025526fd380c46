#pragma once

#include "assay/suite/case.hpp"

namespace assay_program {

/// Adds the cases of Assay's own quantizers and dequantizers, which have one check, the full one, and data of their
/// own.
void add_host_quantize_cases(assay::Suite& suite);

}  // namespace assay_program
