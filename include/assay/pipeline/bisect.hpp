#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What a bisection did.
struct Bisection {
  std::optional<std::size_t> first;   ///< the first node that is wrong; nothing where the last is right
  std::size_t runs = 0;               ///< nodes that were compared
  bool monotone = true;               ///< as far as was looked: right nodes, then wrong ones
  std::vector<std::size_t> compared;  ///< in the order of looking
};

/// Whether a node's output is wrong, where all before it ran free. Errors end the search.
using NodeIsWrong = std::function<Result<bool>(std::size_t)>;

/// The first wrong node of a chain of `nodes`, by O(log nodes) comparisons, then `probes` more, spread over the part
/// before it, which are to be right, and as many behind it, which are to be wrong. Where one is not, the error comes
/// and goes (a clamp, a rounding or an argmax hides it), halving proves nothing, and every node up to the first found
/// is looked at: then the answer is exact.
[[nodiscard]] Result<Bisection> bisect_chain(std::size_t nodes, const NodeIsWrong& is_wrong, std::size_t probes = 4);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/pipeline/bisect.ipp"
#endif
