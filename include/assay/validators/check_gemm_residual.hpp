#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/works_as_host.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/residual.hpp"
#include "assay/validators/detail/describe_residual.hpp"
#include "assay/validators/detail/gemm_on_host.hpp"
#include "assay/validators/detail/gemm_sample_comparison.hpp"
#include "assay/validators/detail/run_gemm_check.hpp"

namespace assay::inline v0 {

namespace detail {

/// Computes the worst of the refuted rows exactly, to say which of its elements are wrong. Not where that would take
/// more than 2²⁷ products.
template <class Op, ParallelBackend W>
[[nodiscard]] Result<void> locate_in_row(W& worker, typename W::Stream& stream, const GemmProblem& problem,
                                         const typename Op::Arguments& arguments,
                                         const StridedView<const typename Op::FormatC, 3>& before, Index row,
                                         const GemmBound& bound, Outcome& outcome) {
  if (static_cast<double>(problem.n) * static_cast<double>(problem.k) > 0x1p27) return {};
  std::vector<GemmPosition> positions;
  for (Index column = 0; column < problem.n; ++column) positions.push_back({row / problem.m, row % problem.m, column});
  auto compared = compare_sample<Op>(worker, stream, problem, arguments, before, positions, bound, {});
  if (!compared) return compared.propagate();
  const Comparison& comparison = compared.value().comparison;
  if (comparison.violations == 0) {
    outcome.diagnosis.push_back(place_of_row(row, problem) +
                                ", computed exactly, has no element outside its acceptance interval");
    return {};
  }
  outcome.diagnosis.push_back(
      place_of_row(row, problem) + ", computed exactly: " + std::to_string(comparison.violations) + " of " +
      std::to_string(comparison.elements) + " elements lie outside their acceptance interval (" +
      extent_of(compared.value().failing) + "), the worst by " + ratio_text(comparison.max_ratio.value) +
      " times the allowed error at column " + std::to_string(comparison.max_ratio.position.column));
  outcome.tables.push_back(worst_elements(comparison));
  return {};
}

template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm_residual_on(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                             const GemmData& data, const GemmCheckOptions& options,
                                             const CaseContext& context, unsigned vectors) {
  if (options.tolerance.kind != ChosenTolerance::Kind::derived) {
    Outcome outcome;
    outcome.verdict = Verdict::unsupported;
    outcome.labels["check"] = "residual";
    outcome.reason = "the residual check judges rows by the derived tolerance only, and was given '" +
                     options.tolerance.describe() + "'; use the full or the sampled check";
    return outcome;
  }
  const AccumulationModel accumulation = subject.accumulation(problem);
  const ExplainedGemmBound explained =
      gemm_bound(problem, accumulation, data.model, data.terms, gemm_needs_double_double<Op>);
  GemmResidualOptions taken;
  taken.seed = context.seed;
  taken.vectors = vectors;
  taken.independent_growth = independent_growth(explained.bound, accumulation, data.model, data.terms);
  taken.output_is_exact =
      data.model == RoundingModel::exact && data.a.given == nullptr && data.a.kind == FillKind::exact_integer;
  const auto judge = [&](typename W::Stream& stream, const typename Op::Arguments& arguments,
                         const StridedView<typename Op::FormatC, 3>& before, Outcome& outcome) -> Result<void> {
    auto clock = std::chrono::steady_clock::now();
    auto residual = gemm_residual<Op>(worker, stream, problem, arguments, before, explained.bound, taken);
    if (!residual) return residual.propagate();
    outcome.measure(measurement::reference_seconds, detail::lap(clock), "s");
    outcome.derivation = explained.derivation;
    const Index worst = detail::describe_residual(residual.value(), taken, problem, outcome);
    if (worst < 0) return {};
    return detail::locate_in_row<Op>(worker, stream, problem, arguments, before, worst, explained.bound, outcome);
  };
  return detail::run_gemm_check<Op>(worker, subject, problem, data, options, context, judge);
}
}  // namespace detail

/// Validates one GEMM kernel as `check_gemm` does, but by its residuals (`gemm_residual`): in each row of C, C·x must
/// agree with α·A·(B·x) + β·C₀·x for random vectors x of ±1. Costs O(n²) for O(n³) work. Memory is verified as in the
/// full check.
///
/// The verdict is `fail` with the rows named, and the wrong elements of the worst of them; `inconclusive` where nothing
/// is refuted but some rows cannot be judged (NaN or infinities, void bounds); else `pass`. `unsupported` with a
/// tolerance that is not the derived one: what elements may deviate by does not follow from it row by row. The outcome
/// has the label check = residual, and its reason, never empty, and derivation say what cannot be seen: errors below a
/// row's allowance, such as misroundings. `vectors` is rounded up to a multiple of 4.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm_residual(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                          const GemmData& data, const GemmCheckOptions& options,
                                          const CaseContext& context, unsigned vectors = 4) {
  if constexpr (works_as_host<W> && !std::is_same_v<W, Host>)
    return check_gemm_residual<Op>(static_cast<Host&>(worker), subject, problem, data, options, context, vectors);
  else if constexpr (detail::gemm_compiled_on_host<Op, W>)
    return detail::GemmOnHost<Op>::check_residual(worker, subject, problem, data, options, context, vectors);
  else
    return detail::check_gemm_residual_on<Op>(worker, subject, problem, data, options, context, vectors);
}

/// The same on one of the patterns of data that come with the library.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm_residual(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                          FillKind kind, const GemmCheckOptions& options, const CaseContext& context,
                                          unsigned vectors = 4) {
  return check_gemm_residual<Op>(worker, subject, problem,
                                 gemm_data<Op>(kind, problem, subject.accumulation(problem), context.seed), options,
                                 context, vectors);
}

}  // namespace assay::inline v0
