#pragma once

#include <functional>
#include <string>
#include <utility>

#include "assay/kernels/kernel.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/validators/detail/launched_subject.hpp"
#include "assay/validators/detail/operation_on_host.hpp"
#include "assay/validators/kernel_contract.hpp"

namespace assay::inline v0 {

/// A kernel of an operation under test, without its type.
template <Operation Op>
struct OperationSubject {
  std::string name;  ///< of the backend, for ids
  /// Computes on memory that the checking backend gave out, and returns when the work is done.
  /// `ErrorKind::unsupported`, with the reason, refuses a problem.
  std::function<Result<void>(const typename Op::Problem&, const OperandArray&)> run;
  /// The arithmetic that the kernel promises.
  std::function<Arithmetic(const typename Op::Problem&)> arithmetic = [](const typename Op::Problem&) {
    return Arithmetic{};
  };
  /// What the kernel's contract fixes of a problem's fields; empty: nothing.
  std::function<KernelContract(const typename Op::Problem&)> contract = {};
};

/// The kernel that the trait `kernel<B, Op>` finds, run on a stream of its own and synchronized. The trait may declare
/// `static Arithmetic arithmetic(const Problem&)` and `static KernelContract contract(const Problem&)`.
template <Operation Op, Backend B>
[[nodiscard]] OperationSubject<Op> operation_subject(B backend) {
  OperationSubject<Op> subject =
      detail::launched_subject<OperationSubject<Op>>(std::move(backend), &kernel<B, Op>::run);
  if constexpr (requires(const typename Op::Problem& problem) { Arithmetic(kernel<B, Op>::arithmetic(problem)); })
    subject.arithmetic = [](const typename Op::Problem& problem) -> Arithmetic {
      return kernel<B, Op>::arithmetic(problem);
    };
  if constexpr (requires(const typename Op::Problem& problem) { KernelContract(kernel<B, Op>::contract(problem)); })
    subject.contract = [](const typename Op::Problem& problem) -> KernelContract {
      return kernel<B, Op>::contract(problem);
    };
  return subject;
}

namespace detail {
template <Operation Op, ParallelBackend B>
[[nodiscard]] OperationSubject<Op> portable_operation_subject_on(B backend) {
  return launched_subject<OperationSubject<Op>>(
      std::move(backend), [](B& own, typename B::Stream& stream, const typename Op::Problem& problem,
                             const OperandArray& operands) { return Op::portable(own, stream, problem, operands); });
}
}  // namespace detail

/// Assay's own kernel of an operation on a backend: `Op::portable(backend, stream, problem, operands)`.
template <Operation Op, ParallelBackend B>
[[nodiscard]] OperationSubject<Op> portable_operation_subject(B backend) {
  if constexpr (detail::compiled_on_host<Op, B>)
    return detail::OperationOnHost<Op>::portable(std::move(backend));
  else
    return detail::portable_operation_subject_on<Op>(std::move(backend));
}

}  // namespace assay::inline v0
