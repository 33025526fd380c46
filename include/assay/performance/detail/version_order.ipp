#pragma once

#include "assay/performance/detail/version_order.hpp"

#include "assay/core/config.hpp"
#include "assay/core/parsed_version.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE int compare_versions(std::string_view a, std::string_view b) {
  const Result<Version> left = parse_version(a), right = parse_version(b);
  if (left.has_value() != right.has_value()) return left ? 1 : -1;
  if (!left) return a == b ? 0 : a < b ? -1 : 1;
  const std::weak_ordering order = left.value() <=> right.value();
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

}  // namespace assay::inline v0::detail
