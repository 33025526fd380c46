#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::inline v0::detail {

/// "rank 3", "ranks 0 to 2, 5"; `ranks` ascend. After `most` pieces: ", and 37 more".
[[nodiscard]] std::string rank_list(const std::vector<int>& ranks, std::size_t most = 16);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/detail/rank_list.ipp"
#endif
