#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/validators/faults/input_faults.hpp"
#include "assay/validators/faults/output_faults.hpp"
#include "assay/validators/faults/rounding_faults.hpp"
#include "assay/validators/faults/state_faults.hpp"

namespace assay::inline v0 {

/// A fault that kernels of every operation can have: in what they write, read, round, or keep from launch to launch. Its members `fault` say which one it is.
using AnyCommonFault = std::variant<OutputFault, InputFault, RoundingFault, StateFault>;

/// What it is called, and of which class it is.
[[nodiscard]] inline const Fault& fault_of(const AnyCommonFault& any) {
  return std::visit([](const auto& one) -> const Fault& { return one.fault; }, any);
}

/// Those of the corpus.
[[nodiscard]] inline const std::vector<AnyCommonFault>& common_faults() {
  static const std::vector<AnyCommonFault> all = [] {
    std::vector<AnyCommonFault> faults;
    const auto add = [&](const auto& group) { faults.insert(faults.end(), group.begin(), group.end()); };
    add(output_faults());
    add(input_faults());
    add(rounding_faults());
    add(state_faults());
    return faults;
  }();
  return all;
}

/// Their names, effects and classes.
[[nodiscard]] inline std::vector<Fault> common_operation_faults() {
  std::vector<Fault> all;
  for (const AnyCommonFault& any : common_faults()) all.push_back(fault_of(any));
  return all;
}

/// The common fault of that name. Misuse: an unknown one. O(faults).
[[nodiscard]] inline const AnyCommonFault& common_fault_named(const std::string& name) {
  std::vector<std::string> known;
  for (const AnyCommonFault& any : common_faults()) {
    if (fault_of(any).name == name) return any;
    known.push_back(fault_of(any).name);
  }
  misuse(unknown_name("fault", name, known));
}

/// A common fault, one of the corpus or one's own, done to launches of a right kernel whose operands are data in host memory. Thread safety: launches may overlap; their order is then
/// that in which they ended.
class CommonFault {
 public:
  explicit CommonFault(AnyCommonFault fault) : fault_(std::move(fault)) {}
  /// Misuse: an unknown name.
  explicit CommonFault(const std::string& name) : CommonFault(common_fault_named(name)) {}

  /// Runs the right kernel and spoils what it did. Errors are the kernel's.
  [[nodiscard]] Result<void> launch(const std::vector<OperandSpec>& specs, const OperandArray& operands, const LaunchKernel& run) {
    if (const auto* input = std::get_if<InputFault>(&fault_)) return detail::launch_on_misread_input(*input, specs, operands, run);
    if (const auto* rounding = std::get_if<RoundingFault>(&fault_)) return detail::launch_misrounded(*rounding, specs, operands, run);
    const OutputLaunch launch(specs, operands);
    if (auto done = run(operands); !done || !launch.has_output()) return done;
    if (const auto* output = std::get_if<OutputFault>(&fault_)) output->spoil(launch);
    if (const auto* state = std::get_if<StateFault>(&fault_)) spoil_by_state(*state, launch);
    return {};
  }

 private:
  void spoil_by_state(const StateFault& state, const OutputLaunch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::uint64_t> right = launch.codes();
    state.spoil(history_, launch);
    ++history_.launches;
    history_.format = launch.output().format;
    history_.codes = std::move(right);
  }

  AnyCommonFault fault_;
  std::mutex mutex_;
  LaunchHistory history_;
};

}  // namespace assay::inline v0
