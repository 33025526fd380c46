#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/faults/input_faults.hpp"
#include "assay/faults/output_faults.hpp"
#include "assay/faults/rounding_faults.hpp"
#include "assay/faults/state_faults.hpp"

namespace assay::inline v0 {

/// A fault that kernels of every operation can have: in what they write, read, round, or keep from launch to launch.
/// Its members `fault` say which one it is.
using AnyCommonFault = std::variant<OutputFault, InputFault, RoundingFault, StateFault>;

/// What it is called, and of which class it is.
[[nodiscard]] inline const Fault& fault_of(const AnyCommonFault& any) {
  return std::visit([](const auto& one) -> const Fault& { return one.fault; }, any);
}

/// Those of the corpus.
[[nodiscard]] const std::vector<AnyCommonFault>& common_faults();

/// Their names, effects and classes.
[[nodiscard]] inline std::vector<Fault> common_operation_faults() {
  std::vector<Fault> all;
  for (const AnyCommonFault& any : common_faults()) all.push_back(fault_of(any));
  return all;
}

/// The common fault of that name. Misuse: an unknown one. O(faults).
[[nodiscard]] const AnyCommonFault& common_fault_named(const std::string& name);

/// A common fault, one of the corpus or one's own, done to launches of a right kernel whose operands are data in host
/// memory. Thread safety: launches may overlap; their order is then that in which they ended.
class CommonFault {
 public:
  explicit CommonFault(AnyCommonFault fault) : fault_(std::move(fault)) {}
  /// Misuse: an unknown name.
  explicit CommonFault(const std::string& name) : CommonFault(common_fault_named(name)) {}

  /// Runs the right kernel and spoils what it did. Errors are the kernel's.
  [[nodiscard]] Result<void> launch(const std::vector<OperandSpec>& specs, const OperandArray& operands,
                                    const LaunchKernel& run);

 private:
  void spoil_by_state(const StateFault& state, const OutputLaunch& launch);

  AnyCommonFault fault_;
  std::mutex mutex_;
  LaunchHistory history_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/common_fault.ipp"
#endif
