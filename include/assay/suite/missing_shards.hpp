#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/suite/shard.hpp"

namespace assay::inline v0::detail {

/// The parts ("2/8") that none of these shards is, of every count that there is; empty texts are whole runs, and what
/// is no shard is missing itself. At most `most` of a count. O(shards · log shards).
[[nodiscard]] std::vector<std::string> missing_shards(const std::vector<std::string>& shards, std::size_t most = 8);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/missing_shards.ipp"
#endif
