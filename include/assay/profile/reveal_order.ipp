#pragma once

#include "assay/profile/reveal_order.hpp"

#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<SummationTree> reveal_order(Index terms, const TermsWhereTheyMeet& ask) {
  /// Terms that hang, as one operand or several, under an addition of `limit` terms.
  struct Group {
    std::vector<Index> members;
    Index limit, parent;
  };
  const auto contradiction = [&](Index pivot, Index answer) {
    return failure(ErrorKind::invalid,
                   "no tree of " + std::to_string(terms) + " terms explains the answers: a term meets term " +
                       std::to_string(pivot) + " among " + std::to_string(answer) +
                       "; the masks may not swallow what they meet, or the order may differ from launch to launch");
  };
  SummationTree tree{terms, {}};
  if (terms < 2) return tree;
  std::vector<std::vector<Index>>
      operands;  // of nodes in the order of their discovery: parents may come before children
  const auto attach = [&](Index parent, Index node) {
    if (parent >= 0) operands[static_cast<std::size_t>(parent - terms)].push_back(node);
  };
  std::vector<Group> open(1);
  for (Index term = 0; term < terms; ++term) open.front().members.push_back(term);
  open.front().limit = terms + 1;
  open.front().parent = -1;
  Index root = -1;
  while (!open.empty()) {
    std::vector<std::pair<Index, Index>> questions;
    for (const Group& group : open) {
      const Index pivot = group.members[group.members.size() / 2];
      for (const Index member : group.members)
        if (member != pivot) questions.emplace_back(pivot, member);
    }
    const auto answered = ask(questions);
    if (!answered) return answered.propagate();
    std::size_t next = 0;
    std::vector<Group> found;
    for (const Group& group : open) {
      const Index pivot = group.members[group.members.size() / 2];
      std::map<Index, std::vector<Index>> met;  // by how many terms there are where they meet
      for (const Index member : group.members)
        if (member != pivot) met[answered.value()[next++]].push_back(member);
      Index node = pivot, size = 1;
      for (auto& [answer, members] : met) {
        if (answer == group.limit) {
          found.push_back({std::move(members), group.limit, group.parent});
          continue;
        }
        size += static_cast<Index>(members.size());
        if (answer != size || answer > group.limit) return contradiction(pivot, answer);
        operands.push_back({node});
        node = terms + static_cast<Index>(operands.size()) - 1;
        if (members.size() == 1)
          attach(node, members.front());
        else
          found.push_back({std::move(members), answer, node});
      }
      attach(group.parent, node);
      if (group.parent < 0) root = node;
    }
    // a group that is left with one member needs no question
    open.clear();
    for (Group& group : found) {
      if (group.members.size() == 1)
        attach(group.parent, group.members.front());
      else
        open.push_back(std::move(group));
    }
  }
  if (root < terms) return tree;
  // renumber so that operands come first
  std::vector<std::pair<Index, std::size_t>> path{{root, 0}};
  std::vector<Index> number(operands.size(), -1);
  while (!path.empty()) {
    auto& [node, child] = path.back();
    auto& own = operands[static_cast<std::size_t>(node - terms)];
    if (child < own.size()) {
      const Index operand = own[child++];
      if (operand >= terms) path.emplace_back(operand, 0);
      continue;
    }
    for (Index& operand : own)
      if (operand >= terms) operand = number[static_cast<std::size_t>(operand - terms)];
    number[static_cast<std::size_t>(node - terms)] = tree.add(own);
    path.pop_back();
  }
  return canonical(tree);
}

}  // namespace assay::inline v0
