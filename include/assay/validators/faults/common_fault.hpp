#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/validators/faults/input_faults.hpp"
#include "assay/validators/faults/output_faults.hpp"
#include "assay/validators/faults/rounding_faults.hpp"
#include "assay/validators/faults/state_faults.hpp"

namespace assay::inline v0 {

/// The faults that kernels of every operation can have.
[[nodiscard]] inline std::vector<Fault> common_operation_faults() {
  std::vector<Fault> all;
  const auto add = [&](const auto& group) {
    for (const auto& entry : group) all.push_back(entry.fault);
  };
  add(output_faults());
  add(input_faults());
  add(rounding_faults());
  add(state_faults());
  return all;
}

/// One of the common faults, done to launches of a right kernel whose operands are data in host memory. Thread safety: launches may overlap; their order is then
/// that in which they ended.
class CommonFault {
 public:
  /// Misuse: an unknown name.
  explicit CommonFault(const std::string& name) {
    const auto find = [&](const auto& group, auto& found) {
      for (const auto& entry : group)
        if (entry.fault.name == name) found = &entry;
    };
    find(output_faults(), output_);
    find(input_faults(), input_);
    find(rounding_faults(), rounding_);
    find(state_faults(), state_);
    expect(output_ != nullptr || input_ != nullptr || rounding_ != nullptr || state_ != nullptr, [&] {
      std::vector<std::string> known;
      for (const Fault& fault : common_operation_faults()) known.push_back(fault.name);
      return unknown_name("fault", name, known);
    });
  }

  /// Runs the right kernel and spoils what it did. Errors are the kernel's.
  [[nodiscard]] Result<void> launch(const std::vector<OperandSpec>& specs, const OperandArray& operands, const LaunchKernel& run) {
    if (input_ != nullptr) return detail::launch_on_misread_input(*input_, specs, operands, run);
    if (rounding_ != nullptr) return detail::launch_misrounded(*rounding_, specs, operands, run);
    const OutputLaunch launch(specs, operands);
    if (auto done = run(operands); !done || !launch.has_output()) return done;
    if (output_ != nullptr) output_->spoil(launch);
    if (state_ != nullptr) spoil_by_state(launch);
    return {};
  }

 private:
  void spoil_by_state(const OutputLaunch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::uint64_t> right = launch.codes();
    state_->spoil(history_, launch);
    ++history_.launches;
    history_.format = launch.output().format;
    history_.codes = std::move(right);
  }

  const OutputFault* output_ = nullptr;
  const InputFault* input_ = nullptr;
  const RoundingFault* rounding_ = nullptr;
  const StateFault* state_ = nullptr;
  std::mutex mutex_;
  LaunchHistory history_;
};

}  // namespace assay::inline v0
