#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay::inline v0 {

/// One addition of a product in the accumulator's format: native arithmetic where there is some, else each operation in
/// double and rounded once.
template <Format Accumulator>
[[nodiscard]] ASSAY_FUNCTION constexpr double accumulate(double sum, double a, double b) {
  if constexpr (std::is_same_v<Accumulator, float64>) {
    return sum + a * b;
  } else if constexpr (std::is_same_v<Accumulator, float32>) {
    return static_cast<double>(static_cast<float>(sum) + static_cast<float>(a) * static_cast<float>(b));
  } else {
    return round_to<Accumulator>(sum + round_to<Accumulator>(a * b));
  }
}

/// One output of a GEMM: the sum in ascending k, in the accumulator's format.
template <class Op>
struct PortableGemmElement {
  typename Op::Arguments arguments;
  double alpha;
  double beta;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    using Accumulator = typename Op::Accumulator;
    using Sum = std::conditional_t<std::is_same_v<Accumulator, float32>, float32,
                                   double>;  // converted in each step, sums would wait for it
    const auto& [a, b, c] = arguments;
    const Index element = static_cast<Index>(index);
    const Index column = element % c.extents[2], row = element / c.extents[2] % c.extents[1],
                batch = element / c.extents[2] / c.extents[1];
    double result = 0;
    if (alpha != 0) {
      Sum sum = 0;
      for (Index term = 0; term < a.extents[2]; ++term)
        sum =
            static_cast<Sum>(accumulate<Accumulator>(sum, decode(a(batch, row, term)), decode(b(batch, term, column))));
      result = alpha == 1 ? sum : round_to<Accumulator>(alpha * sum);
    }
    if (beta != 0) result = round_to<Accumulator>(result + round_to<Accumulator>(beta * decode(c(batch, row, column))));
    c(batch, row, column) = encode<typename Op::FormatC>(result);
  }
};

/// A GEMM kernel for any parallel backend and any formats, written to be read, not to be fast. It is validated like
/// everybody else's.
template <class Op, ParallelBackend B>
[[nodiscard]] Result<void> portable_gemm(B& backend, typename B::Stream& stream, const GemmProblem& problem,
                                         const typename Op::Arguments& arguments) {
  return backend.parallel_for(stream, static_cast<std::size_t>(arguments.c.size()),
                              PortableGemmElement<Op>{arguments, problem.alpha, problem.beta});
}

}  // namespace assay::inline v0
