#pragma once

#include <string>

#include "assay/adapters/onednn/onednn.hpp"
#include "testing/operation_conformance.hpp"

namespace assay::testing {

/// Whether a case has subnormal numbers in bf16, and oneDNN's kernels compute it by the processor's instructions for
/// bf16, which take and give 0 for them in every mode (VCVTNEPS2BF16 and VDPBF16PS: Intel's Software Developer's
/// Manual).
inline bool flushed_by_bf16_instructions(const std::string& id) {
  const std::string kernels = detail::onednn_instruction_set();
  const bool has_instructions = has(kernels, "bf16") || has(kernels, "amx") || has(kernels, "fp16");
  return has_instructions && has(id, "bf16") && (has(id, "/subnormal") || has(id, "/special") || has(id, "/extreme"));
}

}  // namespace assay::testing
