#pragma once

#include "assay/tolerance/acceptance_interval.hpp"

namespace assay::inline v0::detail {

/// One element, judged for good.
struct LookedElement {
  double out = 0, reference = 0;
  AcceptanceInterval accepted;
  double ratio = 0;
  double error_of_sums = 0;
  double place = 0,
         rounded = 0;  ///< the unit in the last place at the reference, and the reference rounded, where that is finite
  bool refined = false;
};

}  // namespace assay::inline v0::detail
