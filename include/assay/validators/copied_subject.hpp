#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "assay/backends/host.hpp"
#include "assay/tensor/staged_operands.hpp"
#include "assay/tensor/tensor.hpp"
#include "assay/validators/gemm_operand_array.hpp"
#include "assay/validators/gemm_subject.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay::inline v0 {

namespace detail {

/// Copies operands to a device with their guards, launches, and copies all of it back.
template <Backend B, class Launch>
[[nodiscard]] Result<void> launch_on_copies(B& backend, const OperandArray& on_host, Launch launch) {
  auto stream = backend.make_stream();
  if (!stream) return stream.propagate();
  auto staged = StagedOperands<B>::create(backend, stream.value(), on_host);
  if (!staged) return staged.propagate();
  if (auto done = launch(stream.value(), staged.value().operands()); !done) return done;
  return staged.value().fetch();
}

}  // namespace detail

/// A kernel on a device that cannot run C++ functors (a vendor's runtime, Vulkan, OpenCL), whose references and
/// comparisons run on the host: for each launch its operands are copied to the device with the guards about them, and
/// everything is copied back, so that a write beside an output or to an input is seen as in place.
///
/// `launch(backend, stream, problem, operands)` gives a `Result<void>` and submits work on operands that lie on the
/// device; it need not wait. What a launch takes includes the copies. Give the subject its `arithmetic` where that is not
/// the usual one. Errors are those of the backend and of `launch`.
template <Operation Op, Backend B, class Launch>
[[nodiscard]] OperationSubject<Op> copied_operation_subject(B backend, Launch launch) {
  OperationSubject<Op> subject;
  subject.name = std::string(backend.name());
  subject.run = [shared = std::make_shared<B>(std::move(backend)), launch](const typename Op::Problem& problem,
                                                                           const OperandArray& on_host) {
    return detail::launch_on_copies(*shared, on_host, [&](typename B::Stream& stream, const OperandArray& operands) {
      return Result<void>(launch(*shared, stream, problem, operands));
    });
  };
  return subject;
}

/// The same of a product: `launch(backend, stream, problem, arguments)`. Precondition: operands lie within the guards
/// of a `Tensor`, as those of checks do.
template <class Op, Backend B, class Launch>
[[nodiscard]] GemmSubject<Op> copied_gemm_subject(B backend, Launch launch) {
  GemmSubject<Op> subject;
  subject.name = std::string(backend.name());
  subject.run = [shared = std::make_shared<B>(std::move(backend)), launch](const GemmProblem& problem,
                                                                           const typename Op::Arguments& on_host) {
    OperandArray operands = detail::operands_of(on_host);
    constexpr std::size_t guard = Tensor<float64, Host>::canary_elements * sizeof(float64);
    for (int i = 0; i < operands.count; ++i) operands[i].guard_bytes = static_cast<Index>(guard);
    return detail::launch_on_copies(*shared, operands, [&](typename B::Stream& stream, const OperandArray& copies) {
      return Result<void>(launch(*shared, stream, problem, detail::arguments_of<Op>(copies)));
    });
  };
  return subject;
}

}  // namespace assay::inline v0
