#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/gemm/portable.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/tolerance/accumulation_model.hpp"

namespace assay {

/// A GEMM kernel under test, without its type: so that the check is compiled once per formats and memory, not once per
/// library.
template <class Op>
struct GemmSubject {
  std::string name;  ///< of the backend, for ids
  /// Computes on memory that the checking backend gave out, and returns when the work is done.
  std::function<Result<void>(const GemmProblem&, const typename Op::Arguments&)> run;
  /// The arithmetic that the kernel promises.
  std::function<AccumulationModel(const GemmProblem&)> accumulation = [](const GemmProblem&) { return accumulation_in<typename Op::Accumulator>(); };
};

namespace detail {

/// A subject that submits by `launch(backend, stream, problem, arguments)`, on a stream of its own, and synchronises.
template <class Op, Backend B, class Launch>
[[nodiscard]] GemmSubject<Op> launched_subject(B backend, Launch launch) {
  GemmSubject<Op> subject;
  subject.name = std::string(backend.name());
  subject.run = [shared = std::make_shared<B>(std::move(backend)), launch](const GemmProblem& problem, const typename Op::Arguments& arguments) -> Result<void> {
    auto stream = shared->make_stream();
    if (!stream) return stream.propagate();
    if (auto run = launch(*shared, stream.value(), problem, arguments); !run) return run;
    return shared->synchronize(stream.value());
  };
  return subject;
}

}  // namespace detail

/// The kernel that the trait `kernel<B, Op>` finds, run on a stream of its own and synchronised.
template <class Op, Backend B>
[[nodiscard]] GemmSubject<Op> gemm_subject(B backend) {
  GemmSubject<Op> subject = detail::launched_subject<Op>(std::move(backend), &kernel<B, Op>::run);
  if constexpr (requires(const GemmProblem& problem) { AccumulationModel(kernel<B, Op>::accumulation(problem)); })
    subject.accumulation = [](const GemmProblem& problem) -> AccumulationModel { return kernel<B, Op>::accumulation(problem); };
  return subject;
}

/// Assay's own portable kernel on a backend.
template <class Op, ParallelBackend B>
[[nodiscard]] GemmSubject<Op> portable_gemm_subject(B backend) {
  return detail::launched_subject<Op>(std::move(backend), &portable_gemm<Op, B>);
}

}  // namespace assay
