#pragma once

#include "assay/release/combination_id.hpp"

#include <string_view>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::uint64_t combination_hash(const NamedCombination& combination) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](std::string_view text) {
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
    hash = (hash ^ '\n') * 1099511628211u;
  };
  for (const auto& [axis, value] : combination) {
    add(axis);
    add(value);
  }
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
  return hash ^ (hash >> 33);
}

}  // namespace assay::inline v0
