#pragma once

#include <cmath>
#include <cstddef>

#include "assay/kernels/reduction/reference.hpp"

namespace assay::inline v0 {

/// One row in single precision, element after element.
struct PortableReduction {
  ReductionProblem problem;
  Operand input, output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const ReductionRow row(input, problem, static_cast<Index>(index));
    const Index place = static_cast<Index>(index);
    if (problem.selects()) {
      const ReductionSelection found = ReductionSelection::of(problem, row);
      output.store(place, problem.gives_index() ? static_cast<double>(found.index < 0 ? 0 : found.index)
                          : found.index < 0     ? detail::double_of(binary64_layout.nan_bits())
                                                : found.value);
      return;
    }
    const float terms = static_cast<float>(row.length);
    float sum = 0, squares = 0, product = 1;
    for (Index j = 0; j < row.length; ++j) {
      const float x = static_cast<float>(row[j]), before = sum;
      sum += x;
      squares += x * x;
      product *= x;
      if (problem.is_scan())
        output.store((place / problem.inner * problem.length + j) * problem.inner + place % problem.inner,
                     problem.exclusive ? before : sum);
    }
    switch (problem.function) {
      case ReductionFunction::prefix_sum: return;
      case ReductionFunction::mean: return output.store(place, sum / terms);
      case ReductionFunction::product: return output.store(place, product);
      case ReductionFunction::l2_norm: return output.store(place, std::sqrt(squares));
      case ReductionFunction::variance: {
        const float mean = sum / terms;
        squares = 0;
        for (Index j = 0; j < row.length; ++j) {
          const float deviation = static_cast<float>(row[j]) - mean;
          squares += deviation * deviation;
        }
        return output.store(place, squares / (problem.length > problem.correction
                                                  ? static_cast<float>(problem.length - problem.correction)
                                                  : 0.0F));
      }
      default: return output.store(place, sum);
    }
  }
};

/// A reduction for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_reduction(B& backend, typename B::Stream& stream, const ReductionProblem& problem,
                                              const OperandArray& operands) {
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.outer * problem.inner),
                              PortableReduction{problem, operands[0], operands[1]});
}

}  // namespace assay::inline v0
