#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/release/version_matrix.hpp"

namespace assay::inline v0::detail {

/// Values of several axes that cannot stand together, because of one rule.
struct ForbiddenTuple {
  struct Part {
    std::size_t axis = 0;
    std::vector<std::uint8_t> holds;  ///< by position of the value
  };
  std::vector<Part> parts;  ///< of ascending axes
  std::size_t rule = 0;

  [[nodiscard]] bool matches(std::span<const std::uint16_t> values) const noexcept {
    for (const Part& part : parts)
      if (part.holds[values[part.axis]] == 0) return false;
    return true;
  }
};

/// A matrix as numbers: how many values each axis has, and which tuples of them are forbidden.
struct MatrixProblem {
  static constexpr std::uint16_t unset = 0xFFFF;

  std::vector<std::size_t> sizes;
  std::vector<ForbiddenTuple> tuples;
  std::vector<std::vector<std::size_t>> ending_at;  ///< tuples by their last axis
  std::vector<std::vector<std::size_t>> touching;   ///< tuples by any of their axes

  [[nodiscard]] static Result<MatrixProblem> of(const VersionMatrix& matrix) {
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

  /// The rule that forbids what stands on the axes up to and with `axis`; none: the number of tuples.
  [[nodiscard]] std::size_t broken_at(std::size_t axis, std::span<const std::uint16_t> values) const noexcept {
    for (const std::size_t tuple : ending_at[axis])
      if (tuples[tuple].matches(values)) return tuple;
    return tuples.size();
  }

  /// Whether a tuple forbids the values that are set, now that `axis` is.
  [[nodiscard]] bool consistent(std::size_t axis, std::span<const std::uint16_t> values) const noexcept {
    return std::none_of(touching[axis].begin(), touching[axis].end(), [&](std::size_t index) {
      return std::all_of(tuples[index].parts.begin(), tuples[index].parts.end(), [&](const ForbiddenTuple::Part& part) {
        return values[part.axis] != unset && part.holds[values[part.axis]] != 0;
      });
    });
  }

 private:
  static void restrict(ForbiddenTuple& tuple, const VersionMatrix& matrix, const MatrixCondition& condition, bool wanted) {
    std::size_t axis = 0;
    while (matrix.axes[axis].name != condition.axis) ++axis;
    auto part = std::find_if(tuple.parts.begin(), tuple.parts.end(), [&](const auto& entry) { return entry.axis >= axis; });
    if (part == tuple.parts.end() || part->axis != axis)
      part = tuple.parts.insert(part, ForbiddenTuple::Part{axis, std::vector<std::uint8_t>(matrix.axes[axis].values.size(), 1)});
    for (std::size_t value = 0; value < part->holds.size(); ++value)
      if (condition.constraint.allows(matrix.axes[axis].values[value]) != wanted) part->holds[value] = 0;
  }
  void add(ForbiddenTuple tuple) {
    for (const ForbiddenTuple::Part& part : tuple.parts) {
      if (std::none_of(part.holds.begin(), part.holds.end(), [](std::uint8_t holds) { return holds != 0; })) return;  // can never be met
    }
    ending_at[tuple.parts.back().axis].push_back(tuples.size());
    for (const ForbiddenTuple::Part& part : tuple.parts) touching[part.axis].push_back(tuples.size());
    tuples.push_back(std::move(tuple));
  }
};

/// Whether values can be found for the axes that are unset, so that no tuple is forbidden. Depth first, at most `most_nodes`.
class MatrixSolver {
 public:
  explicit MatrixSolver(const MatrixProblem& problem) : problem_(&problem) {}

  enum class Answer { possible, impossible, unknown };

  /// On `possible`, `values` holds such a combination; otherwise it is as it was.
  [[nodiscard]] Answer complete(std::vector<std::uint16_t>& values) {
    nodes_ = 0;
    for (std::size_t axis = 0; axis < values.size(); ++axis)
      if (values[axis] != MatrixProblem::unset && !problem_->consistent(axis, values)) return Answer::impossible;
    return descend(values, 0);
  }

 private:
  static constexpr std::size_t most_nodes = 2'000'000;

  Answer descend(std::vector<std::uint16_t>& values, std::size_t axis) {
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

  const MatrixProblem* problem_;
  std::size_t nodes_ = 0;
};

}  // namespace assay::inline v0::detail
