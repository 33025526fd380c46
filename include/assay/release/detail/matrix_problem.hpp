#pragma once

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

  [[nodiscard]] static Result<MatrixProblem> of(const VersionMatrix& matrix);

  /// The rule that forbids what stands on the axes up to and with `axis`; none: the number of tuples.
  [[nodiscard]] std::size_t broken_at(std::size_t axis, std::span<const std::uint16_t> values) const noexcept {
    for (const std::size_t tuple : ending_at[axis])
      if (tuples[tuple].matches(values)) return tuple;
    return tuples.size();
  }

  /// Whether a tuple forbids the values that are set, now that `axis` is.
  [[nodiscard]] bool consistent(std::size_t axis, std::span<const std::uint16_t> values) const noexcept;

 private:
  static void restrict(ForbiddenTuple& tuple, const VersionMatrix& matrix, const MatrixCondition& condition,
                       bool wanted);
  void add(ForbiddenTuple tuple);
};

/// Whether values can be found for the axes that are unset, so that no tuple is forbidden. Depth first, at most
/// `most_nodes`.
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

  Answer descend(std::vector<std::uint16_t>& values, std::size_t axis);

  const MatrixProblem* problem_;
  std::size_t nodes_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/matrix_problem.ipp"
#endif
