#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "assay/validators/diagnosis/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Positions of the operands that a kernel reads, and that have elements.
[[nodiscard]] inline std::vector<int> inputs(const DiagnosedCase& given) {
  std::vector<int> positions;
  for (std::size_t i = 0; i < given.specs.size(); ++i)
    if (const int position = static_cast<int>(i);
        given.specs[i].role != OperandRole::output && given.specs[i].present && given.before[position].size() > 0)
      positions.push_back(position);
  return positions;
}

/// Those of them that hold floating-point numbers.
[[nodiscard]] inline std::vector<int> float_inputs(const DiagnosedCase& given) {
  std::vector<int> positions = inputs(given);
  std::erase_if(positions, [&](int position) { return !given.before[position].format.is_float(); });
  return positions;
}

/// Extents of the inputs, and products of their last ones.
[[nodiscard]] inline std::vector<Index> input_extents(const DiagnosedCase& given) {
  std::vector<Index> extents;
  for (const int position : inputs(given)) {
    const std::vector<Index>& own = given.specs[static_cast<std::size_t>(position)].extents;
    Index product = 1;
    for (std::size_t d = own.size(); d-- > 0;) {
      product *= own[d];
      for (const Index extent : {own[d], product})
        if (extent > 1 && std::find(extents.begin(), extents.end(), extent) == extents.end()) extents.push_back(extent);
    }
  }
  return extents;
}

/// Whether all that is read beside outputs that are updated is floating point: then integers in the output can only be places.
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

[[nodiscard]] inline InputNumbers input_numbers(const DiagnosedCase& given) {
  InputNumbers found;
  for (const int position : float_inputs(given)) {
    const Operand& operand = given.before[position];
    const double smallest = std::ldexp(1.0, operand.format.layout.min_exponent());
    const double square_fits = std::sqrt(operand.format.max_finite());
    double largest = 0;
    for (Index element = 0; element < operand.size(); ++element) {
      const double magnitude = std::fabs(operand.load(element));
      largest = std::max(largest, magnitude);
      found.nonfinite = found.nonfinite || !is_finite(magnitude);
      found.subnormal = found.subnormal || (magnitude > 0 && magnitude < smallest);
      found.large = found.large || magnitude > square_fits;
      found.small = found.small || (magnitude > 0 && magnitude < 1 / square_fits);
    }
    found.subnormal_throughout = found.subnormal_throughout || (largest > 0 && largest < smallest);
  }
  return found;
}

}  // namespace assay::inline v0::detail
