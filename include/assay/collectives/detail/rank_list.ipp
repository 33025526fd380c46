#pragma once

#include "assay/collectives/detail/rank_list.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string rank_list(const std::vector<int>& ranks, std::size_t most) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t first = 0, pieces = 0; first < ranks.size(); ++pieces) {
    if (pieces == most) return text + ", and " + std::to_string(ranks.size() - first) + " more";
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (last == first + 1) last = first;
    if (first > 0) text += ", ";
    text += std::to_string(ranks[first]);
    if (last > first) text += " to " + std::to_string(ranks[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace assay::inline v0::detail
