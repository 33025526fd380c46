#pragma once

#include <optional>
#include <string>
#include <utility>

#include "assay/diagnosis/detail/borrowed_values.hpp"
#include "assay/diagnosis/detail/displaced_output.hpp"
#include "assay/diagnosis/detail/machine_patterns.hpp"

namespace assay::inline v0::detail {

/// Right values in wrong places. `repeats`: launches are known to repeat themselves.
[[nodiscard]] inline std::optional<Diagnosis> by_borrowed_places(const FailingOutput& output, bool repeats) {
  std::optional<Diagnosis> found = DisplacedOutput(output, repeats).explanation();
  return found ? found : BorrowedValues(output).explanation();
}

/// The same of an output that is right elsewhere: places are those of a program, or, where they recur with the lanes or
/// warps of a machine, those of the machine. `irregular`: the same output of a launch on irregular data, if there was
/// one, where more of the pattern shows.
[[nodiscard]] inline std::optional<Diagnosis> by_places(const FailingOutput& output, bool repeats,
                                                        const FailingOutput* irregular = nullptr) {
  std::optional<Diagnosis> found = by_borrowed_places(output, repeats);
  if (!found || found->fault_class != FaultClass::addressing) return found;
  std::string recurrence = machine_recurrence(output);
  if (recurrence.empty() && irregular != nullptr) recurrence = machine_recurrence(*irregular);
  if (recurrence.empty()) recurrence = blocks_of_neighbors(output);
  if (recurrence.empty()) return found;
  found->fault_class = FaultClass::state;
  found->kind = "faulty_lane";
  found->confidence = Confidence::likely;
  found->evidence.push_back(std::move(recurrence));
  return found;
}

}  // namespace assay::inline v0::detail
