#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "assay/backends/host.hpp"

namespace assay::inline v0 {

/// Eigen on the host's memory. Its kernels are compiled into the unit that includes them, with that unit's instruction
/// sets, and use Eigen's threads (one, unless compiled with OpenMP).
struct EigenLibrary : Host {
  using Host::Host;

  [[nodiscard]] std::string_view name() const { return "eigen"; }

  /// Eigen's version, and the instruction sets that this unit was compiled for.
  [[nodiscard]] static std::string version() {
    return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION) + ", compiled for " + Eigen::SimdInstructionSetsInUse() + ", " +
           std::to_string(Eigen::nbThreads()) + " threads";
  }
};

}  // namespace assay::inline v0
