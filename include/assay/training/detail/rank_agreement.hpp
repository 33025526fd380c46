#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/training/training_fault.hpp"
#include "assay/training/training_trace.hpp"

namespace assay::inline v0::detail {

/// `invalid` where traces do not belong together, or to these options: then nothing can be read from them.
[[nodiscard]] Result<void> check_traces(const TrainingOptions& options, std::span<const TrainingTrace> traces);

[[nodiscard]] inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

/// What ranks do not agree on before step k of the recorded ones.
[[nodiscard]] std::vector<TrainingFinding> disagreements_before(const TrainingOptions& options,
                                                                std::span<const TrainingTrace> traces, std::size_t k);

/// What ranks do not agree on after step k of the recorded ones.
[[nodiscard]] std::vector<TrainingFinding> disagreements_after(const TrainingOptions& options,
                                                               std::span<const TrainingTrace> traces, std::size_t k);

/// Steps that were not recorded in full: losses and checksums of weights must be the same on all ranks.
[[nodiscard]] std::vector<TrainingFinding> disagreements_of_checksums(std::span<const TrainingTrace> traces);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/training/detail/rank_agreement.ipp"
#endif
