#pragma once

#include <vector>

#include "assay/core/outcome.hpp"

namespace assay::inline v0::detail {

/// Where nearly all series of a scan, five at least, moved by one factor and got worse, adds one outcome that fails for
/// all of them, and leaves those inconclusive: forty kernels do not get 10 % slower in one night, their machine does.
/// O(n log n).
void tell_common_change(std::vector<Outcome>& outcomes);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/common_change.ipp"
#endif
