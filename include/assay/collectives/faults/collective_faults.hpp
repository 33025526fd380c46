#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/collectives/faults/collective_fault.hpp"

namespace assay::inline v0 {

/// The faults that `FaultyCollective` can give to a right collective. "The guilty rank" is `FaultInjection::rank`.
[[nodiscard]] std::vector<CollectiveFault> collective_faults();

/// The fault of that name, if there is one.
[[nodiscard]] inline std::optional<CollectiveFault> collective_fault_named(std::string_view name) {
  for (CollectiveFault& fault : collective_faults())
    if (fault.name == name) return std::move(fault);
  return std::nullopt;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/collective_faults.ipp"
#endif
