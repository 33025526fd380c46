#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "assay/kernels/kernel.hpp"
#include "assay/kernels/quantise/bound.hpp"
#include "assay/kernels/quantise/portable.hpp"
#include "assay/kernels/quantise/quantise.hpp"

namespace assay {

/// A quantising or dequantising kernel under test, without its type. `Op` is a `Quantise` or a `Dequantise`.
template <class Op>
struct QuantiseSubject {
  std::string name;  ///< of the backend, for ids
  /// Computes on memory that the checking backend gave out, and returns when the work is done.
  std::function<Result<void>(const QuantiseProblem&, const typename Op::Arguments&)> run;
  /// How many operations in float32 the kernel makes before its last rounding.
  std::function<QuantiseArithmetic(const QuantiseProblem&)> arithmetic = [](const QuantiseProblem& problem) { return QuantiseArithmetic::usual(problem.scheme); };
};

namespace detail {

/// A subject that submits by `launch(backend, stream, problem, arguments)`, on a stream of its own, and synchronises.
template <class Op, Backend B, class Launch>
[[nodiscard]] QuantiseSubject<Op> launched_quantise_subject(B backend, Launch launch) {
  QuantiseSubject<Op> subject;
  subject.name = std::string(backend.name());
  subject.run = [shared = std::make_shared<B>(std::move(backend)), launch](const QuantiseProblem& problem, const typename Op::Arguments& arguments) -> Result<void> {
    auto stream = shared->make_stream();
    if (!stream) return stream.propagate();
    if (auto run = launch(*shared, stream.value(), problem, arguments); !run) return run;
    return shared->synchronize(stream.value());
  };
  return subject;
}

}  // namespace detail

/// The kernel that the trait `kernel<B, Op>` finds, run on a stream of its own and synchronised. A member
/// `arithmetic(problem)` of the trait tells the operations that it makes, where they are not the usual ones.
template <class Op, Backend B>
[[nodiscard]] QuantiseSubject<Op> quantise_subject(B backend) {
  QuantiseSubject<Op> subject = detail::launched_quantise_subject<Op>(std::move(backend), &kernel<B, Op>::run);
  if constexpr (requires(const QuantiseProblem& problem) { QuantiseArithmetic(kernel<B, Op>::arithmetic(problem)); })
    subject.arithmetic = [](const QuantiseProblem& problem) -> QuantiseArithmetic { return kernel<B, Op>::arithmetic(problem); };
  return subject;
}

/// Assay's own portable kernels on a backend.
template <Format Input, ParallelBackend B>
[[nodiscard]] QuantiseSubject<Quantise<Input>> portable_quantise_subject(B backend) {
  return detail::launched_quantise_subject<Quantise<Input>>(std::move(backend), &portable_quantise<Input, B>);
}
template <Format Output, ParallelBackend B>
[[nodiscard]] QuantiseSubject<Dequantise<Output>> portable_dequantise_subject(B backend) {
  return detail::launched_quantise_subject<Dequantise<Output>>(std::move(backend), &portable_dequantise<Output, B>);
}

}  // namespace assay
