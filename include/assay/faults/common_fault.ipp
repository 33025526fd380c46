#pragma once

#include "assay/faults/common_fault.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE const std::vector<AnyCommonFault>& common_faults() {
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

ASSAY_DETAIL_HEADER_INLINE const AnyCommonFault& common_fault_named(const std::string& name) {
  std::vector<std::string> known;
  for (const AnyCommonFault& any : common_faults()) {
    if (fault_of(any).name == name) return any;
    known.push_back(fault_of(any).name);
  }
  misuse(unknown_name("fault", name, known));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> CommonFault::launch(const std::vector<OperandSpec>& specs,
                                                            const OperandArray& operands, const LaunchKernel& run) {
  if (const auto* input = std::get_if<InputFault>(&fault_))
    return detail::launch_on_misread_input(*input, specs, operands, run);
  if (const auto* rounding = std::get_if<RoundingFault>(&fault_))
    return detail::launch_misrounded(*rounding, specs, operands, run);
  const OutputLaunch launch(specs, operands);
  if (auto done = run(operands); !done || !launch.has_output()) return done;
  if (const auto* output = std::get_if<OutputFault>(&fault_)) output->spoil(launch);
  if (const auto* state = std::get_if<StateFault>(&fault_)) spoil_by_state(*state, launch);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void CommonFault::spoil_by_state(const StateFault& state, const OutputLaunch& launch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::uint64_t> right = launch.codes();
  state.spoil(history_, launch);
  ++history_.launches;
  history_.format = launch.output().format;
  history_.codes = std::move(right);
}

}  // namespace assay::inline v0
