#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "assay/profile/summation_tree.hpp"

namespace assay::inline v0 {

/// How steps of one partial sum follow each other.
enum class SummationChain { ascending, descending, pairwise };
/// How strided partial sums are put together: one after the other, upper half to lower half, or neighbors.
enum class LaneOrder { in_order, halves, neighbors };

/// A rule from which the summation tree for any number of terms follows, from the outside in: contiguous blocks are
/// summed by themselves and added in order; in a block, steps of `fused` terms are dealt out to `lanes` partial sums in
/// turn; a partial sum is a chain.
struct SummationShape {
  Index block = 0;  ///< terms in a block; 0: not in blocks
  /// with blocks: the last terms, where they are more than one block and less than two, are halved, as GotoBLAS's
  /// descendants do
  bool halved_rest = false;
  Index parts = 0;  ///< or so many blocks of equal length (split-K); 0: not
  Index lanes = 1;  ///< partial sums, each of every lanes-th step
  LaneOrder lane_order = LaneOrder::in_order;
  SummationChain chain = SummationChain::ascending;
  Index base = 1;       ///< pairwise: chains of at most so many steps are not halved any more
  Index fused = 1;      ///< terms added in one step
  bool carried = true;  ///< the sum so far takes part in that step; otherwise it is added in one of its own

  friend bool operator==(const SummationShape&, const SummationShape&) = default;
};

/// "blocks of 384, in order; in each strided over 4 lanes".
[[nodiscard]] std::string text_of(const SummationShape& shape);

namespace detail {

/// Builds the tree of a shape.
struct ShapedTree {
  const SummationShape& shape;
  SummationTree tree;

  /// Steps of the block [first, last), as ranges of terms.
  [[nodiscard]] std::vector<Index> step(Index first, Index last, Index number) const {
    std::vector<Index> terms;
    for (Index term = first + number * shape.fused; term < std::min(last, first + (number + 1) * shape.fused); ++term)
      terms.push_back(term);
    return terms;
  }

  Index chain(Index first, Index last, const std::vector<Index>& steps);

  Index combined(std::vector<Index> sums);

  Index whole_block(Index first, Index last);
};

}  // namespace detail

/// The tree of a shape for `terms` terms, canonical. Precondition: terms ≥ 1. O(terms log terms).
[[nodiscard]] SummationTree tree_of(const SummationShape& shape, Index terms);

namespace detail {

/// The blocks that a tree may be made of: lengths (shape.block) and numbers (shape.parts), as a shape each; the first
/// is none.
[[nodiscard]] std::vector<SummationShape> possible_blocks(const SummationTree& tree);

}  // namespace detail

/// The shapes whose tree for as many terms is this one, the simplest first; empty for an irregular tree. A single
/// number of terms cannot tell, say, blocks of 64 from a quarter of 256. Precondition: canonical.
[[nodiscard]] std::vector<SummationShape> shapes_of(const SummationTree& tree);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/summation_shape.ipp"
#endif
