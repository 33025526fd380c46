#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/core/misuse.hpp"
#include "assay/faults/common_fault.hpp"
#include "assay/faults/output_launch.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay::inline v0 {

/// Kernels of an operation on host memory that are right, or have one of its faults: what its validator is validated
/// with. A specialization has
/// - `static std::vector<Fault> faults()`: those that are this operation's own;
/// - `static OperationSubject<Op> faulty(std::string_view name)`: a kernel with one of them; misuse: another name;
/// - `static std::vector<OperationSubject<Op>> correct()`: right kernels that compute in different ways, the first in
///   the commonest one.
template <Operation Op>
struct OperationFaults;

/// The name of an operation's own fault, kept for the whole program: kernels compare it in their inner loops and own no
/// text. For `OperationFaults<Op>::faulty`. Misuse: no fault of the operation has that name. O(faults).
template <Operation Op>
[[nodiscard]] std::string_view own_fault(std::string_view name) {
  static const std::vector<Fault> own = OperationFaults<Op>::faults();
  for (const Fault& fault : own)
    if (fault.name == name) return fault.name;
  misuse(std::string(Op::name()) + " has no fault '" + std::string(name) +
         "' of its own; `OperationFaults<Op>::faults()` lists them");
}

/// A right kernel with a common fault, of the corpus or of one's own, in host memory.
template <Operation Op>
[[nodiscard]] OperationSubject<Op> with_common_fault(OperationSubject<Op> right, AnyCommonFault fault) {
  OperationSubject<Op> subject = right;
  subject.name = fault_of(fault).name;
  subject.run = [run = std::move(right.run), faulty = std::make_shared<CommonFault>(std::move(fault))](
                    const typename Op::Problem& problem, const OperandArray& operands) -> Result<void> {
    const auto specs = Op::operands(problem);
    if (!specs) return specs.propagate();
    return faulty->launch(specs.value(), operands, [&](const OperandArray& own) { return run(problem, own); });
  };
  return subject;
}

/// The same of one that the corpus has; see `common_operation_faults`. Misuse: another name.
template <Operation Op>
[[nodiscard]] OperationSubject<Op> with_common_fault(OperationSubject<Op> right, const std::string& fault) {
  return with_common_fault<Op>(std::move(right), common_fault_named(fault));
}

/// A right kernel whose outputs are spoilt after each launch, in host memory: a fault of one's own, of any operation.
/// `spoil(launch)` is given an `OutputLaunch` wherever an output has elements.
template <Operation Op, std::invocable<const OutputLaunch&> Spoil>
[[nodiscard]] OperationSubject<Op> with_output_fault(OperationSubject<Op> right, std::string fault, Spoil spoil) {
  OperationSubject<Op> subject = right;
  subject.name = std::move(fault);
  subject.run = [run = std::move(right.run), spoil = std::move(spoil)](const typename Op::Problem& problem,
                                                                       const OperandArray& operands) -> Result<void> {
    const auto specs = Op::operands(problem);
    if (!specs) return specs.propagate();
    const OutputLaunch launch(specs.value(), operands);
    if (auto done = run(problem, operands); !done) return done;
    if (launch.has_output()) spoil(launch);
    return {};
  };
  return subject;
}

/// A kernel of an operation that is given as a function of host memory.
template <Operation Op, class Function>
[[nodiscard]] OperationSubject<Op> host_subject(std::string name, Function function,
                                                const Arithmetic& arithmetic = {}) {
  OperationSubject<Op> subject;
  subject.name = std::move(name);
  subject.run = [function = std::move(function)](const typename Op::Problem& problem,
                                                 const OperandArray& operands) -> Result<void> {
    function(problem, operands);
    return {};
  };
  subject.arithmetic = [arithmetic](const typename Op::Problem&) { return arithmetic; };
  return subject;
}

}  // namespace assay::inline v0
