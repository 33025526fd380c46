#pragma once

#include "assay/release/detail/matrix_problem.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<MatrixProblem> MatrixProblem::of(const VersionMatrix& matrix) {
  if (const auto checked = check(matrix); !checked) return checked.propagate();
  MatrixProblem problem;
  for (const MatrixAxis& axis : matrix.axes) problem.sizes.push_back(axis.values.size());
  problem.ending_at.resize(problem.sizes.size());
  problem.touching.resize(problem.sizes.size());
  for (std::size_t i = 0; i < matrix.rules.size(); ++i) {
    const MatrixRule& rule = matrix.rules[i];
    ForbiddenTuple tuple;
    tuple.rule = i;
    for (const MatrixCondition& condition : rule.when) restrict(tuple, matrix, condition, true);
    if (rule.kind == MatrixRule::Kind::excludes) {
      for (const MatrixCondition& condition : rule.then) restrict(tuple, matrix, condition, true);
      problem.add(std::move(tuple));
    } else {
      for (const MatrixCondition& condition : rule.then) {
        ForbiddenTuple broken = tuple;
        restrict(broken, matrix, condition, false);
        problem.add(std::move(broken));
      }
    }
  }
  return problem;
}

ASSAY_DETAIL_HEADER_INLINE bool MatrixProblem::consistent(std::size_t axis,
                                                          std::span<const std::uint16_t> values) const noexcept {
  return std::none_of(touching[axis].begin(), touching[axis].end(), [&](std::size_t index) {
    return std::all_of(tuples[index].parts.begin(), tuples[index].parts.end(), [&](const ForbiddenTuple::Part& part) {
      return values[part.axis] != unset && part.holds[values[part.axis]] != 0;
    });
  });
}

ASSAY_DETAIL_HEADER_INLINE void MatrixProblem::restrict(ForbiddenTuple& tuple, const VersionMatrix& matrix,
                                                        const MatrixCondition& condition, bool wanted) {
  std::size_t axis = 0;
  while (matrix.axes[axis].name != condition.axis) ++axis;
  auto part =
      std::find_if(tuple.parts.begin(), tuple.parts.end(), [&](const auto& entry) { return entry.axis >= axis; });
  if (part == tuple.parts.end() || part->axis != axis)
    part = tuple.parts.insert(
        part, ForbiddenTuple::Part{axis, std::vector<std::uint8_t>(matrix.axes[axis].values.size(), 1)});
  for (std::size_t value = 0; value < part->holds.size(); ++value)
    if (condition.constraint.allows(matrix.axes[axis].values[value]) != wanted) part->holds[value] = 0;
}

ASSAY_DETAIL_HEADER_INLINE void MatrixProblem::add(ForbiddenTuple tuple) {
  for (const ForbiddenTuple::Part& part : tuple.parts) {
    if (std::none_of(part.holds.begin(), part.holds.end(), [](std::uint8_t holds) { return holds != 0; }))
      return;  // can never be met
  }
  ending_at[tuple.parts.back().axis].push_back(tuples.size());
  for (const ForbiddenTuple::Part& part : tuple.parts) touching[part.axis].push_back(tuples.size());
  tuples.push_back(std::move(tuple));
}

ASSAY_DETAIL_HEADER_INLINE MatrixSolver::Answer MatrixSolver::descend(std::vector<std::uint16_t>& values,
                                                                      std::size_t axis) {
  while (axis < values.size() && values[axis] != MatrixProblem::unset) ++axis;
  if (axis == values.size()) return Answer::possible;
  bool exhausted = false;
  for (std::size_t value = 0; value < problem_->sizes[axis] && !exhausted; ++value) {
    if (++nodes_ > most_nodes) {
      exhausted = true;
      break;
    }
    values[axis] = static_cast<std::uint16_t>(value);
    if (!problem_->consistent(axis, values)) continue;
    const Answer answer = descend(values, axis + 1);
    if (answer == Answer::possible) return answer;
    exhausted = answer == Answer::unknown;
  }
  values[axis] = MatrixProblem::unset;
  return exhausted ? Answer::unknown : Answer::impossible;
}

}  // namespace assay::inline v0::detail
