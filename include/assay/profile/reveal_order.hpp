#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/profile/summation_tree.hpp"

namespace assay::inline v0 {

/// Answers, for pairs of terms, how many terms there are under the addition in which the two first meet.
using TermsWhereTheyMeet = std::function<Result<std::vector<Index>>(const std::vector<std::pair<Index, Index>>&)>;

/// The summation tree of `terms` terms, from questions about pairs of them: between 2·terms for chains and terms² for
/// additions of very many operands; batched, so that there are about log(terms) calls, or as many as additions have
/// operands. The result is canonical. `ErrorKind::invalid` where no tree explains the answers; errors of `ask` are
/// passed on. Source: Xie, Lu, Liu, Gao, Wang, "FPRev: Revealing the Order of Floating-Point Summation" (USENIX ATC
/// 2025), with the pivot in the middle, so that sums from either end take few questions.
[[nodiscard]] Result<SummationTree> reveal_order(Index terms, const TermsWhereTheyMeet& ask);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/reveal_order.ipp"
#endif
