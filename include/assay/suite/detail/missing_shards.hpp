#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "assay/suite/shard.hpp"

namespace assay::inline v0::detail {

/// The parts ("2/8") that none of these shards is, of every count that there is; empty texts are whole runs, and what is no shard is missing
/// itself. At most `most` of a count. O(shards · log shards).
[[nodiscard]] inline std::vector<std::string> missing_shards(const std::vector<std::string>& shards, std::size_t most = 8) {
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
