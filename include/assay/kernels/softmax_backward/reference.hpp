#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "assay/kernels/operation.hpp"
#include "assay/kernels/softmax_backward/problem.hpp"
#include "assay/tolerance/positive_sum.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// What the bound of a softmax's gradient is made of. With s = Σ y_j·dy_j, or Σ dy_j of the logarithm, g = g(n), u the
/// accumulator's unit roundoff, ε an elementary function's error:
///
///   |δs| ≤ (g + u)·Σ|y_j·dy_j|, or g·Σ|dy_j|
///   E = |y_i|·(δs + 2u·(|dy_i| + |s|)) + 2u·|dx_i| which y·dy − y·s keeps, too E = p_i·(δs + (ε + 2u·|y_i| + 2u)·(|s|
///   + δs)) + u·|dx_i|, p_i = exp y_i of the logarithm
///
/// and ε + u of dx more where it is divided by a temperature T. Subnormal numbers on the way add η·(1 + |s|), which the
/// division divides, too, adding an η of its own. Nothing is known where the accumulator may overflow on the way (in Σ,
/// dy − s, y·dy, y·s or dx·T) to a dx that does not, nor where s is infinite and NaN may stand for the result: exp y
/// may be 0, or the sum have overflowed before an infinite term was added. A sum of products and a product of rounded
/// terms: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., sections 3.1 and 4.2. Of this bound right
/// kernels reach 0.23 in float32, 0.73 in bfloat16 and 0.87 in float16.
struct SoftmaxBackwardBound {
  double unit = 0;
  double function_error = 0;  ///< ε
  double growth = 0;          ///< growth factor of the sum
  double underflow = 0;       ///< η
  double largest = 0;         ///< largest finite number of the accumulator

  /// The growth factor of the sum over a row, with its story.
  [[nodiscard]] static GrowthFactor growth_of(const SoftmaxBackwardProblem& problem, RoundingModel model,
                                              const Arithmetic& arithmetic) {
    return positive_growth_factor(
        problem.length, static_cast<double>(problem.length) * static_cast<double>(problem.outer * problem.inner),
        arithmetic.accumulation, model);
  }
  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static SoftmaxBackwardBound of(const SoftmaxBackwardProblem& problem, RoundingModel model,
                                               const Arithmetic& arithmetic) {
    SoftmaxBackwardBound bound;
    bound.unit = arithmetic.unit_roundoff() + 0x1p-53;
    bound.function_error = arithmetic.function_error() + 0x1p-50;
    bound.growth = growth_of(problem, model, arithmetic).value + static_cast<double>(problem.length) * 0x1p-53;
    bound.underflow = 4 * arithmetic.accumulation.min_subnormal;
    bound.largest = arithmetic.accumulation.max_finite;
    return bound;
  }
};

/// What all elements of one normalized row share.
struct SoftmaxBackwardRow {
  double sum = 0;    ///< Σ y·dy, or Σ dy
  double error = 0;  ///< E of the sum
};

/// References and bounds of a softmax's gradient, row by row.
struct SoftmaxBackwardExpected {
  SoftmaxBackwardProblem problem;
  SoftmaxBackwardBound bound;
  Operand saved;
  Operand gradient;
  const SoftmaxBackwardRow* rows = nullptr;
  int output = 0;

  /// What the elements of that row share. O(length).
  [[nodiscard]] ASSAY_FUNCTION SoftmaxBackwardRow row_of(Index outer, Index inner) const {
    const Index first = outer * problem.length * problem.inner + inner;
    double sum = 0, magnitudes = 0;
    for (Index j = 0; j < problem.length; ++j) {
      const Index element = first + j * problem.inner;
      const double term = problem.logarithm ? gradient.load(element) : saved.load(element) * gradient.load(element);
      sum += term;
      if (is_finite(term)) magnitudes += detail::absolute(term);
    }
    const double products = problem.logarithm ? 0 : bound.unit;
    SoftmaxBackwardRow row{sum, (bound.growth + products * (1 + bound.growth)) * magnitudes +
                                    static_cast<double>(problem.length) * bound.underflow};
    const double infinity = undetermined().error;
    if (!is_finite(sum))
      row.error = magnitudes <= bound.largest / 2
                      ? 0
                      : infinity;  // a special value decides, but for one added behind an overflow
    else if (!(magnitudes * (1 + bound.growth) <= bound.largest))
      row.error = infinity;
    return row;
  }

