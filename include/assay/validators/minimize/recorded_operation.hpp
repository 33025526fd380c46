#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/validators/check_operation.hpp"
#include "assay/validators/detail/operation_case.hpp"
#include "assay/validators/minimize/detail/recorded_pattern.hpp"
#include "assay/validators/minimize/problem_fields.hpp"

namespace assay::inline v0 {

/// A kernel of an operation whose problems name their fields, with one case of it. Records are read as changes of that
/// case's problem: what its fields do not tell (block scaling schemes) is this case's.
template <Operation Op, ParallelBackend W>
requires NamesItsFields<typename Op::Problem>
class RecordedOperation final : public RecordedKernel {
 public:
  using Problem = typename Op::Problem;  ///< of the operation

  /// Precondition: `subject` is the kernel that failed with this problem and fill.
  RecordedOperation(std::shared_ptr<W> worker, std::shared_ptr<const OperationSubject<Op>> subject, Problem problem,
                    FillKind fill, OperationCheckOptions check)
      : worker_(std::move(worker)),
        subject_(std::move(subject)),
        problem_(std::move(problem)),
        fill_(fill),
        check_(check) {}

  [[nodiscard]] CaseRecord record(std::uint64_t seed) const override {
    CaseRecord record;
    record.problem = recorded_fields(problem_);
    record.data = name_of(fill_);
    record.seed = seed;
    record.row_padding = check_.storage.row_padding;
    record.misalignment = check_.storage.misalignment;
    record.require_determinism = check_.require_determinism;
    return record;
  }

  [[nodiscard]] Outcome run(const CaseRecord& record) const override {
    const auto problem = checked_problem(record);
    if (!problem) return detail::refused(Outcome{}, problem.error());
    auto data = data_of(record, problem.value());
    if (!data) return detail::refused(Outcome{}, data.error());
    OperationCheckOptions check = check_;
    check.storage = {record.row_padding, record.misalignment};
    check.require_determinism = record.require_determinism;
    Outcome outcome = check_operation<Op>(*worker_, *subject_, problem.value(), data.value(), check,
                                          {record.seed, record.repetitions});
    outcome.labels =
        detail::operation_case<Op>(subject_->name, problem.value(), record.operands.empty() ? record.data : "recorded")
            .labels;
    return outcome;
  }

  /// Patterns are the same on every backend: they are read off the host's memory.
  [[nodiscard]] Result<CaseRecord> with_values(CaseRecord record) const override {
    if (!record.operands.empty()) return record;
    const auto problem = checked_problem(record);
    if (!problem) return problem.propagate();
    const auto data = data_of(record, problem.value());
    if (!data) return data.propagate();
    Host host(1);
    auto stream = host.make_stream();
    if (!stream) return stream.propagate();
    auto specs = Op::operands(problem.value());
    auto memory =
        detail::OperationMemory<Host>::create(host, stream.value(), std::move(specs).value(), data.value(), {});
    if (!memory) return memory.propagate();
    const OperandArray operands = memory.value().operands();
    for (std::size_t i = 0; i < memory.value().specs().size(); ++i) {
      const OperandSpec& spec = memory.value().specs()[i];
      const Operand& operand = operands[static_cast<int>(i)];
      RecordedOperand entry{spec.name, spec.format.name, spec.extents, {}};
      if (spec.present && spec.role != OperandRole::output)
        for (Index e = 0; e < operand.size(); ++e)
          entry.codes.push_back(spec.format.load_code(operand.data, operand.offset_of(e)));
      record.operands.push_back(std::move(entry));
    }
    record.rounding = data.value().model;
    return record;
  }

  [[nodiscard]] std::vector<RecordedField> simplest() const override {
    return detail::simplest_under(subject_->contract ? subject_->contract(problem_) : KernelContract{},
                                  recorded_fields(Problem{}, false));
  }

 private:
  [[nodiscard]] Result<Problem> checked_problem(const CaseRecord& record) const {
    auto problem = with_fields(problem_, record.problem);
    if (!problem) return problem;
    if (const auto specs = Op::operands(problem.value()); !specs) return specs.propagate();
    return problem;
  }

  [[nodiscard]] Result<OperationData> data_of(const CaseRecord& record, const Problem& problem) const {
    if (record.operands.empty()) {
      const auto fill = detail::recorded_pattern(record);
      if (!fill) return fill.propagate();
      return Op::data(problem, fill.value(), subject_->arithmetic(problem), record.seed);
    }
    const auto specs = Op::operands(problem).value();
    if (specs.size() != record.operands.size())
      return failure(ErrorKind::malformed, "the record has " + std::to_string(record.operands.size()) +
                                               " operands; its problem has " + std::to_string(specs.size()));
    OperationData data;
    data.model = record.rounding;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const RecordedOperand& own = record.operands[i];
      const bool read = specs[i].present && specs[i].role != OperandRole::output;
      Index size = read ? 1 : 0;
      for (const Index extent : specs[i].extents) size *= extent;
      if (own.format != specs[i].format.name || static_cast<Index>(own.codes.size()) != size)
        return failure(ErrorKind::malformed, specs[i].name + " of the record has " + std::to_string(own.codes.size()) +
                                                 " codes of " + own.format + "; its problem needs " +
                                                 std::to_string(size) + " of " + specs[i].format.name);
      data.operands.push_back(read ? OperandFill::of_codes(own.codes) : OperandFill{});
    }
    return data;
  }

  std::shared_ptr<W> worker_;
  std::shared_ptr<const OperationSubject<Op>> subject_;
  Problem problem_;
  FillKind fill_;
  OperationCheckOptions check_;
};

}  // namespace assay::inline v0
