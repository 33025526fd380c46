#pragma once

#include "assay/profile/summation_tree.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE TreeExtent extent_of(const SummationTree& tree) {
  TreeExtent extent;
  for (Index term = 0; term < tree.terms; ++term) {
    extent.first.push_back(term);
    extent.count.push_back(1);
  }
  for (const auto& operands : tree.additions) {
    Index first = tree.terms, count = 0;
    for (const Index operand : operands) {
      first = std::min(first, extent.first[static_cast<std::size_t>(operand)]);
      count += extent.count[static_cast<std::size_t>(operand)];
    }
    extent.first.push_back(first);
    extent.count.push_back(count);
  }
  return extent;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE SummationTree canonical(const SummationTree& tree) {
  SummationTree ordered{tree.terms, {}};
  if (tree.additions.empty()) return ordered;
  const detail::TreeExtent extent = detail::extent_of(tree);
  std::vector<Index> number(extent.first.size(), -1);
  for (Index term = 0; term < tree.terms; ++term) number[static_cast<std::size_t>(term)] = term;
  struct Visit {
    Index node;
    std::vector<Index> operands;
    std::size_t next = 0;
  };
  const auto visit = [&](Index node) {
    Visit opened{node, tree.operands_of(node)};
    std::sort(opened.operands.begin(), opened.operands.end(), [&](Index left, Index right) {
      return extent.first[static_cast<std::size_t>(left)] < extent.first[static_cast<std::size_t>(right)];
    });
    return opened;
  };
  std::vector<Visit> open{visit(tree.root())};
  while (!open.empty()) {
    Visit& top = open.back();
    if (top.next < top.operands.size()) {
      const Index operand = top.operands[top.next++];
      if (!tree.is_term(operand)) open.push_back(visit(operand));
      continue;
    }
    for (Index& operand : top.operands) operand = number[static_cast<std::size_t>(operand)];
    number[static_cast<std::size_t>(top.node)] = ordered.add(std::move(top.operands));
    open.pop_back();
  }
  return ordered;
}

ASSAY_DETAIL_HEADER_INLINE std::string text_of(const SummationTree& tree, std::size_t longest) {
  if (tree.additions.empty()) return tree.terms > 0 ? "0" : "";
  std::string text;
  std::vector<std::pair<Index, std::size_t>> open{{tree.root(), 0}};
  while (!open.empty()) {
    if (text.size() > longest) return text.substr(0, longest) + "…";
    auto& [node, next] = open.back();
    const auto& operands = tree.operands_of(node);
    if (next == operands.size()) {
      text += ')';
      open.pop_back();
      continue;
    }
    text += next == 0 ? "(" : " ";
    const std::size_t first = next;
    const Index operand = operands[next++];
    while (tree.is_term(operand) && next < operands.size() && operands[next] == operands[next - 1] + 1 &&
           tree.is_term(operands[next]))
      ++next;
    if (next - first > 3)
      text += std::to_string(operand) + "…" + std::to_string(operands[next - 1]);
    else if (tree.is_term(operand))
      text += std::to_string(operand), next = first + 1;
    else
      open.emplace_back(operand, 0);
  }
  return text;
}

}  // namespace assay::inline v0
