#pragma once

#include <chrono>
#include <optional>
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
/// explained by the accumulator, memory was written that is not the subject's, or runs differ where determinism is
/// asked; `inconclusive` if nothing was refuted but some elements could not be decided; `unsupported` or `error` with the
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

  // run, as often as asked, on an output that is poisoned anew each time
  std::optional<std::uint64_t> first_run;
  unsigned differing_runs = 0;
  double kernel_seconds = 0;
  for (unsigned repetition = 0; repetition < (context.repetitions > 0 ? context.repetitions : 1); ++repetition) {
    if (repetition > 0) {
      if (auto reset = operands.reset_output(); !reset) return detail::refused(std::move(outcome), reset.error());
    }
    detail::lap(clock);
    const Result<void> run = subject.run(problem, operands.arguments());
    const double seconds = detail::lap(clock);
    if (!run) return detail::refused(std::move(outcome), run.error());
    kernel_seconds = repetition == 0 || seconds < kernel_seconds ? seconds : kernel_seconds;
    if (context.repetitions > 1) {
      const auto bits = operands.output_fingerprint();
      if (!bits) return detail::refused(std::move(outcome), bits.error());
      if (first_run && *first_run != bits.value()) ++differing_runs;
      if (!first_run) first_run = bits.value();
    }
  }
  outcome.measure(measurement::kernel_seconds, kernel_seconds, "s");

  auto memory = operands.inspect_memory();
  if (!memory) return detail::refused(std::move(outcome), memory.error());
  detail::lap(clock);
  const ExplainedGemmBound explained = gemm_bound(problem, accumulation, data.model, data.terms, gemm_needs_double_double<Op>);
  auto before = operands.arguments_before();
  if (!before) return detail::refused(std::move(outcome), before.error());
  auto reference = gemm_reference<Op>(worker, stream.value(), problem, before.value(), explained.bound);
  if (!reference) return detail::refused(std::move(outcome), reference.error());
  outcome.measure(measurement::reference_seconds, detail::lap(clock), "s");
  auto compared = compare(worker, stream.value(), operands.arguments().c, reference.value().expected(), options.tolerance);
  if (!compared) return detail::refused(std::move(outcome), compared.error());
  outcome.measure(measurement::comparison_seconds, detail::lap(clock), "s");

  outcome.derivation = explained.derivation;
  outcome.derivation.push_back(options.tolerance.describe());
  ComparisonContext described;
  described.rows_per_batch = problem.m;
  described.judge_misrounding = options.tolerance.kind == ChosenTolerance::Kind::derived && data.model == RoundingModel::statistical;
  describe(compared.value(), described, outcome);
  detail::judge_memory(memory.value(), outcome);
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

/// The same on one of the patterns of data that come with the library.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem, FillKind kind, const GemmCheckOptions& options,
                                 const CaseContext& context) {
  constexpr FloatLayout format_a = FormatTraits<typename Op::FormatA>::layout, format_b = FormatTraits<typename Op::FormatB>::layout;
  const GemmData data = GemmData::make(kind, problem, format_a.precision() < format_b.precision() ? format_a : format_b, FormatTraits<typename Op::FormatC>::layout,
                                       subject.accumulation(problem), context.seed);
  return check_gemm<Op>(worker, subject, problem, data, options, context);
}

}  // namespace assay
