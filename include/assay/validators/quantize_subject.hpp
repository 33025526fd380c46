#pragma once

#include <functional>
#include <string>
#include <utility>

#include "assay/kernels/kernel.hpp"
#include "assay/kernels/quantize/bound.hpp"
#include "assay/kernels/quantize/portable.hpp"
#include "assay/kernels/quantize/quantize.hpp"
#include "assay/validators/detail/launched_subject.hpp"

namespace assay::inline v0 {

/// A quantizing or dequantizing kernel under test, without its type. `Op` is a `Quantize` or a `Dequantize`.
template <class Op>
struct QuantizeSubject {
  std::string name;  ///< of the backend, for ids
  /// Computes on memory that the checking backend gave out, and returns when the work is done.
  std::function<Result<void>(const QuantizeProblem&, const typename Op::Arguments&)> run;
  /// How many operations in float32 the kernel makes before its last rounding.
  std::function<QuantizeArithmetic(const QuantizeProblem&)> arithmetic = [](const QuantizeProblem& problem) {
    return QuantizeArithmetic::usual(problem.scheme);
  };
};

/// The kernel that the trait `kernel<B, Op>` finds, run on a stream of its own and synchronized. A member
/// `arithmetic(problem)` of the trait tells the operations that it makes, where they are not the usual ones.
template <class Op, Backend B>
[[nodiscard]] QuantizeSubject<Op> quantize_subject(B backend) {
  QuantizeSubject<Op> subject = detail::launched_subject<QuantizeSubject<Op>>(std::move(backend), &kernel<B, Op>::run);
  if constexpr (requires(const QuantizeProblem& problem) { QuantizeArithmetic(kernel<B, Op>::arithmetic(problem)); })
    subject.arithmetic = [](const QuantizeProblem& problem) -> QuantizeArithmetic {
      return kernel<B, Op>::arithmetic(problem);
    };
  return subject;
}

/// Assay's own portable kernels on a backend.
template <Format Input, ParallelBackend B>
[[nodiscard]] QuantizeSubject<Quantize<Input>> portable_quantize_subject(B backend) {
  return detail::launched_subject<QuantizeSubject<Quantize<Input>>>(std::move(backend), &portable_quantize<Input, B>);
}
/// The library's own dequantization on `backend`, as a subject.
template <Format Output, ParallelBackend B>
[[nodiscard]] QuantizeSubject<Dequantize<Output>> portable_dequantize_subject(B backend) {
  return detail::launched_subject<QuantizeSubject<Dequantize<Output>>>(std::move(backend),
                                                                       &portable_dequantize<Output, B>);
}

}  // namespace assay::inline v0
