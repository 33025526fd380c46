#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/faults/collective_faults.hpp"
#include "assay/collectives/faults/fault_injection.hpp"
#include "assay/collectives/verification/collective_check_options.hpp"
#include "assay/collectives/verification/collective_problem.hpp"

namespace assay::inline v0 {

/// A fault and a problem in which it shows: what checks are checked with.
struct FaultTrial {
  FaultInjection injection;
  CollectiveProblem problem;
  CollectiveCheckOptions options;
};

/// What a check made of a collective with a fault.
struct FaultFinding {
  bool took_effect = true;        ///< anything was altered on any rank; nothing is to be caught otherwise
  bool caught = false;            ///< the check found something wrong
  bool named = false;             ///< by its name, or that of a fault that looks the same
  bool guilty_told = false;       ///< the guilty rank was named, and no other
  bool guilty_wrong = false;      ///< another rank was named
  std::string said;               ///< what the check said, in one sentence
  bool guilty_suspected = false;  ///< none was named, and the guilty rank is among those that are suspected
};

/// The rank whose doing it is: the root where only the root gives or receives; -1 where all ranks do the same.
[[nodiscard]] int blamed_rank(const FaultTrial& trial);

/// Whether a communicator can be used after the fault.
[[nodiscard]] inline bool keeps_communicator(const CollectiveFault& fault) {
  return fault.fault_class != FaultClass::progress || fault.name == "early_barrier_exit";
}

/// Names of faults that an observer of one call's buffers cannot tell from this one, itself first.
[[nodiscard]] std::vector<std::string> faults_that_look_like(const FaultTrial& trial);

/// Problems of `size` ranks in which a fault shows: every operation and operator that it fits, on each of `types`; one
/// of each operation where ranks are absent, late or call different things. The guilty rank, the root and the seed
/// change from one to the next.
[[nodiscard]] std::vector<FaultTrial> fault_trials(const CollectiveFault& fault, int size,
                                                   std::span<const ElementType> types, std::uint64_t seed = 1);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/faults/fault_trial.ipp"
#endif
