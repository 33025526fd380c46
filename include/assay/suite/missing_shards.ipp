#pragma once

#include "assay/suite/missing_shards.hpp"

#include <map>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> missing_shards(const std::vector<std::string>& shards,
                                                                   std::size_t most) {
  std::map<std::size_t, std::set<std::size_t>> given;
  std::vector<std::string> missing;
  for (const std::string& text : shards) {
    if (text.empty()) continue;
    if (const auto shard = parse_shard(text))
      given[shard.value().count].insert(shard.value().index);
    else
      missing.push_back(text);
  }
  for (const auto& [count, indices] : given) {
    std::size_t told = 0;
    for (std::size_t index = 1; index <= count && told < most; ++index)
      if (indices.count(index) == 0) {
        missing.push_back(name_of(Shard{index, count}));
        ++told;
      }
  }
  return missing;
}

}  // namespace assay::inline v0::detail
