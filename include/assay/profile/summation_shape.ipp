#pragma once

#include "assay/profile/summation_shape.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string text_of(const SummationShape& shape) {
  std::string text;
  if (shape.parts > 0)
    text = "split-K in " + std::to_string(shape.parts) + " parts, each ";
  else if (shape.block > 0)
    text = "blocked by " + std::to_string(shape.block) + (shape.halved_rest ? " (the rest halved)" : "") + ", each ";
  if (shape.lanes > 1) {
    constexpr const char* orders[] = {"in order", "upper half to lower half", "neighbors pairwise"};
    text += "strided over " + std::to_string(shape.lanes) + " lanes (combined " +
            orders[static_cast<int>(shape.lane_order)] + ")";
    if (shape.chain == SummationChain::descending) text += " from the end";
  } else if (shape.chain == SummationChain::ascending) {
    text += "sequential";
  } else if (shape.chain == SummationChain::descending) {
    text += "reversed";
  } else {
    text += "pairwise";
    if (shape.base > 1) text += " down to " + std::to_string(shape.base) + (shape.fused > 1 ? " steps" : " terms");
  }
  if (shape.fused > 1)
    text += ", " + std::to_string(shape.fused) + " terms at once" +
            (shape.carried ? " with the sum so far" : ", then added to the sum so far");
  return text;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE Index ShapedTree::chain(Index first, Index last, const std::vector<Index>& steps) {
  if (shape.chain == SummationChain::pairwise && static_cast<Index>(steps.size()) > shape.base) {
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    const Index left = chain(first, last, {steps.begin(), middle});
    return tree.add({left, chain(first, last, {middle, steps.end()})});
  }
  Index sum = -1;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<Index> terms =
        step(first, last, steps[shape.chain == SummationChain::descending ? steps.size() - 1 - i : i]);
    if (sum >= 0 && !shape.carried) terms = {tree.add(std::move(terms))};
    if (sum >= 0) terms.push_back(sum);
    sum = tree.add(std::move(terms));
  }
  return sum;
}

ASSAY_DETAIL_HEADER_INLINE Index ShapedTree::combined(std::vector<Index> sums) {
  while (sums.size() > 1 && shape.lane_order != LaneOrder::in_order) {
    const std::size_t half = (sums.size() + 1) / 2;
    std::vector<Index> fewer;
    for (std::size_t i = 0; i < half; ++i) {
      const bool halves = shape.lane_order == LaneOrder::halves;
      const std::size_t left = halves ? i : 2 * i, right = halves ? i + half : 2 * i + 1;
      fewer.push_back(right < sums.size() ? tree.add({sums[left], sums[right]}) : sums[left]);
    }
    sums = std::move(fewer);
  }
  Index sum = sums.front();
  for (std::size_t i = 1; i < sums.size(); ++i) sum = tree.add({sum, sums[i]});
  return sum;
}

ASSAY_DETAIL_HEADER_INLINE Index ShapedTree::whole_block(Index first, Index last) {
  const Index steps = (last - first + shape.fused - 1) / shape.fused;
  std::vector<Index> sums;
  for (Index lane = 0; lane < std::min(shape.lanes, steps); ++lane) {
    std::vector<Index> own;
    for (Index number = lane; number < steps; number += shape.lanes) own.push_back(number);
    sums.push_back(chain(first, last, own));
  }
  return combined(std::move(sums));
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE SummationTree tree_of(const SummationShape& shape, Index terms) {
  detail::ShapedTree build{shape, {terms, {}}};
  Index sum = -1;
  for (Index first = 0; first < terms;) {
    const Index rest = terms - first;
    Index length = shape.parts > 0 ? (terms + shape.parts - 1) / shape.parts : shape.block > 0 ? shape.block : terms;
    if (shape.halved_rest && rest > length && rest < 2 * length) length = (rest + 1) / 2;
    const Index block = build.whole_block(first, std::min(first + length, terms));
    sum = sum < 0 ? block : build.tree.add({sum, block});
    first += length;
  }
  return canonical(build.tree);
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<SummationShape> possible_blocks(const SummationTree& tree) {
  std::vector<SummationShape> found(1);
  const TreeExtent extent = extent_of(tree);
  std::vector<Index> starts;  // of what is added last, last but one, …
  for (Index node = tree.root(); !tree.is_term(node);) {
    const auto& operands = tree.operands_of(node);
    const auto last = static_cast<std::size_t>(operands.back());
    const Index end = starts.empty() ? tree.terms : starts.back();
    if (operands.size() != 2 || extent.first[last] + extent.count[last] != end ||
        (extent.count[last] == 1 && !starts.empty()))
      break;
    starts.push_back(extent.first[last]);
    node = operands.front();
  }
  for (std::size_t i = 0; i < starts.size() && i < 64; ++i) {
    const Index length = i + 1 < starts.size() ? starts[i] - starts[i + 1] : starts[i];
    const Index blocks = length > 0 ? (tree.terms + length - 1) / length : 0;
    if (length < 2 || blocks < 2 ||
        std::any_of(found.begin(), found.end(), [&](const SummationShape& shape) { return shape.block == length; }))
      continue;
    SummationShape shape;
    shape.block = length;
    found.push_back(shape);
    shape.block = 0;
    shape.parts = blocks;
    found.push_back(shape);
  }
  for (const Index start : starts) {  // the first block's end is one of them
    SummationShape shape;
    shape.block = start;
    shape.halved_rest = true;
    if (start > 1 && starts.size() > 1 && found.size() < 128) found.push_back(shape);
  }
  return found;
}

/// Calls `use` with every shape of one block that could have made the tree's nodes, the simplest first.
template <class Use>
void for_each_chain(SummationShape shape, const std::vector<Index>& fused_terms, Use use) {
  for (const Index fused : fused_terms)
    for (const bool carried : {true, false}) {
      if (fused == 1 && !carried) continue;
      shape.fused = fused;
      shape.carried = carried;
      for (const SummationChain chain : {SummationChain::ascending, SummationChain::descending})
        for (Index lanes = 1; lanes <= 64; lanes *= 2)
          for (const LaneOrder order : {LaneOrder::in_order, LaneOrder::halves, LaneOrder::neighbors}) {
            if (lanes <= 2 && order != LaneOrder::in_order) continue;
            SummationShape tried = shape;
            tried.chain = chain;
            tried.lanes = lanes;
            tried.lane_order = order;
            use(tried);
          }
      for (Index base = 1; base <= 64 && carried; base *= 2) {
        SummationShape tried = shape;
        tried.chain = SummationChain::pairwise;
        tried.base = base;
        use(tried);
      }
    }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<SummationShape> shapes_of(const SummationTree& tree) {
  std::vector<Index> fused_terms{1};
  Index most = 1;
  for (const auto& operands : tree.additions)
    most = std::max(most, static_cast<Index>(std::count_if(operands.begin(), operands.end(),
                                                           [&](Index operand) { return tree.is_term(operand); })));
  if (most > 1) fused_terms.push_back(most);
  if (most > 2) fused_terms.erase(fused_terms.begin());
  std::vector<SummationShape> found;
  for (const SummationShape& blocks : detail::possible_blocks(tree))
    detail::for_each_chain(blocks, fused_terms, [&](const SummationShape& shape) {
      if (shape.lanes * shape.fused >= tree.terms && shape.lanes > 1) return;
      if (tree_of(shape, tree.terms) == tree) found.push_back(shape);
    });
  return found;
}

}  // namespace assay::inline v0
