#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// In which order a sum is added: the leaves are its terms, the inner nodes additions, of more than two operands where a unit adds
/// several terms in one step. Additions commute, so the order of children means nothing: trees are kept in one canonical form.
struct SummationTree {
  Index terms = 0;
  /// The operands of every addition: below `terms` a term, else the result of addition number (operand − terms). Operands
  /// come before what uses them; the last addition is the sum. Empty for a single term.
  std::vector<std::vector<Index>> additions;

  /// Whether that operand is a term of the sum, not the result of an addition.
  [[nodiscard]] bool is_term(Index operand) const { return operand < terms; }
  /// The operands of an addition. Precondition: `!is_term(addition)`.
  [[nodiscard]] const std::vector<Index>& operands_of(Index addition) const {
    return additions[static_cast<std::size_t>(addition - terms)];
  }
  /// The addition whose result is the sum; the only term where there is none.
  [[nodiscard]] Index root() const { return additions.empty() ? 0 : terms + static_cast<Index>(additions.size()) - 1; }

  /// Adds a node; an addition of one operand is that operand. Returns its number.
  Index add(std::vector<Index> operands) {
    if (operands.size() == 1) return operands.front();
    additions.push_back(std::move(operands));
    return terms + static_cast<Index>(additions.size()) - 1;
  }

  friend bool operator==(const SummationTree&, const SummationTree&) = default;
};

namespace detail {

/// The smallest term under every node, and how many there are.
struct TreeExtent {
  std::vector<Index> first, count;
};

[[nodiscard]] inline TreeExtent extent_of(const SummationTree& tree) {
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

/// The same tree with operands in the order of their smallest terms, and additions in the order in which a walk from the root that
/// takes operands from left to right leaves them: two trees add in the same order exactly if these are equal. O(terms log terms).
[[nodiscard]] inline SummationTree canonical(const SummationTree& tree) {
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

/// "(((0 1) 2) 3)", "((0…15) 16…31)": every pair of parentheses is one addition. Where the text would be longer than `longest`, it ends in "…".
[[nodiscard]] inline std::string text_of(const SummationTree& tree, std::size_t longest = 400) {
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
    while (tree.is_term(operand) && next < operands.size() && operands[next] == operands[next - 1] + 1 && tree.is_term(operands[next]))
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
