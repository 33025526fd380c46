#pragma once

#include "assay/kernels/operation_names.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string extents_name(const std::vector<Index>& extents) {
  std::string name;
  for (const Index extent : extents) {
    if (!name.empty()) name += 'x';
    name += std::to_string(extent);
  }
  return name;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check_extents(std::initializer_list<std::pair<const char*, Index>> extents) {
  Index product = 1;
  for (const auto& [name, extent] : extents) {
    if (extent < 0)
      return failure(ErrorKind::invalid,
                     std::string(name) + " is " + std::to_string(extent) + "; it must be 0 or more");
    product = checked_product(product, extent > 0 ? extent : 1);
    if (product < 0)
      return failure(ErrorKind::invalid,
                     std::string("the extents exceed 2^63 − 1 elements at ") + name + " = " + std::to_string(extent));
  }
  return {};
}

}  // namespace assay::inline v0
