#pragma once

#include <algorithm>
#include <cmath>

namespace assay::testing {

/// Equal but for the order in which a few doubles were added.
inline bool near(double a, double b, double relative = 4e-15) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

}  // namespace assay::testing
