#pragma once

#include <vector>

#include "assay/collectives/verification/collective_data.hpp"
#include "assay/collectives/verification/rank_finding.hpp"

namespace assay::detail {

/// Looks for the cause of wrong elements in one rank's output.
class OutputDiagnosis {
 public:
  OutputDiagnosis(const CollectiveData&, int, std::uint64_t, const char*, Index, unsigned char, const std::vector<StreamPart>&, const std::vector<ElementRun>&, Index) {}
  [[nodiscard]] std::vector<CollectiveSuspicion> suspicions() const { return {}; }
};

}  // namespace assay::detail
