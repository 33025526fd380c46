#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/validators/check_operation.hpp"
#include "assay/validators/detail/operation_case.hpp"
#include "assay/validators/given_tensor.hpp"

namespace assay::inline v0 {

/// How outputs are judged that somebody has in memory.
struct CheckOutputsOptions {
  ChosenTolerance tolerance;  ///< derived from operation, data and formats, unless another is chosen
  Arithmetic arithmetic;      ///< what the kernel promises
  RoundingModel rounding = RoundingModel::worst_case;  ///< of its sums over these data, of which nothing is known
  DiagnosisOptions diagnosis;                          ///< `{&diagnose}` names likely causes of what is refuted
};

/// Judges what a kernel has computed: the tensors of a problem in host memory, in the order of the operation's operands
/// (`Op::operands(problem)`; those that the problem does without are left out). Nothing is run and nothing written.
///
/// Number, formats and extents of the tensors are checked first; where they do not fit the problem, or memory is
/// missing, too small or shared, the verdict is `error`, with what to do. Else it is that of `check_operation`. O(what
/// the reference costs), and a copy of the tensors.
template <Operation Op>
[[nodiscard]] Outcome check_outputs(const typename Op::Problem& problem, const std::vector<GivenTensor>& tensors,
                                    const CheckOutputsOptions& options = {}) {
  const auto specs = Op::operands(problem);
  if (!specs) return detail::refused(Outcome{}, specs.error());
  const std::string name = std::string(Op::name()) + " " + Op::name_of(problem);
  const auto given = detail::given_operands(specs.value(), tensors, name);
  if (!given) return detail::refused(Outcome{}, given.error());

  OperationData data;
  data.model = options.rounding;
  std::size_t next = 0;
  for (std::size_t i = 0; i < specs.value().size(); ++i) {
    const OperandSpec& spec = specs.value()[i];
    Operand before = given.value()[static_cast<int>(i)];
    if (spec.present && spec.role == OperandRole::updated) before.data = const_cast<void*>(tensors[next].before);
    const bool read = spec.present && spec.role != OperandRole::output;
    data.operands.push_back(read ? OperandFill::of_codes(detail::codes_of(before)) : OperandFill{});
    next += spec.present ? 1 : 0;
  }
  OperationSubject<Op> subject;
  subject.name = "given";
  subject.arithmetic = [&](const typename Op::Problem&) { return options.arithmetic; };
  subject.run = [&](const typename Op::Problem&, const OperandArray& operands) -> Result<void> {
    for (std::size_t i = 0; i < specs.value().size(); ++i) {
      if (!specs.value()[i].present || specs.value()[i].role == OperandRole::input) continue;
      const Operand &to = operands[static_cast<int>(i)], &from = given.value()[static_cast<int>(i)];
      for (Index e = 0; e < to.size(); ++e)
        to.format.store_code(to.data, to.offset_of(e), from.format.load_code(from.data, from.offset_of(e)));
    }
    return {};
  };
  OperationCheckOptions check;
  check.tolerance = options.tolerance;
  check.diagnosis = options.diagnosis;
  check.diagnosis.may_rerun = false;
  Host host;
  Outcome outcome = check_operation<Op>(host, subject, problem, data, check, CaseContext{});
  const Case entry = detail::operation_case<Op>("given", problem, "given");
  outcome.id = entry.id;
  outcome.labels.insert(entry.labels.begin(), entry.labels.end());
  std::erase_if(outcome.measurements,
                [](const Measurement& entry) { return entry.name == measurement::kernel_seconds; });
  return outcome;
}

}  // namespace assay::inline v0
