#pragma once

#include <vector>

#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/verification/collective_problem.hpp"
#include "assay/collectives/verification/detail/element_codes.hpp"

namespace assay::inline v0::detail {

/// `length` elements at `at` of a buffer are those of a stream from `from` on: of what rank `source` sends, or of what
/// all ranks' streams reduce to where `source` is `of_all`.
struct StreamPart {
  Index at = 0, length = 0;
  int source = 0;
  Index from = 0;
};
inline constexpr int of_all = -1;

/// The blocks of an all_to_all_v of one rank, with an element between them that belongs to none.
[[nodiscard]] RankBlockLayout varied_layout(const CollectiveProblem& problem, int rank, int size, bool sent);

/// The call of one rank without its buffers.
[[nodiscard]] CollectiveCall call_of(const CollectiveProblem& problem, int rank, int size, std::uint64_t call);

/// What the rank's output must hold after the call; places in no part must be left as they were. O(size).
[[nodiscard]] std::vector<StreamPart> expected_parts(const CollectiveProblem& problem, int rank, int size,
                                                     std::uint64_t call);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/detail/movement_plan.ipp"
#endif
