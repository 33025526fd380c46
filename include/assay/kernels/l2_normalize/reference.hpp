#pragma once

#include <cmath>
#include <cstddef>

#include "assay/kernels/l2_normalize/problem.hpp"
#include "assay/kernels/reference_by_rows.hpp"
#include "assay/tolerance/bounded.hpp"
#include "assay/tolerance/positive_sum.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// What the bound of an L2 normalization is made of. With s = Σx², g = g(n) the growth factor of n roundings, u the
/// accumulator's unit roundoff, ε_f the error of a root or a division, η the smallest number of the accumulator:
///
///   |δs| ≤ (g + 2u)·s + n·η;  d = max(√s, ε) with |δd| ≤ |δs|/√s + ε_f·√s, and u·ε + η of an ε that the accumulator
///   rounds;  E = |x/d|·|δd|/(d − δd) + (ε_f + u)·|x/d| + (1 + |x|)·η, which holds for x·(1/d), too.
///
/// Nothing is known of a row where s may overflow in the accumulator, or d be 0 in it. A row with a NaN is NaN, whose
/// norm propagates; of one with an infinity the finite elements are 0 and the infinite ones NaN. Sums of squares,
/// roots and quotients: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., sections 3.1 and 3.3.
struct L2NormalizeBound {
  BoundedArithmetic arithmetic;
  double growth = 0;   ///< of the sum of squares
  double terms = 0;    ///< of a sum: the length
  double epsilon = 0;  ///< of the problem

  /// The growth factor of the sum over a row, with its story.
  [[nodiscard]] static GrowthFactor growth_of(const L2NormalizeProblem& problem, RoundingModel model,
                                              const Arithmetic& arithmetic) {
    return positive_growth_factor(
        problem.length, static_cast<double>(problem.length) * static_cast<double>(problem.outer * problem.inner),
        arithmetic.accumulation, model);
  }
  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static L2NormalizeBound of(const L2NormalizeProblem& problem, RoundingModel model,
                                           const Arithmetic& arithmetic) {
    L2NormalizeBound bound;
    bound.arithmetic = BoundedArithmetic(arithmetic);
    bound.terms = static_cast<double>(problem.length);
    bound.growth = growth_of(problem, model, arithmetic).value + bound.terms * 0x1p-53;
    bound.epsilon = problem.epsilon;
    return bound;
  }

  /// max(√squares, ε) with its error.
  [[nodiscard]] ASSAY_FUNCTION Bounded divisor(double squares) const {
    const Bounded sum{squares, (growth + 2 * arithmetic.unit) * squares + terms * arithmetic.underflow};
    if (!(squares + sum.error <= arithmetic.largest)) return {squares, BoundedArithmetic::infinity()};
    const Bounded least{epsilon, arithmetic.unit * epsilon + arithmetic.underflow};
    return arithmetic.maximum(arithmetic.sqrt(sum), least);
  }
  /// The element x of a row.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement element(double x, Bounded divisor) const {
    Bounded quotient = arithmetic.divide(arithmetic.exact(x), divisor);
    const double size = detail::absolute(x);
    quotient.error += arithmetic.unit * detail::absolute(quotient.value) + size * arithmetic.underflow;
    return quotient.expected();
  }
};

/// What all elements of one normalized row share.
struct L2NormalizeRow {
  Bounded divisor;        ///< max(‖x‖, ε), where all elements are finite
  bool nan = false;       ///< one is NaN
  bool infinite = false;  ///< one is infinite
};

/// References and bounds of an L2 normalization, row by row.
struct L2NormalizeExpected {
  using Row = L2NormalizeRow;
  L2NormalizeProblem problem;
  L2NormalizeBound bound;
  Operand input;
  const Row* rows = nullptr;
  int output = 0;

  /// O(length).
  [[nodiscard]] ASSAY_FUNCTION Row row_of(Index index) const {
    const Index first = index / problem.inner * problem.length * problem.inner + index % problem.inner;
    Row row;
    double squares = 0;
    for (Index j = 0; j < problem.length; ++j) {
      const double x = input.load(first + j * problem.inner);
      row.nan |= is_nan(x);
      row.infinite |= is_infinite(x);
      squares += x * x;
    }
    if (!row.nan && !row.infinite) row.divisor = bound.divisor(squares);
    return row;
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index line, Index column) const {
    const Index element = line * (problem.inner == 1 ? problem.length : problem.inner) + column;
    const Row& row = rows[element / (problem.length * problem.inner) * problem.inner + element % problem.inner];
    const double x = input.load(element);
    if (row.nan || (row.infinite && is_infinite(x))) return {detail::double_of(binary64_layout.nan_bits()), 0};
    if (row.infinite) return {0, 0};
    return bound.element(x, row.divisor);
  }
};

/// O(elements) time, 24 bytes a row: elements are computed again while they are compared.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<L2NormalizeExpected>> l2_normalize_reference(
    B& backend, typename B::Stream& stream, const L2NormalizeProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic) {
  return reference_by_rows(backend, stream, static_cast<std::size_t>(problem.outer * problem.inner),
                           L2NormalizeExpected{problem, L2NormalizeBound::of(problem, model, arithmetic), operands[0]});
}

}  // namespace assay::inline v0
