#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/cross_entropy/problem.hpp"
#include "assay/kernels/softmax/reference.hpp"

namespace assay::inline v0 {

/// What a row of logits comes to, and behind the last row what all of them do.
struct CrossEntropyRow {
  SoftmaxRow softmax;
  double loss = 0;     ///< of the row
  double error = 0;    ///< E of it
  bool counts = true;  ///< not ignored
  double label = 0;    ///< of the last: how many rows count
};

/// References and bounds of a cross entropy or its gradient. With z the logits, m = max z, s = Σ exp(z_j − m), p =
/// softmax(z), ℓ_j = log p_j and means taken over classes:
///
///   δ = exp(Σ p_j·d_j + g(n) + R·(ε + u) + u·range) − 1 + ε·|log s| the error of log s, see SoftmaxBound E = δ +
///   2u·(|m| + |log s|) + 2u·((1 − σ)(|z_t| + |z_t − m| + 2|ℓ_t|) + σ·(m − mean z + 2·mean|ℓ|)) + σ·(g(n) + ε +
///   2u)·(mean|z| + mean|ℓ|) + 4u·|loss|
///
/// with label t and smoothing σ: whether the mean of logits or of logarithms is taken. The mean of losses adds
/// g(rows)·mean + (ε + 2u)·|mean|. The gradient is (p_j − q_j)·G with G the incoming gradient, divided by the count of
/// a mean: E = (E_p + 2u·(p_j + 2q_j))·|G| + (ε + 3u)·|result|. Of this gradient E_p is the softmax's with min(u·(|m| +
/// log s), log s) more in rel: kernels that keep m + log s for p = exp(z − (m + log s)) round it, though never past m,
/// a number of the accumulator; the ε·log s of their logarithm is less than R·(ε + u).
///
/// Nothing is known where the accumulator may overflow on the way to a loss that does not: in Σ|z| or Σ|ℓ| over
/// classes, or in the sum of losses. Nor is it where 0·∞, which is NaN, may stand on the way: in (p_j − q_j)·G of an
/// infinite G, and in (1 − σ)·ℓ_t with σ = 1. Labels outside [0, classes) that are not the ignored one say nothing of
/// what is right. Of this bound right kernels reach 0.30 in float32, 0.12 in bfloat16 and 0.27 in float16.
struct CrossEntropyExpected {
  CrossEntropyProblem problem;
  SoftmaxExpected softmax;
  double row_growth = 0;  ///< g(rows)
  Operand labels;
  Operand gradient;  ///< incoming, of the backward pass
  const CrossEntropyRow* rows = nullptr;
  int output = 0;
  double largest = SoftmaxExpected::infinity();  ///< largest finite number of the accumulator

  /// What that row comes to. O(classes).
  [[nodiscard]] ASSAY_FUNCTION CrossEntropyRow row_of(Index index) const {
    CrossEntropyRow row;
    row.label = labels.load(index);
    row.counts = row.label != static_cast<double>(problem.ignored_label);
    row.softmax = softmax.row_of(index, 0);
    if (!row.counts) return row;
    const bool is_class = row.label >= 0 && row.label < static_cast<double>(problem.classes);
    if (!is_class || !is_finite(row.softmax.maximum)) {
      row.loss = detail::double_of(binary64_layout.nan_bits());
      row.error = is_class ? 0 : SoftmaxExpected::infinity();
      return row;
    }
    const SoftmaxBound& bound = softmax.bound;
    const double u = bound.unit, classes = static_cast<double>(problem.classes), maximum = row.softmax.maximum,
                 log_sum = std::log(row.softmax.sum);
    if (problem.backward) {
      row.softmax.deviation += stored_error(maximum, log_sum);
      return row;
    }
    const double target = softmax.scaled(index * problem.classes + static_cast<Index>(row.label)),
                 own = (maximum - target) + log_sum;
    double sum = 0, magnitudes = 0;
    if (problem.smoothing > 0)
      for (Index j = 0; j < problem.classes; ++j) {
        const double z = softmax.scaled(index * problem.classes + j);
        sum += z - maximum;
        magnitudes += detail::absolute(z);
      }
    const double distance = -sum / classes, others = distance + log_sum, share = problem.smoothing;
    row.loss = share == 0 ? own : share == 1 ? others : (1 - share) * own + share * others;
    if (!is_finite(row.loss)) {
      if (share == 1 && !is_finite(own)) row.error = SoftmaxExpected::infinity();  // (1 - share)·own may be added
      return row;
    }
    const double sum_error = row.softmax.deviation + bound.growth + bound.rescaling + u * row.softmax.range;
    row.error = std::expm1(sum_error) + bound.function_error * log_sum + 2 * u * (detail::absolute(maximum) + log_sum) +
                bound.underflow;
    row.error +=
        2 * u *
        ((1 - share) * (detail::absolute(target) + (maximum - target) + 2 * own) + share * (distance + 2 * others));
    row.error +=
        share * (bound.growth + bound.function_error + 2 * u) * (magnitudes / classes + others) + 4 * u * row.loss;
    const double logarithms = classes * others, largest_sum = share == 0                ? own
                                                              : magnitudes > logarithms ? magnitudes
                                                                                        : logarithms;
    if (!(largest_sum * (1 + bound.growth + 4 * u) <= largest) && (share > 0 || !overflows(row.loss - row.error)))
      row.error = SoftmaxExpected::infinity();
    return row;
  }

