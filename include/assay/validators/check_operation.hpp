#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/works_as_host.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/core/outcome.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/check_steps.hpp"
#include "assay/validators/describe_comparison.hpp"
#include "assay/validators/detail/operation_on_host.hpp"
#include "assay/validators/detail/show_output.hpp"
#include "assay/validators/failures/add_diagnoses.hpp"
#include "assay/validators/failures/diagnose_operation.hpp"
#include "assay/validators/operation_memory.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay::inline v0 {

/// What a check of an operation asks for beside the right numbers.
struct OperationCheckOptions {
  ChosenTolerance tolerance;
  OperandStorage storage;            ///< where the operands lie in their allocations
  bool require_determinism = false;  ///< with repetitions > 1: fail where runs differ in any bit, instead of noting it
  DiagnosisOptions diagnosis;        ///< of failures on backends that run on the host
};

namespace detail {

/// Keeps the worse of two outcomes of one case, and all measurements of the worst error.
void join_outcome(Outcome& whole, Outcome part, const std::string& output, bool only_output);

/// Whether an operation judges an output by itself: `Op::judge(problem, operands, before, output, arithmetic, outcome)`
/// gives true where it did, with everything in host memory: from devices operands are copied for it, unless
/// `Op::judges(problem, output)`, where it is there, is false for all outputs. `operands` are those after the launch,
/// `before` those before it.
template <class Op>
concept JudgesItself = requires(const typename Op::Problem& problem, const OperandArray& operands, int output,
                                const Arithmetic& arithmetic, Outcome& outcome) {
  { Op::judge(problem, operands, operands, output, arithmetic, outcome) } -> std::same_as<bool>;
};

template <class Op>
[[nodiscard]] bool judges_itself([[maybe_unused]] const typename Op::Problem& problem, [[maybe_unused]] int output) {
  if constexpr (!JudgesItself<Op>)
    return false;
  else if constexpr (requires { Op::judges(problem, output); })
    return Op::judges(problem, output);
  else
    return true;
}

/// Judges all outputs of a launch, and shows them to `observer` unless that is null.
template <class Op, ParallelBackend W>
[[nodiscard]] Result<void> judge_operation(W& worker, typename W::Stream& stream, const typename Op::Problem& problem,
                                           OperationMemory<W>& memory, const OperationData& data,
                                           const Arithmetic& arithmetic, const OperationCheckOptions& options,
                                           [[maybe_unused]] const OutputObserver* observer, Outcome& outcome) {
  auto clock = std::chrono::steady_clock::now();
  const auto before = memory.operands_before();
  if (!before) return before.propagate();
  auto reference = Op::reference(worker, stream, problem, before.value(), data.model, arithmetic);
  if (!reference) return reference.propagate();
  double reference_seconds = lap(clock);
  const OperandArray operands = memory.operands();
  auto expected = reference.value().expected;
  std::optional<OperandsOnHost> copies;
  int output = 0;
  const auto written =
      static_cast<int>(std::count_if(memory.specs().begin(), memory.specs().end(), [](const OperandSpec& spec) {
        return spec.role != OperandRole::input && spec.present;
      }));
  for (std::size_t operand = 0; operand < memory.specs().size(); ++operand) {
    const OperandSpec& spec = memory.specs()[operand];
    if (spec.role == OperandRole::input) continue;
    const int own = output++;
    if (!spec.present) continue;
    Outcome part;
    bool judged = false;
    if constexpr (JudgesItself<Op>) {
      if (judges_itself<Op>(problem, own)) {
        if (!backend_runs_on_host<W> && !copies) {
          auto copied = memory.copy_to_host();
          if (!copied) return copied.propagate();
          copies = std::move(copied).value();
        }
        judged = Op::judge(problem, copies ? copies->after : operands, copies ? copies->before : before.value(), own,
                           arithmetic, part);
      }
    }
    expected.output = own;
    if constexpr (backend_runs_on_host<W>) {
      if (observer != nullptr) {
        const AnyExpectation any(expected);
        show_output(*observer, spec.name, operands[static_cast<int>(operand)], judged ? nullptr : &any,
                    options.tolerance);
      }
    }
    if (!judged) {
      auto compared = compare_operand(worker, stream, operands[static_cast<int>(operand)], expected, options.tolerance);
      if (!compared) return compared.propagate();
      ComparisonContext context;
      context.undetermined_because =
          "the bound on a correct kernel's error is void there (an intermediate result may overflow, or too many "
          "roundings for the "
          "accumulator)";
      describe(compared.value(), context, part);
    }
    join_outcome(outcome, std::move(part), spec.name, written == 1);
  }
  outcome.measure(measurement::reference_seconds, reference_seconds, "s");
  outcome.measure(measurement::comparison_seconds, lap(clock), "s");
  outcome.derivation = Op::derivation(problem, data.model, arithmetic);
  outcome.derivation.push_back(options.tolerance.describe());
  if (copies)
    outcome.derivation.push_back("judged on the host, to which all operands were copied from " +
                                 std::string(worker.name()));
  return {};
}

/// Whether the results of a kernel that draws depend on its seed, asked after it has passed: the launch is repeated
/// with `Op::another_seed(problem, operands)`, where that is there and names a problem whose results a right kernel
/// gives with a probability of 1e-17 at most. `bits` is of the outputs of the first launch.
template <class Op, ParallelBackend W>
[[nodiscard]] Result<void> judge_seed(const OperationSubject<Op>& subject, const typename Op::Problem& problem,
                                      OperationMemory<W>& memory, std::uint64_t bits, Outcome& outcome) {
  std::optional<OperandsOnHost> copies;
  if constexpr (!backend_runs_on_host<W>) {
    auto copied = memory.copy_to_host();
    if (!copied) return copied.propagate();
    copies = std::move(copied).value();
  }
  const auto other = Op::another_seed(problem, copies ? copies->after : memory.operands());
  if (!other) return {};
  if (auto reset = memory.reset_outputs(); !reset) return reset.propagate();
  if (auto done = subject.run(*other, memory.operands()); !done) return done.propagate();
  const auto again = memory.output_fingerprint();
  if (!again) return again.propagate();
  if (again.value() != bits) return {};
  outcome.verdict = Verdict::fail;
  outcome.reason = "the seeds " + std::to_string(problem.seed) + " and " + std::to_string(other->seed) +
                   " give the same results, bit for bit";
  Diagnosis cause;
  cause.fault_class = FaultClass::state;
  cause.kind = "seed_ignored";
  cause.confidence = Confidence::certain;
  cause.evidence = {
      "the kernel draws without its seed: a right one gives other results but with a probability of 1e-17"};
  add_diagnoses({std::move(cause)}, outcome);
  return {};
}

template <Operation Op, ParallelBackend W>
[[nodiscard]] Outcome check_operation_on(W& worker, const OperationSubject<Op>& subject,
                                         const typename Op::Problem& problem, const OperationData& data,
                                         const OperationCheckOptions& options, const CaseContext& context) {
  Outcome outcome;
  auto specs = Op::operands(problem);
  if (!specs) return refused(std::move(outcome), specs.error());
  auto stream = worker.make_stream();
  if (!stream) return refused(std::move(outcome), stream.error());
  const Arithmetic arithmetic = subject.arithmetic(problem);
  auto prepared = OperationMemory<W>::create(worker, stream.value(), std::move(specs).value(), data, options.storage);
  if (!prepared) return refused(std::move(outcome), prepared.error());
  OperationMemory<W>& memory = prepared.value();

  double kernel_seconds = 0;
  std::uint64_t first_bits = 0;
  unsigned differing_runs = 0;
  for (unsigned run = 1; run <= std::max(context.repetitions, 1u); ++run) {
    if (run > 1)
      if (auto reset = memory.reset_outputs(); !reset) return refused(std::move(outcome), reset.error());
    auto clock = std::chrono::steady_clock::now();
    if (auto done = subject.run(problem, memory.operands()); !done) return refused(std::move(outcome), done.error());
    const double seconds = lap(clock);
    kernel_seconds = run == 1 || seconds < kernel_seconds ? seconds : kernel_seconds;
    constexpr bool draws = requires {
      Op::another_seed(problem, memory.operands());
    };
    const auto bits =
        draws || context.repetitions > 1 ? memory.output_fingerprint() : Result<std::uint64_t>(std::uint64_t{0});
    if (!bits) return refused(std::move(outcome), bits.error());
    const auto findings = memory.inspect();
    if (!findings) return refused(std::move(outcome), findings.error());
    if (run == 1) first_bits = bits.value();
    const bool differs = bits.value() != first_bits;
    differing_runs += differs ? 1 : 0;
    if (run > 1 && ((!differs && findings.value().empty()) || outcome.verdict == Verdict::fail)) continue;
    Outcome judged;
    if (auto done = judge_operation<Op>(worker, stream.value(), problem, memory, data, arithmetic, options,
                                        run == 1 ? context.outputs : nullptr, judged);
        !done)
      return refused(std::move(outcome), done.error());
    judge_findings(findings.value(), judged);
    if constexpr (backend_runs_on_host<W>)
      if (judged.verdict == Verdict::fail && options.diagnosis.by != nullptr)
        if (const auto before = memory.operands_before())
          add_diagnoses(
              diagnose_operation<Op>(subject, problem, memory.specs(), data, before.value(), memory.operands(),
                                     options.tolerance, findings.value(), differs, options.diagnosis),
              judged);
    if (run == 1) {
      outcome = std::move(judged);
    } else if (judged.verdict == Verdict::fail) {
      judged.reason =
          "run " + std::to_string(run) + " of " + std::to_string(context.repetitions) + ": " + judged.reason;
      outcome = std::move(judged);
    }
  }
  if constexpr (requires { Op::another_seed(problem, memory.operands()); })
    if (outcome.verdict == Verdict::pass && differing_runs == 0)
      if (auto done = judge_seed<Op>(subject, problem, memory, first_bits, outcome); !done)
        return refused(std::move(outcome), done.error());
  judge_repetitions(kernel_seconds, differing_runs, context.repetitions, options.require_determinism, outcome);
  return outcome;
}

}  // namespace detail

