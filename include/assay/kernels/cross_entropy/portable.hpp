#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/cross_entropy/problem.hpp"

namespace assay::inline v0 {

/// The loss or the gradients of one row in single precision; of a mean, all of them.
struct PortableCrossEntropy {
  CrossEntropyProblem problem;
  Operand logits, labels, incoming, loss, gradient;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    if (problem.reduction == LossReduction::none) {
      const auto row = static_cast<Index>(index);
      if (problem.backward)
        write_gradients(row, static_cast<float>(incoming.load(row)));
      else
        loss.store(row, loss_of(row));
      return;
    }
    float sum = 0, count = 0;
    for (Index row = 0; row < problem.rows; ++row) {
      if (!problem.backward) sum += loss_of(row);
      count += ignored(row) ? 0.0F : 1.0F;
    }
    if (!problem.backward) loss.store(0, sum / count);
    for (Index row = 0; row < problem.rows && problem.backward; ++row)
      write_gradients(row, static_cast<float>(incoming.load(0)) / count);
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION bool ignored(Index row) const {
    return static_cast<Index>(labels.load(row)) == problem.ignored_label;
  }
  [[nodiscard]] ASSAY_FUNCTION float logit(Index row, Index j) const {
    return static_cast<float>(logits.load(row * problem.classes + j));
  }
  [[nodiscard]] ASSAY_FUNCTION float maximum_of(Index row) const {
    float maximum = logit(row, 0);
    for (Index j = 1; j < problem.classes; ++j) {
      const float x = logit(row, j);
      if (is_nan(x) || x > maximum) maximum = x;
    }
    return maximum;
  }
  [[nodiscard]] ASSAY_FUNCTION float sum_of(Index row, float maximum) const {
    float sum = 0;
    for (Index j = 0; j < problem.classes; ++j) sum += std::exp(logit(row, j) - maximum);
    return sum;
  }
  [[nodiscard]] ASSAY_FUNCTION float loss_of(Index row) const {
    if (ignored(row)) return 0;
    const float maximum = maximum_of(row), log_sum = std::log(sum_of(row, maximum)),
                share = static_cast<float>(problem.smoothing);
    const float own = log_sum - (logit(row, static_cast<Index>(labels.load(row))) - maximum);
    if (share == 0) return own;
    float distance = 0;
    for (Index j = 0; j < problem.classes; ++j) distance += maximum - logit(row, j);
    return (1 - share) * own + share * (log_sum + distance / static_cast<float>(problem.classes));
  }
  ASSAY_FUNCTION void write_gradients(Index row, float scale) const {
    const Index label = static_cast<Index>(labels.load(row));
    const float maximum = maximum_of(row), sum = sum_of(row, maximum), share = static_cast<float>(problem.smoothing);
    for (Index j = 0; j < problem.classes; ++j) {
      const float target = share / static_cast<float>(problem.classes) + (j == label ? 1 - share : 0);
      gradient.store(row * problem.classes + j,
                     ignored(row) ? 0 : (std::exp(logit(row, j) - maximum) / sum - target) * scale);
    }
  }
};

/// A cross entropy for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_cross_entropy(B& backend, typename B::Stream& stream,
                                                  const CrossEntropyProblem& problem, const OperandArray& operands) {
  const std::size_t count = problem.reduction == LossReduction::none ? static_cast<std::size_t>(problem.rows) : 1;
  return backend.parallel_for(
      stream, count, PortableCrossEntropy{problem, operands[0], operands[1], operands[2], operands[3], operands[4]});
}

}  // namespace assay::inline v0
