#pragma once

#include <cstddef>
#include <string_view>

namespace assay::inline v0::detail {

/// Versions as people write them, compared part by part, digits as numbers of any length: 550.9 < 550.54 < 550.54.1,
/// v1.9 < v1.10. Prereleases come before their release (1.2.dev1 < 1.2a0 < 1.2-rc1 < 1.2), revisions of distributions
/// behind it (1.2 < 1.2-66), an epoch before all ("1:0.9" is later than 2). −1, 0 or 1. O(length). Labels may be any
/// text, which has its place here, too; `release/version.hpp` takes versions only.
[[nodiscard]] int compare_versions(std::string_view a, std::string_view b) noexcept;

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/version_order.ipp"
#endif
