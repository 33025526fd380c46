#pragma once

#include <string_view>

namespace assay::inline v0::detail {

/// Labels that are versions in the order of `parse_version`: −1, 0 or 1. Labels may be any text: what is no version
/// comes before all that are, by its letters. O(length).
[[nodiscard]] int compare_versions(std::string_view a, std::string_view b);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/version_order.ipp"
#endif