  /// Of all rows.
  [[nodiscard]] ASSAY_FUNCTION CrossEntropyRow mean_of_rows() const {
    CrossEntropyRow whole;
    for (Index row = 0; row < problem.rows; ++row) {
      whole.loss += rows[row].loss;
      whole.error += rows[row].error;
      whole.label += rows[row].counts ? 1 : 0;
    }
    const double u = softmax.bound.unit, mean = whole.loss / whole.label;
    if (is_finite(mean)) {
      const double largest_sum = (whole.loss + whole.error) * (1 + row_growth);
      whole.error = whole.error * (1 + row_growth) / whole.label +
                    (row_growth + softmax.bound.function_error + 4 * u) * mean + softmax.bound.underflow;
      if (!(largest_sum <= largest) && !overflows(mean - whole.error)) whole.error = SoftmaxExpected::infinity();
    }
    whole.loss = mean;
    return whole;
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const bool mean = problem.reduction == LossReduction::mean;
    if (!problem.backward) {
      const CrossEntropyRow& own = rows[mean ? problem.rows : column];             // losses have rank 1, their mean 0
      return {own.error < SoftmaxExpected::infinity() ? own.loss : 0, own.error};  // NaN would be demanded
    }
    const CrossEntropyRow& own = rows[row];
    if (!own.counts)
      return {0, is_finite(own.softmax.maximum) ? 0 : SoftmaxExpected::infinity()};  // 0·NaN may be either
    if (own.error == SoftmaxExpected::infinity()) return {0, own.error};
    const double u = softmax.bound.unit,
                 incoming = mean ? gradient.load(0) / rows[problem.rows].label : gradient.load(row);
    const double target = (static_cast<double>(column) == own.label ? 1 - problem.smoothing : 0) +
                          problem.smoothing / static_cast<double>(problem.classes);
    const ExpectedElement power = softmax.of_row(own.softmax, softmax.scaled(row * problem.classes + column));
    const double difference = power.value - target, difference_error = power.error + 2 * u * (power.value + 2 * target),
                 value = difference * incoming;
    const bool may_be_zero = detail::absolute(difference) <= difference_error,
               unknown = power.error == SoftmaxExpected::infinity() || (is_infinite(incoming) && may_be_zero);
    if (unknown && !is_nan(incoming)) return {0, SoftmaxExpected::infinity()};
    if (!is_finite(value)) return {value, 0};
    return {value, difference_error * detail::absolute(incoming) +
                       (softmax.bound.function_error + 3 * u) * detail::absolute(value) +
                       (1 + detail::absolute(incoming)) * softmax.bound.underflow};
  }

 private:
  /// What exp(z − (m + log s)) is off by, relative to itself, because m + log s is rounded.
  [[nodiscard]] ASSAY_FUNCTION double stored_error(double maximum, double log_sum) const {
    const double rounding = softmax.bound.unit * (detail::absolute(maximum) + log_sum);
    return rounding < log_sum ? rounding : log_sum;
  }
  /// Whether a loss is stored as what is no number of its format.
  [[nodiscard]] ASSAY_FUNCTION bool overflows(double loss) const { return !is_finite(problem.loss.round(loss)); }
};

/// Finds what a row comes to; then, as the one behind the last, what all of them do.
struct CrossEntropyRowWork {
  CrossEntropyExpected expected;
  CrossEntropyRow* rows;
  bool whole;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    if (whole)
      rows[expected.problem.rows] = expected.mean_of_rows();
    else
      rows[index] = expected.row_of(static_cast<Index>(index));
  }
};

/// The softmax of the logits' rows.
[[nodiscard]] inline SoftmaxProblem softmax_of(const CrossEntropyProblem& problem) {
  SoftmaxProblem softmax;
  softmax.outer = problem.rows;
  softmax.length = problem.classes;
  softmax.input = problem.logits;
  return softmax;
}

/// O(elements) time, 96 bytes a row: elements of the gradient are computed again while they are compared.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<CrossEntropyExpected>> cross_entropy_reference(
    B& backend, typename B::Stream& stream, const CrossEntropyProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic) {
  const auto rows = static_cast<std::size_t>(problem.rows);
  auto buffer = backend.template allocate<CrossEntropyRow>(rows + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<CrossEntropyRow>>(std::move(buffer).value());
  const SoftmaxProblem softmax = softmax_of(problem);
  CrossEntropyExpected expected{
      problem,     {softmax, SoftmaxBound::of(softmax, model, arithmetic), operands[0], {}, nullptr, 0},
      0,           operands[1],
      operands[2], owned->data(),
      0,           arithmetic.accumulation.max_finite};
  expected.row_growth = positive_growth_factor(problem.rows, 1, arithmetic.accumulation, model).value +
                        static_cast<double>(problem.rows) * 0x1p-53;
  detail::WaitAtEnd work_on_them(backend, stream);
  if (auto run = backend.parallel_for(stream, rows, CrossEntropyRowWork{expected, owned->data(), false}); !run)
    return run.propagate();
  if (auto run = backend.parallel_for(stream, 1, CrossEntropyRowWork{expected, owned->data(), true}); !run)
    return run.propagate();
  if (auto done = work_on_them.wait(); !done) return done.propagate();
  return OperationReference<CrossEntropyExpected>{expected, std::move(owned)};
}

}  // namespace assay::inline v0