  /// The gradient of an element of that row, with E.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of_row(const SoftmaxBackwardRow& row, double y, double dy) const {
    const double size = detail::absolute(row.sum), u = bound.unit,
                 power = problem.logarithm ? std::exp(y) : detail::absolute(y);
    double value = 0, error = 0, way = 0;  // the largest number on the way
    if (problem.logarithm) {
      value = dy - power * row.sum;
      const double exponent = y < -0x1p1000 ? 0 : 2 * u * detail::absolute(y);
      error = power * (row.error + (bound.function_error + exponent + 2 * u) * (size + row.error)) +
              u * detail::absolute(value);
      way = power * (size + row.error);
    } else {
      value = y * (dy - row.sum);
      error = power * (row.error + 2 * u * (detail::absolute(dy) + size)) + 2 * u * detail::absolute(value);
      way = larger(detail::absolute(dy - row.sum) + row.error, power * larger(detail::absolute(dy), size + row.error));
    }
    error += (1 + size) * bound.underflow;
    way = larger(way, detail::absolute(value) + error) * (1 + 4 * u);
    if (problem.temperature != 1) {
      value /= problem.temperature;
      error = error * (1 + bound.function_error + u) / problem.temperature +
              (bound.function_error + u) * detail::absolute(value) + bound.underflow;
    }
    const bool may_vanish = problem.logarithm && power <= bound.underflow;
    if (is_infinite(value) && is_infinite(row.sum) && (may_vanish || !is_finite(row.error))) return undetermined();
    if (!is_finite(value)) return {value, 0};
    if (!is_finite(error) ||
        (!(way <= bound.largest) && is_finite(problem.output.round(detail::absolute(value) - error))))
      return undetermined();
    return {value, error};
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const Index columns = problem.inner == 1 ? problem.length : problem.inner;
    const Index element = row * columns + column;
    const Index outer = element / (problem.length * problem.inner), inner = element % problem.inner;
    return of_row(rows[outer * problem.inner + inner], saved.load(element), gradient.load(element));
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION static double larger(double a, double b) { return a > b ? a : b; }
  [[nodiscard]] ASSAY_FUNCTION static ExpectedElement undetermined() {
    return {0, detail::double_of(binary64_layout.infinity_bits())};
  }
};

/// Finds what a row shares.
struct SoftmaxBackwardRowWork {
  SoftmaxBackwardExpected expected;
  SoftmaxBackwardRow* rows;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index);
    rows[row] = expected.row_of(row / expected.problem.inner, row % expected.problem.inner);
  }
};

/// O(elements) time, 16 bytes a row: elements are computed again while they are compared.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<SoftmaxBackwardExpected>> softmax_backward_reference(
    B& backend, typename B::Stream& stream, const SoftmaxBackwardProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic) {
  const auto rows = static_cast<std::size_t>(problem.outer * problem.inner);
  auto buffer = backend.template allocate<SoftmaxBackwardRow>(rows + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<SoftmaxBackwardRow>>(std::move(buffer).value());
  SoftmaxBackwardExpected expected{problem, SoftmaxBackwardBound::of(problem, model, arithmetic), operands[0],
                                   operands[1], owned->data()};
  if (auto run = backend.parallel_for(stream, rows, SoftmaxBackwardRowWork{expected, owned->data()}); !run)
    return run.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  return OperationReference<SoftmaxBackwardExpected>{expected, std::move(owned)};
}

}  // namespace assay::inline v0
