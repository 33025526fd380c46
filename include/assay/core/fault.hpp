#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::inline v0 {

/// What goes wrong, as a reader of a diagnosis thinks of it.
enum class FaultClass {
  missing_work,   ///< terms, tiles or elements that were not computed
  repeated_work,  ///< terms counted more than once
  precision,      ///< arithmetic narrower than promised
  rounding,       ///< a wrong or doubled rounding
  addressing,     ///< the right values in the wrong place, or the wrong operands
  special_value,  ///< NaN, infinity, signed zero or subnormals mishandled
  memory,         ///< writes outside the output, inputs modified, outputs left unwritten
  state,          ///< results that depend on what ran before or on timing; random numbers that are used again
  progress        ///< what comes late, in another order than promised, or not at all
};

/// The name in fault lists and diagnoses.
[[nodiscard]] constexpr std::string_view name_of(FaultClass fault_class) noexcept {
  switch (fault_class) {
    case FaultClass::missing_work: return "missing_work";
    case FaultClass::repeated_work: return "repeated_work";
    case FaultClass::precision: return "precision";
    case FaultClass::rounding: return "rounding";
    case FaultClass::addressing: return "addressing";
    case FaultClass::special_value: return "special_value";
    case FaultClass::memory: return "memory";
    case FaultClass::state: return "state";
    case FaultClass::progress: return "progress";
  }
  return "state";
}

/// A named fault of a kernel: the vocabulary shared by faulty subjects, tests, benches and diagnoses.
struct Fault {
  std::string name;  ///< snake_case, unique
  FaultClass fault_class = FaultClass::missing_work;
  std::string effect;                   ///< what a kernel with this fault does, one sentence
  std::vector<std::string> operations;  ///< the operations it fits; empty: every one

  /// Whether kernels of `operation` can have this fault.
  [[nodiscard]] bool fits(std::string_view operation) const {
    if (operations.empty()) return true;
    for (const std::string& entry : operations)
      if (entry == operation) return true;
    return false;
  }
};

}  // namespace assay::inline v0
