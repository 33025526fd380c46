#pragma once

#include <optional>
#include <string>

#include "assay/validators/diagnosis/detail/borrowed_values.hpp"
#include "assay/validators/diagnosis/detail/displaced_output.hpp"

namespace assay::inline v0::detail {

/// Right values in wrong places: those of a program, or, where they recur with the lanes or warps of a machine, those of the machine. `repeats`: launches are known to repeat themselves.
/// `irregular`: the same output of a launch on irregular data, if there was one, where more of the pattern shows.
[[nodiscard]] inline std::optional<Diagnosis> by_places(const FailingOutput& output, bool repeats,
                                                        const FailingOutput* irregular = nullptr) {
  std::optional<Diagnosis> found = DisplacedOutput(output, repeats).explanation();
  if (!found) found = BorrowedValues(output).explanation();
  if (!found || found->fault_class != FaultClass::addressing) return found;
  std::size_t period = machine_period(output);
  if (period == 0 && irregular != nullptr) period = machine_period(*irregular);
  if (period == 0) return found;
  found->fault_class = FaultClass::state;
  found->kind = "faulty_lane";
  found->confidence = Confidence::likely;
  found->evidence.push_back("they recur every " + std::to_string(period) +
                            " elements, and all others are right: one lane, warp or multiprocessor");
  return found;
}

}  // namespace assay::inline v0::detail
