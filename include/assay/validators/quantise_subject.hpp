#pragma once

#include <functional>
#include <string>
#include <utility>

#include "assay/kernels/kernel.hpp"
#include "assay/kernels/quantise/bound.hpp"
#include "assay/kernels/quantise/portable.hpp"
#include "assay/kernels/quantise/quantise.hpp"
#include "assay/validators/detail/launched_subject.hpp"

namespace assay::inline v0 {

/// A quantising or dequantising kernel under test, without its type. `Op` is a `Quantise` or a `Dequantise`.
template <class Op>
struct QuantiseSubject {
  std::string name;  ///< of the backend, for ids
  /// Computes on memory that the checking backend gave out, and returns when the work is done.
  std::function<Result<void>(const QuantiseProblem&, const typename Op::Arguments&)> run;
  /// How many operations in float32 the kernel makes before its last rounding.
  std::function<QuantiseArithmetic(const QuantiseProblem&)> arithmetic = [](const QuantiseProblem& problem) {
    return QuantiseArithmetic::usual(problem.scheme);
  };
};

/// The kernel that the trait `kernel<B, Op>` finds, run on a stream of its own and synchronised. A member
/// `arithmetic(problem)` of the trait tells the operations that it makes, where they are not the usual ones.
template <class Op, Backend B>
[[nodiscard]] QuantiseSubject<Op> quantise_subject(B backend) {
  QuantiseSubject<Op> subject = detail::launched_subject<QuantiseSubject<Op>>(std::move(backend), &kernel<B, Op>::run);
  if constexpr (requires(const QuantiseProblem& problem) { QuantiseArithmetic(kernel<B, Op>::arithmetic(problem)); })
    subject.arithmetic = [](const QuantiseProblem& problem) -> QuantiseArithmetic { return kernel<B, Op>::arithmetic(problem); };
  return subject;
}

/// Assay's own portable kernels on a backend.
template <Format Input, ParallelBackend B>
[[nodiscard]] QuantiseSubject<Quantise<Input>> portable_quantise_subject(B backend) {
  return detail::launched_subject<QuantiseSubject<Quantise<Input>>>(std::move(backend), &portable_quantise<Input, B>);
}
/// The library's own dequantisation on `backend`, as a subject.
template <Format Output, ParallelBackend B>
[[nodiscard]] QuantiseSubject<Dequantise<Output>> portable_dequantise_subject(B backend) {
  return detail::launched_subject<QuantiseSubject<Dequantise<Output>>>(std::move(backend), &portable_dequantise<Output, B>);
}

}  // namespace assay::inline v0
