#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// In which order a sum is added: the leaves are its terms, the inner nodes additions, of more than two operands where
/// a unit adds several terms in one step. Additions commute, so the order of children means nothing: trees are kept in
/// one canonical form.
struct SummationTree {
  Index terms = 0;
  /// The operands of every addition: below `terms` a term, else the result of addition number (operand − terms).
  /// Operands come before what uses them; the last addition is the sum. Empty for a single term.
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

[[nodiscard]] TreeExtent extent_of(const SummationTree& tree);

}  // namespace detail

/// The same tree with operands in the order of their smallest terms, and additions in the order in which a walk from
/// the root that takes operands from left to right leaves them: two trees add in the same order exactly if these are
/// equal. O(terms log terms).
[[nodiscard]] SummationTree canonical(const SummationTree& tree);

/// "(((0 1) 2) 3)", "((0…15) 16…31)": every pair of parentheses is one addition. Where the text would be longer than
/// `longest`, it ends in "…".
[[nodiscard]] std::string text_of(const SummationTree& tree, std::size_t longest = 400);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/summation_tree.ipp"
#endif
