#pragma once

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "assay/compare/compare.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/suite/case.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/tensor/tensor.hpp"
#include "assay/tolerance/aggregate.hpp"
#include "assay/tolerance/chosen.hpp"
#include "assay/validators/detail/gemm_operands.hpp"
#include "assay/validators/describe_comparison.hpp"
#include "assay/validators/gemm_subject.hpp"

namespace assay {

/// What a check asks for beside the right numbers.
struct GemmCheckOptions {
  ChosenTolerance tolerance;
  bool require_determinism = false;  ///< with repetitions > 1: fail where runs differ in any bit, instead of noting it
};

namespace detail {

/// Seconds since `start`, which then becomes now.
inline double lap(std::chrono::steady_clock::time_point& start) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - start).count();
  start = now;
  return seconds;
}

/// The verdict for what the environment refused.
inline Outcome refused(Outcome outcome, const Error& error) {
  outcome.verdict = error.kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error;
  outcome.reason = error.message;
  return outcome;
}

}  // namespace detail

/// Validates one GEMM kernel on one problem and given data: fills the operands, poisons the output, runs the
/// subject, verifies that inputs, canaries and the gaps between rows are untouched, computes reference and bound, and
/// compares every element.
///
/// The verdict is `fail` if any element lies outside its acceptance interval, the share of misrounded elements cannot be
/// explained by the accumulator, or memory was written that is not the subject's, in any of the runs that
/// `context.repetitions` asks for, or runs differ where determinism is asked; `inconclusive` if nothing was refuted but some elements could not be decided; `unsupported` or `error` with the
/// reason if the subject or the environment refused. Time: the subject's, plus O(batch·m·n·k) for the reference.
/// Thread safety: concurrent calls on one worker are allowed.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem, const GemmData& data, const GemmCheckOptions& options,
                                 const CaseContext& context) {
  Outcome outcome;
  const auto layout = lay_out(problem);
  if (!layout) return detail::refused(std::move(outcome), layout.error());
  auto stream = worker.make_stream();
  if (!stream) return detail::refused(std::move(outcome), stream.error());

  const AccumulationModel accumulation = subject.accumulation(problem);
  auto clock = std::chrono::steady_clock::now();
  auto prepared = detail::GemmOperands<Op, W>::create(worker, stream.value(), problem, layout.value(), data);
  if (!prepared) return detail::refused(std::move(outcome), prepared.error());
  detail::GemmOperands<Op, W>& operands = prepared.value();

  double kernel_seconds = 0;
  const auto run_subject = [&]() -> Result<std::uint64_t> {
    detail::lap(clock);
    if (auto run = subject.run(problem, operands.arguments()); !run) return run.propagate();
    const double seconds = detail::lap(clock);
    kernel_seconds = kernel_seconds == 0 || seconds < kernel_seconds ? seconds : kernel_seconds;
    return operands.output_fingerprint();
  };
  const auto first_run = run_subject();
  if (!first_run) return detail::refused(std::move(outcome), first_run.error());
  const auto memory = operands.inspect_memory();
  if (!memory) return detail::refused(std::move(outcome), memory.error());

  detail::lap(clock);
  const ExplainedGemmBound explained = gemm_bound(problem, accumulation, data.model, data.terms, gemm_needs_double_double<Op>);
  auto before = operands.arguments_before();
  if (!before) return detail::refused(std::move(outcome), before.error());
  auto reference = gemm_reference<Op>(worker, stream.value(), problem, before.value(), explained.bound);
  if (!reference) return detail::refused(std::move(outcome), reference.error());
  outcome.measure(measurement::reference_seconds, detail::lap(clock), "s");

  ComparisonContext described;
  described.rows_per_batch = problem.m;
  if (!std::isfinite(explained.bound.growth))
    described.undetermined_because = "a sum of " + std::to_string(data.terms) + " terms in " + accumulation.format_name + " may be wrong altogether, so that no bound holds";
  described.judge_misrounding = options.tolerance.kind == ChosenTolerance::Kind::derived && data.model == RoundingModel::statistical;
  const auto judge = [&](const detail::MemoryFindings& findings, Outcome& judged) -> Result<void> {
    auto compared = compare(worker, stream.value(), operands.arguments().c, reference.value().expected(), options.tolerance);
    if (!compared) return compared.propagate();
    describe(compared.value(), described, judged);
    detail::judge_memory(findings, judged);
    return {};
  };
  if (auto judged = judge(memory.value(), outcome); !judged) return detail::refused(std::move(outcome), judged.error());
  outcome.measure(measurement::comparison_seconds, detail::lap(clock), "s");
  outcome.derivation = explained.derivation;
  outcome.derivation.push_back(options.tolerance.describe());

  // again, as often as asked, on an output that is poisoned anew each time; a run with other bits is judged like the first
  unsigned differing_runs = 0;
  for (unsigned run = 2; run <= context.repetitions; ++run) {
    if (auto reset = operands.reset_output(); !reset) return detail::refused(std::move(outcome), reset.error());
    const auto bits = run_subject();
    if (!bits) return detail::refused(std::move(outcome), bits.error());
    const auto findings = operands.inspect_memory();
    if (!findings) return detail::refused(std::move(outcome), findings.error());
    if (bits.value() != first_run.value()) ++differing_runs;
    else if (!findings.value().a_modified && !findings.value().b_modified) continue;  // inputs' canaries are in their fingerprints
    if (outcome.verdict == Verdict::fail) continue;
    Outcome again;
    if (auto judged = judge(findings.value(), again); !judged) return detail::refused(std::move(outcome), judged.error());
    if (again.verdict != Verdict::fail) continue;
    again.reason = "run " + std::to_string(run) + " of " + std::to_string(context.repetitions) + ": " + again.reason;
    again.derivation = outcome.derivation;
    for (const char* seconds : {measurement::reference_seconds, measurement::comparison_seconds}) again.measure(seconds, outcome.measurement(seconds).value_or(0), "s");
    outcome = std::move(again);
  }
  outcome.measure(measurement::kernel_seconds, kernel_seconds, "s");
  if (context.repetitions > 1) {
    outcome.measure("differing_runs", differing_runs, "runs");
    if (differing_runs > 0) {
      const std::string finding = std::to_string(differing_runs) + " of " + std::to_string(context.repetitions - 1) + " repeated runs differ from the first in some bit";
      outcome.diagnosis.push_back(finding);
      if (options.require_determinism && outcome.verdict != Verdict::fail) {
        outcome.verdict = Verdict::fail;
        outcome.reason = finding;
      }
    }
  }
  return outcome;
}

/// One of the patterns of data that come with the library, made for the formats of `Op` and the arithmetic of its kernel.
template <class Op>
[[nodiscard]] GemmData gemm_data(FillKind kind, const GemmProblem& problem, const AccumulationModel& accumulation, std::uint64_t seed) {
  constexpr FloatLayout format_a = FormatTraits<typename Op::FormatA>::layout, format_b = FormatTraits<typename Op::FormatB>::layout;
  return GemmData::make(kind, problem, format_a.precision() < format_b.precision() ? format_a : format_b, FormatTraits<typename Op::FormatC>::layout, accumulation, seed);
}

/// The same on such a pattern.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem, FillKind kind, const GemmCheckOptions& options,
                                 const CaseContext& context) {
  return check_gemm<Op>(worker, subject, problem, gemm_data<Op>(kind, problem, subject.accumulation(problem), context.seed), options, context);
}

}  // namespace assay
