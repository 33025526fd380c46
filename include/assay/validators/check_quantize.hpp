#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "assay/core/outcome.hpp"
#include "assay/kernels/quantize/fill.hpp"
#include "assay/kernels/quantize/judgment.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/check_steps.hpp"
#include "assay/validators/describe_quantized.hpp"
#include "assay/validators/detail/quantize_operands.hpp"
#include "assay/validators/quantize_subject.hpp"

namespace assay::inline v0 {

/// Validates one quantizing kernel on one problem and pattern: fills the matrix, runs the subject twice on memory
/// poisoned in two ways, and judges scale of the tensor, scales, zero points, codes and padding as `judge_quantized`
/// does.
///
/// The verdict is `fail` if anything is wrong that the definition or the declared arithmetic does not allow, an input
/// or memory beside the outputs was written, or part of an output was not, in any run; `inconclusive` if the scheme
/// says nothing of any block; `unsupported` or `error` with the reason if the subject or the environment refused. Time:
/// the subject's, at least twice, plus O(elements). Thread safety: concurrent calls on one worker are allowed.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_quantize(W& worker, const QuantizeSubject<Op>& subject, const QuantizeProblem& problem,
                                     QuantizeFillKind kind, const CaseContext& context) {
  using Input = typename Op::Input;
  Outcome outcome;
  const auto layout = lay_out(problem);
  if (!layout) return detail::refused(std::move(outcome), layout.error());
  auto stream = worker.make_stream();
  if (!stream) return detail::refused(std::move(outcome), stream.error());
  const QuantizeFill pattern = QuantizeFill::of(kind, problem, FormatTraits<Input>::layout, context.seed);
  auto prepared = detail::QuantizeOperands<Input, W>::create(worker, stream.value(), problem, layout.value(), pattern);
  if (!prepared) return detail::refused(std::move(outcome), prepared.error());
  auto& operands = prepared.value();
  const QuantizeArithmetic arithmetic = subject.arithmetic(problem);

  double kernel_seconds = 0, comparison_seconds = 0;
  const unsigned runs = context.repetitions > 2 ? context.repetitions : 2;
  for (unsigned run = 1; run <= runs; ++run) {
    if (run > 2)
      if (auto reset = operands.reset_second(); !reset) return detail::refused(std::move(outcome), reset.error());
    if (auto done = worker.synchronize(stream.value()); !done) return detail::refused(std::move(outcome), done.error());
    auto clock = std::chrono::steady_clock::now();
    if (auto ran = subject.run(problem, operands.arguments(run > 1)); !ran)
      return detail::refused(std::move(outcome), ran.error());
    const double seconds = detail::lap(clock);
    if (auto inspected = operands.inspect_inputs(); !inspected)
      return detail::refused(std::move(outcome), inspected.error());
    detail::lap(clock);
    kernel_seconds = run == 1 || seconds < kernel_seconds ? seconds : kernel_seconds;
    auto judged = judge_quantized<Input>(worker, stream.value(), problem, operands.matrix(),
                                         read_only(operands.arguments(run > 1).quantized), arithmetic);
    if (!judged) return detail::refused(std::move(outcome), judged.error());
    comparison_seconds += detail::lap(clock);
    if (run > 1 && judged.value().violations() == 0) continue;
    outcome = Outcome();
    describe(problem, judged.value(), outcome);
    if (outcome.verdict != Verdict::fail) continue;
    if (run > 1)
      outcome.reason =
          "run " + std::to_string(run) + " of " + std::to_string(runs) + ", after a right one: " + outcome.reason;
    break;
  }
  if (outcome.verdict == Verdict::fail) {  // the other array may not have been written by a run
    if (auto ran = subject.run(problem, operands.arguments(true)); !ran)
      return detail::refused(std::move(outcome), ran.error());
  }
  auto memory = operands.inspect();
  if (!memory) return detail::refused(std::move(outcome), memory.error());
  detail::judge_findings(memory.value(), outcome);
  outcome.derivation = explain_quantize_bound(problem.scheme, arithmetic);
  outcome.measure(measurement::kernel_seconds, kernel_seconds, "s");
  outcome.measure(measurement::comparison_seconds, comparison_seconds, "s");
  return outcome;
}

}  // namespace assay::inline v0
