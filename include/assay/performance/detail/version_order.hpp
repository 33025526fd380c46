#pragma once

#include <cstddef>
#include <string_view>

namespace assay::inline v0::detail {

/// Dotted versions, compared field by field, digits as numbers of any length: 550.9 < 550.54 < 550.54.1, v1.9 < v1.10.
/// Where one ends, a field more is later (1.2 < 1.2.1) unless it begins a pre-release (1.2-rc1 < 1.2-rc2 < 1.2). −1, 0
/// or 1. O(length). Labels may be any text, which has its place here, too; `release/version.hpp` takes versions only,
/// and orders them by SemVer.
[[nodiscard]] int compare_versions(std::string_view a, std::string_view b) noexcept;

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/version_order.ipp"
#endif
