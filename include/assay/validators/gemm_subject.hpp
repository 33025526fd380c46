#pragma once

#include <functional>
#include <string>
#include <utility>

#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/gemm/portable.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/tolerance/accumulation_model.hpp"
#include "assay/validators/detail/gemm_on_host.hpp"
#include "assay/validators/detail/launched_subject.hpp"
#include "assay/validators/kernel_contract.hpp"

namespace assay::inline v0 {

/// A GEMM kernel under test, without its type: so that the check is compiled once per formats and memory, not once per
/// library.
template <class Op>
struct GemmSubject {
  std::string name;  ///< of the backend, for ids
  /// Computes on memory that the checking backend gave out, and returns when the work is done.
  std::function<Result<void>(const GemmProblem&, const typename Op::Arguments&)> run;
  /// The arithmetic that the kernel promises.
  std::function<AccumulationModel(const GemmProblem&)> accumulation = [](const GemmProblem&) {
    return accumulation_in<typename Op::Accumulator>();
  };
  /// What the kernel's contract fixes of a problem's fields, "alpha=1,beta=0" of a plain product; empty: nothing.
  std::function<KernelContract(const GemmProblem&)> contract = {};
};

/// The kernel that the trait `kernel<B, Op>` finds, run on a stream of its own and synchronized.
template <class Op, Backend B>
[[nodiscard]] GemmSubject<Op> gemm_subject(B backend) {
  GemmSubject<Op> subject = detail::launched_subject<GemmSubject<Op>>(std::move(backend), &kernel<B, Op>::run);
  if constexpr (requires(const GemmProblem& problem) { AccumulationModel(kernel<B, Op>::accumulation(problem)); })
    subject.accumulation = [](const GemmProblem& problem) -> AccumulationModel {
      return kernel<B, Op>::accumulation(problem);
    };
  return subject;
}

namespace detail {
template <class Op, ParallelBackend B>
[[nodiscard]] GemmSubject<Op> portable_gemm_subject_on(B backend) {
  return launched_subject<GemmSubject<Op>>(std::move(backend), &portable_gemm<Op, B>);
}
}  // namespace detail

/// Assay's own portable kernel on a backend.
template <class Op, ParallelBackend B>
[[nodiscard]] GemmSubject<Op> portable_gemm_subject(B backend) {
  if constexpr (detail::gemm_compiled_on_host<Op, B>)
    return detail::GemmOnHost<Op>::portable(std::move(backend));
  else
    return detail::portable_gemm_subject_on<Op>(std::move(backend));
}

}  // namespace assay::inline v0
