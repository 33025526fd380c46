#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "assay/kernels/operation.hpp"
#include "assay/kernels/reduction/bound.hpp"

namespace assay::inline v0 {

/// The elements of one row, along the dimension that is reduced.
struct ReductionRow {
  const void* data = nullptr;  ///< of the operand
  ElementFormat format{};
  /// In elements of the operand.
  Index first = 0, step = 1, length = 0;

  ReductionRow() = default;
  /// `index` counts (outer, inner). Operands have the extents (outer, length, inner), or without the last where it is
  /// 1.
  ASSAY_FUNCTION ReductionRow(const Operand& operand, const ReductionProblem& problem, Index index)
      : data(operand.data), format(operand.format), step(operand.strides[1]), length(problem.length) {
    first = index / problem.inner * operand.strides[0] +
            (operand.rank > 2 ? index % problem.inner * operand.strides[2] : 0);
  }
  /// The term of that number.
  [[nodiscard]] ASSAY_FUNCTION double operator[](Index j) const { return format.load(data, first + j * step); }
};

/// References and bounds of a reduction, found before the comparison: one pair an output element.
struct ReductionExpected {
  const ExpectedElement* elements = nullptr;
  Index columns = 1;
  int output = 0;

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    return elements[row * columns + column];
  }
};

/// The place of the element that argmax and argmin name, among numbers that are compared exactly.
struct ReductionSelection {
  Index index = -1;  ///< −1: none yet
  double value = 0;  ///< of the term

  /// `sign` is −1 for minima. −1 as index: all elements are NaN, and NaN is not counted.
  [[nodiscard]] ASSAY_FUNCTION static ReductionSelection of(const ReductionProblem& problem, const ReductionRow& row) {
    const double sign =
        problem.function == ReductionFunction::minimum || problem.function == ReductionFunction::argmin ? -1 : 1;
    ReductionSelection found;
    for (Index j = 0; j < row.length; ++j) {
      const double x = row[j];
      if (is_nan(x)) {
        if (problem.nan_policy == NanPolicy::propagate) return {j, x};
        continue;
      }
      if (found.index >= 0 && !(sign * x > sign * found.value) &&
          !(x == found.value && problem.ties == TiePolicy::last))
        continue;
      found = {j, x};
    }
    return found;
  }
};

/// Finds what is expected of one row.
struct ReductionRowWork {
  ReductionProblem problem;
  ReductionBound bound;
  Operand input;
  ExpectedElement* elements;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const ReductionRow row(input, problem, static_cast<Index>(index));
    if (problem.is_scan()) return scan(row, static_cast<Index>(index));
    elements[index] = of(row);
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of(const ReductionRow& row) const {
    if (problem.selects()) {
      const ReductionSelection found = ReductionSelection::of(problem, row);
      if (problem.gives_index())
        return {static_cast<double>(found.index), found.index < 0 ? ReductionBound::unknown() : 0};
      return {found.index < 0 ? detail::double_of(binary64_layout.nan_bits()) : found.value, 0};
    }
    const double terms = static_cast<double>(row.length);
    ReductionSums sums;
    for (Index j = 0; j < row.length; ++j) {
      const double x = row[j], size = detail::absolute(x);
      sums.sum.add(x);
      sums.squares += x * x;
      sums.product *= x;
      (size > 1 ? sums.above : sums.below) *= size;
      sums.nan_or_zero |= is_nan(x) || x == 0;
    }
    switch (problem.function) {
      case ReductionFunction::mean: return bound.mean(sums, terms);
      case ReductionFunction::product: return bound.product(sums, terms);
      case ReductionFunction::l2_norm: return bound.norm(sums, terms);
      case ReductionFunction::variance: {
        const double mean = sums.sum.finite / terms;
        sums.squares = 0;
        for (Index j = 0; j < row.length; ++j) sums.squares += (row[j] - mean) * (row[j] - mean);
        return bound.variance(sums, terms, static_cast<double>(problem.correction));
      }
      default: return bound.sum(sums, terms);
    }
  }
  ASSAY_FUNCTION void scan(const ReductionRow& row, Index index) const {
    ReductionSums sums;
    const Index first = index / problem.inner * problem.length * problem.inner + index % problem.inner;
    for (Index j = 0; j < row.length; ++j) {
      const double x = row[j];
      if (problem.exclusive) elements[first + j * problem.inner] = bound.sum(sums, static_cast<double>(j));
      sums.sum.add(x);
      if (!problem.exclusive) elements[first + j * problem.inner] = bound.sum(sums, static_cast<double>(j + 1));
    }
  }
};

/// O(elements) time, 16 bytes an output element. Rows run in parallel.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<ReductionExpected>> reduction_reference(B& backend, typename B::Stream& stream,
                                                                                const ReductionProblem& problem,
                                                                                const OperandArray& operands,
                                                                                RoundingModel model,
                                                                                const Arithmetic& arithmetic) {
  const auto rows = static_cast<std::size_t>(problem.outer * problem.inner);
  auto buffer = backend.template allocate<ExpectedElement>(
      (problem.is_scan() ? rows * static_cast<std::size_t>(problem.length) : rows) + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<ExpectedElement>>(std::move(buffer).value());
  const ReductionRowWork work{problem, ReductionBound::of(problem, model, arithmetic), operands[0], owned->data()};
  if (auto run = backend.parallel_for(stream, rows, work); !run) return run.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  const std::vector<Index> extents = output_extents(problem);
  return OperationReference<ReductionExpected>{ReductionExpected{owned->data(), extents.back()}, std::move(owned)};
}

}  // namespace assay::inline v0
