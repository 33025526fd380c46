#pragma once

#include <string>
#include <vector>

#include "assay/collectives/verification/detail/output_diagnosis.hpp"

namespace assay::inline v0::detail {

/// Hypotheses that explain at least half of what is wrong in that output, the best first; at most 4.
inline std::vector<CollectiveSuspicion> diagnose_output(const CollectiveData& data, int rank, std::uint64_t call,
                                                        const char* output, Index extent, unsigned char poison,
                                                        const std::vector<StreamPart>& parts,
                                                        const std::vector<ElementRun>& runs, Index wrong) {
  return OutputDiagnosis(data, rank, call, output, extent, poison, parts, runs, wrong).suspicions();
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/diagnose_output.ipp"
#endif
