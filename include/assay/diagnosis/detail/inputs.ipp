#pragma once

#include "assay/diagnosis/detail/inputs.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<int> inputs(const DiagnosedCase& given) {
  std::vector<int> positions;
  for (std::size_t i = 0; i < given.specs.size(); ++i)
    if (const int position = static_cast<int>(i);
        given.specs[i].role != OperandRole::output && given.specs[i].present && given.before[position].size() > 0)
      positions.push_back(position);
  return positions;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Index> input_extents(const DiagnosedCase& given) {
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

ASSAY_DETAIL_HEADER_INLINE InputNumbers input_numbers(const DiagnosedCase& given) {
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