/// Validates one kernel on one problem and given data: fills the operands, poisons the outputs, runs the subject,
/// verifies that inputs, canaries and gaps between rows are untouched and everything was written, computes reference
/// and bound, and compares every element of every output.
///
/// The verdict is `fail` if any element lies outside its acceptance interval or memory was written that is not the
/// subject's, in any of the runs that `context.repetitions` asks for, or runs differ where determinism is asked;
/// `inconclusive` if nothing was refuted but some elements could not be decided; `unsupported` or `error` with the
/// reason if the subject or the environment refused.
template <Operation Op, ParallelBackend W>
[[nodiscard]] Outcome check_operation(W& worker, const OperationSubject<Op>& subject,
                                      const typename Op::Problem& problem, const OperationData& data,
                                      const OperationCheckOptions& options, const CaseContext& context) {
  if constexpr (works_as_host<W> && !std::is_same_v<W, Host>)
    return check_operation<Op>(static_cast<Host&>(worker), subject, problem, data, options, context);
  else if constexpr (detail::compiled_on_host<Op, W>)
    return detail::OperationOnHost<Op>::check(worker, subject, problem, data, options, context);
  else
    return detail::check_operation_on<Op>(worker, subject, problem, data, options, context);
}

/// The same on one of the patterns of data that come with the operation.
template <Operation Op, ParallelBackend W>
[[nodiscard]] Outcome check_operation(W& worker, const OperationSubject<Op>& subject,
                                      const typename Op::Problem& problem, FillKind kind,
                                      const OperationCheckOptions& options, const CaseContext& context) {
  if (const auto specs = Op::operands(problem); !specs) return detail::refused(Outcome{}, specs.error());
  return check_operation<Op>(worker, subject, problem,
                             Op::data(problem, kind, subject.arithmetic(problem), context.seed), options, context);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/check_operation.ipp"
#endif
