#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "assay/compare/compare.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/quantize/dequantize_fill.hpp"
#include "assay/kernels/quantize/reference.hpp"
#include "assay/suite/case.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/validators/check_steps.hpp"
#include "assay/validators/describe_comparison.hpp"
#include "assay/validators/detail/dequantize_operands.hpp"
#include "assay/validators/quantize_subject.hpp"

namespace assay::inline v0 {

/// Validates one dequantizing kernel on one problem and pattern of codes and scales: every element must lie between the
/// values to which its product, off by no more than the declared roundings, rounds; where the scale is a power of two,
/// be the exact product rounded once.
///
/// Verdicts, memory and time as of `check_quantize`.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_dequantize(W& worker, const QuantizeSubject<Op>& subject, const QuantizeProblem& problem,
                                       DequantizeFillKind kind, const CaseContext& context) {
  Outcome outcome;
  const auto layout = lay_out(problem);
  if (!layout) return detail::refused(std::move(outcome), layout.error());
  auto stream = worker.make_stream();
  if (!stream) return detail::refused(std::move(outcome), stream.error());
  const DequantizeFill pattern{kind, context.seed, problem.scheme};
  auto prepared = detail::DequantizeOperands<typename Op::Output, W>::create(worker, stream.value(), problem,
                                                                             layout.value(), pattern);
  if (!prepared) return detail::refused(std::move(outcome), prepared.error());
  auto& operands = prepared.value();
  const QuantizeArithmetic arithmetic = subject.arithmetic(problem);
  const DequantizeExpected expected = DequantizeExpected::of(problem, operands.arguments().quantized, arithmetic);

  double kernel_seconds = 0, comparison_seconds = 0;
  const unsigned runs = context.repetitions > 1 ? context.repetitions : 1;
  for (unsigned run = 1; run <= runs; ++run) {
    if (run > 1)
      if (auto reset = operands.reset_output(); !reset) return detail::refused(std::move(outcome), reset.error());
    if (auto done = worker.synchronize(stream.value()); !done) return detail::refused(std::move(outcome), done.error());
    auto clock = std::chrono::steady_clock::now();
    if (auto ran = subject.run(problem, operands.arguments()); !ran)
      return detail::refused(std::move(outcome), ran.error());
    const double seconds = detail::lap(clock);
    kernel_seconds = run == 1 || seconds < kernel_seconds ? seconds : kernel_seconds;
    auto memory = operands.inspect();
    if (!memory) return detail::refused(std::move(outcome), memory.error());
    auto compared = compare(worker, stream.value(), operands.arguments().matrix, expected, DerivedTolerance{});
    if (!compared) return detail::refused(std::move(outcome), compared.error());
    comparison_seconds += detail::lap(clock);
    Outcome judged;
    describe(compared.value(), ComparisonContext{}, judged);
    detail::judge_findings(memory.value(), judged);
    if (run > 1 && judged.verdict == Verdict::pass) continue;
    if (run > 1) judged.reason = "run " + std::to_string(run) + " of " + std::to_string(runs) + ": " + judged.reason;
    outcome = std::move(judged);
    if (outcome.verdict == Verdict::fail) break;
  }
  outcome.derivation = explain_dequantize_bound(problem.scheme, arithmetic);
  outcome.derivation.push_back(DerivedTolerance{}.describe());
  outcome.measure(measurement::kernel_seconds, kernel_seconds, "s");
  outcome.measure(measurement::comparison_seconds, comparison_seconds, "s");
  return outcome;
}

}  // namespace assay::inline v0
