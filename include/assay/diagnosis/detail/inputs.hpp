#pragma once

#include <cstddef>
#include <vector>

#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Positions of the operands that a kernel reads, and that have elements.
[[nodiscard]] std::vector<int> inputs(const DiagnosedCase& given);

/// Those of them that hold floating-point numbers.
[[nodiscard]] inline std::vector<int> float_inputs(const DiagnosedCase& given) {
  std::vector<int> positions = inputs(given);
  std::erase_if(positions, [&](int position) { return !given.before[position].format.is_float(); });
  return positions;
}

/// Extents of the inputs, and products of their last ones.
[[nodiscard]] std::vector<Index> input_extents(const DiagnosedCase& given);

/// Whether all that is read beside outputs that are updated is floating point: then integers in the output can only be
/// places.
[[nodiscard]] inline bool all_inputs_floats(const DiagnosedCase& given) {
  for (const OperandSpec& spec : given.specs)
    if (spec.role == OperandRole::input && spec.present && !spec.format.is_float()) return false;
  return !given.specs.empty();
}

/// Which numbers inputs have anywhere that kernels may treat otherwise than the rest.
struct InputNumbers {
  bool nonfinite = false, subnormal = false;
  bool large = false, small = false;  ///< so much that the square, or its reciprocal, leaves the format
  bool subnormal_throughout = false;  ///< one of them has nothing but zeros else

  [[nodiscard]] bool special() const { return nonfinite || subnormal || large || small; }
};

[[nodiscard]] InputNumbers input_numbers(const DiagnosedCase& given);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/inputs.ipp"
#endif
