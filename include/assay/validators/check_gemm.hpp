#pragma once

#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "assay/backends/works_as_host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/ratio_distribution.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/suite/case.hpp"
#include "assay/tolerance/aggregate.hpp"
#include "assay/validators/describe_comparison.hpp"
#include "assay/validators/detail/gemm_on_host.hpp"
#include "assay/validators/detail/run_gemm_check.hpp"
#include "assay/validators/gemm_check_options.hpp"
#include "assay/validators/gemm_subject.hpp"

namespace assay::inline v0 {

namespace detail {

/// The full judgment of an output: every element against the reference, which is computed once.
template <class Op, ParallelBackend W>
class JudgeGemm {
 public:
  JudgeGemm(W& worker, const GemmProblem& problem, const GemmData& data, const AccumulationModel& accumulation,
            const ChosenTolerance& tolerance)
      : worker_(worker),
        problem_(problem),
        tolerance_(tolerance),
        explained_(gemm_bound(problem, accumulation, data.model, data.terms, gemm_needs_double_double<Op>)) {
    context_.rows_per_batch = problem.m;
    if (!std::isfinite(explained_.bound.growth))
      context_.undetermined_because = "a sum of " + std::to_string(data.terms) + " terms in " +
                                      accumulation.format_name + " may be wrong altogether, so that no bound holds";
    context_.judge_misrounding =
        tolerance.kind == ChosenTolerance::Kind::derived && data.model == RoundingModel::statistical;
  }

  Result<void> operator()(typename W::Stream& stream, const typename Op::Arguments& arguments,
                          const StridedView<typename Op::FormatC, 3>& before, Outcome& outcome) {
    auto clock = std::chrono::steady_clock::now();
    if (!reference_) {
      if (auto made = make_reference(stream, {arguments.a, arguments.b, before}, GemmScales::automatic); !made)
        return made;
    }
    reference_seconds_ += lap(clock);
    auto compared = compare(worker_, stream, arguments.c, reference_->expected(), tolerance_);
    if (!compared) return compared.propagate();
    double comparison_seconds = lap(clock);
    if (compared.value().in_doubt > 0 && compared.value().violations == 0 && !reference_->exact_scales) {
      if (auto made = make_reference(stream, {arguments.a, arguments.b, before}, GemmScales::exact); !made) return made;
      reference_seconds_ += lap(clock);
      static_cast<void>(compared =
                            compare(worker_, stream, arguments.c, reference_->expected(),
                                    tolerance_));  // nvcc takes the assignment's reference for a result thrown away
      if (!compared) return compared.propagate();
      comparison_seconds += lap(clock);
    }
    const Comparison& comparison = compared.value();
    describe(comparison, context_, outcome);
    if (comparison.violations > 0) {
      auto distribution = ratio_distribution(worker_, stream, arguments.c, reference_->expected(), tolerance_);
      if (!distribution) return distribution.propagate();
      outcome.series.push_back(std::move(distribution).value());
    }
    outcome.measure(measurement::reference_seconds, reference_seconds_, "s");
    outcome.measure(measurement::comparison_seconds, comparison_seconds, "s");
    outcome.derivation = explained_.derivation;
    if (!reference_->exact_scales)
      outcome.derivation.push_back(
          "S: from above, by Cauchy-Schwarz over chunks of 64 terms, plain and weighted; summed exactly for " +
          std::to_string(comparison.refined) + " elements whose error reached " +
          number(reference_->expected().doubt_ratio()) + " of what is allowed" +
          (comparison.in_doubt > 0
               ? ", not for " + std::to_string(comparison.in_doubt) + " more, since others are refuted for certain"
               : ""));
    outcome.derivation.push_back(tolerance_.describe());
    return {};
  }

  /// After the first judgment: what it was made by.
  [[nodiscard]] auto expected() { return reference_->expected(); }

 private:
  [[nodiscard]] Result<void> make_reference(typename W::Stream& stream, const typename Op::Arguments& arguments,
                                            GemmScales scales) {
    reference_.reset();  // its memory serves the next one
    auto made = gemm_reference<Op>(worker_, stream, problem_, arguments, explained_.bound, {scales});
    if (!made) return made.propagate();
    reference_.emplace(std::move(made).value());
    return {};
  }

  W& worker_;
  const GemmProblem& problem_;
  const ChosenTolerance& tolerance_;
  ExplainedGemmBound explained_;
  ComparisonContext context_;
  std::optional<GemmReference<Op, W>> reference_;
  double reference_seconds_ = 0;
};

template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm_on(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                    const GemmData& data, const GemmCheckOptions& options, const CaseContext& context) {
  detail::JudgeGemm<Op, W> judge(worker, problem, data, subject.accumulation(problem), options.tolerance);
  return detail::run_gemm_check<Op>(worker, subject, problem, data, options, context, judge);
}
}  // namespace detail

/// Validates one GEMM kernel on one problem and given data: fills the operands, poisons the output, runs the subject,
/// verifies that inputs, canaries and the gaps between rows are untouched, computes reference and bound, and compares
/// every element. `options.method` is not read: it says which of the checks a suite's cases run.
///
/// The verdict is `fail` if any element lies outside its acceptance interval, the share of misrounded elements cannot
/// be explained by the accumulator, or memory was written that is not the subject's, in any of the runs that
/// `context.repetitions` asks for, or runs differ where determinism is asked; `inconclusive` if nothing was refuted but
/// some elements could not be decided; `unsupported` or `error` with the reason if the subject or the environment
/// refused. Time: the subject's, plus O(batch·m·n·k) for the reference. Thread safety: concurrent calls on one worker
/// are allowed.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                 const GemmData& data, const GemmCheckOptions& options, const CaseContext& context) {
  if constexpr (works_as_host<W> && !std::is_same_v<W, Host>)
    return check_gemm<Op>(static_cast<Host&>(worker), subject, problem, data, options, context);
  else if constexpr (detail::gemm_compiled_on_host<Op, W>)
    return detail::GemmOnHost<Op>::check(worker, subject, problem, data, options, context);
  else
    return detail::check_gemm_on<Op>(worker, subject, problem, data, options, context);
}

/// The same on one of the patterns of data that come with the library.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem, FillKind kind,
                                 const GemmCheckOptions& options, const CaseContext& context) {
  return check_gemm<Op>(worker, subject, problem,
                        gemm_data<Op>(kind, problem, subject.accumulation(problem), context.seed), options, context);
}

}  // namespace assay::inline v0
