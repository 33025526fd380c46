#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "assay/kernels/gemm/gemm.hpp"
#include "assay/tensor/staged_operands.hpp"
#include "assay/validators/detail/operand_of.hpp"
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
/// device; it need not wait. What a launch takes includes the copies. Give `arithmetic` to the subject where the kernel's
/// is not the usual one. Errors are those of the backend and of `launch`.
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

/// The same of a product: `launch(backend, stream, problem, arguments)`. Precondition: operands lie within the guards of
/// a `Tensor`, as those of checks do.
template <class Op, Backend B, class Launch>
[[nodiscard]] GemmSubject<Op> copied_gemm_subject(B backend, Launch launch) {
  GemmSubject<Op> subject;
  subject.name = std::string(backend.name());
  subject.run = [shared = std::make_shared<B>(std::move(backend)), launch](const GemmProblem& problem,
                                                                           const typename Op::Arguments& on_host) {
    OperandArray operands;
    operands.count = 3;
    operands[0] = detail::operand_of(on_host.a);
    operands[1] = detail::operand_of(on_host.b);
    operands[2] = detail::operand_of(on_host.c);
    for (int i = 0; i < 3; ++i) operands[i].guard_bytes = 4096;
    return detail::launch_on_copies(*shared, operands, [&](typename B::Stream& stream, const OperandArray& copies) {
      const typename Op::Arguments arguments{copies[0].template view<const typename Op::FormatA, 3>(),
                                             copies[1].template view<const typename Op::FormatB, 3>(),
                                             copies[2].template view<typename Op::FormatC, 3>()};
      return Result<void>(launch(*shared, stream, problem, arguments));
    });
  };
  return subject;
}

}  // namespace assay::inline v0
