#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/works_as_host.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/validators/detail/gemm_on_host.hpp"
#include "assay/validators/detail/gemm_sample_comparison.hpp"
#include "assay/validators/detail/run_gemm_check.hpp"

namespace assay::inline v0 {

namespace detail {
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm_sampled_on(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                            const GemmData& data, const GemmCheckOptions& options,
                                            const CaseContext& context, Index samples) {
  using detail::number;
  const AccumulationModel accumulation = subject.accumulation(problem);
  const ExplainedGemmBound explained =
      gemm_bound(problem, accumulation, data.model, data.terms, gemm_needs_double_double<Op>);
  const auto judge = [&](typename W::Stream& stream, const typename Op::Arguments& arguments,
                         const StridedView<typename Op::FormatC, 3>& before, Outcome& outcome) -> Result<void> {
    auto clock = std::chrono::steady_clock::now();
    const Index wanted = samples > 0 ? samples : default_gemm_sample(problem),
                elements = problem.batch * problem.m * problem.n;
    GemmSamplePlaces places = gemm_sample_places(problem, wanted, context.seed);
    const StridedView<const typename Op::FormatC, 3> output = arguments.c;
    auto scanned = find_nonfinite(worker, stream, output, wanted);
    if (!scanned) return scanned.propagate();
    const GemmNonfinite& nonfinite = scanned.value();
    auto& positions = places.positions;
    positions.insert(positions.end(), nonfinite.positions.begin(), nonfinite.positions.end());
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());

    auto compared = detail::compare_sample<Op>(worker, stream, problem, arguments, before, positions, explained.bound,
                                               options.tolerance);
    if (!compared) return compared.propagate();
    outcome.measure(measurement::reference_seconds, detail::lap(clock), "s");
    ComparisonContext described;
    if (!std::isfinite(explained.bound.growth))
      described.undetermined_because = "a sum of " + std::to_string(data.terms) + " terms in " +
                                       accumulation.format_name + " may be wrong altogether, so that no bound holds";
    described.judge_misrounding =
        options.tolerance.kind == ChosenTolerance::Kind::derived && data.model == RoundingModel::statistical;
    describe(compared.value().comparison, described, outcome);
    std::erase_if(outcome.heat_maps, [](const HeatMap& map) { return map.values.empty(); });
    if (!compared.value().failing.empty())
      outcome.diagnosis.push_back("the sampled violations lie in " + detail::extent_of(compared.value().failing) +
                                  (problem.batch > 1 ? " of their matrices" : ""));

    const double looked_at = static_cast<double>(positions.size()), drawn = static_cast<double>(places.drawn);
    const bool all = static_cast<Index>(positions.size()) == elements;
    const auto missed = [&](double share) { return all ? 0 : std::pow(1 - share, drawn); };
    const std::string which = std::to_string(positions.size()) + " of " + std::to_string(elements) + " elements";
    if (outcome.verdict == Verdict::pass)
      outcome.reason =
          "sampled check only: " + which +
          " were computed exactly and are right; a fault in 1 % of the elements is missed with a chance of " +
          number(missed(0.01));
    else
      outcome.reason = "sampled check (" + which + "): " + outcome.reason;
    if (nonfinite.count > nonfinite.positions.size())
      outcome.diagnosis.push_back(
          std::to_string(nonfinite.positions.size()) + " of " + std::to_string(nonfinite.count) +
          " NaN and infinities in the output were judged, the first and last of a row or column");
    outcome.labels["check"] = "sampled";
    outcome.measure("output_elements", static_cast<double>(elements), "elements");
    outcome.measure("sampled_elements", looked_at, "elements");
    outcome.measure("nonfinite_elements", static_cast<double>(nonfinite.count), "elements");
    outcome.measure("chance_to_miss_1_percent", missed(0.01));
    outcome.derivation = explained.derivation;
    outcome.derivation.push_back(options.tolerance.describe());
    outcome.derivation.push_back("sampled: " + which + ", " + std::to_string(places.drawn) +
                                 " of them drawn at random, the others corners, tile edges and what is not finite; the "
                                 "exact sum in double-double");
    outcome.derivation.push_back("a fault that touches a share p of the elements is missed with a chance of (1 - p)^" +
                                 std::to_string(places.drawn) + ": " + number(missed(0.1)) + " for 10 %, " +
                                 number(missed(0.01)) + " for 1 %, " + number(missed(0.001)) + " for 0.1 %");
    outcome.derivation.push_back(
        "not seen: wrong numbers anywhere else; of all elements it is known only that they are finite or were judged, "
        "and where beta = 0 "
        "that they were written");
    return {};
  };
  return detail::run_gemm_check<Op>(worker, subject, problem, data, options, context, judge);
}
}  // namespace detail

/// Validates one GEMM kernel as `check_gemm` does, but looks at some elements only: corners, crossings of tile edges
/// and random places (`gemm_sample_places`), each judged by the very rule of the full check; and scans the whole output
/// for NaN and infinities, which are judged too, as many as the sample has elements. Memory is verified as in the full
/// check.
///
/// `samples` is the number of elements; 0: `default_gemm_sample`. The outcome has the label check = sampled, and its
/// reason, never empty, and derivation say what was looked at and what a fault may have escaped. Time: the subject's,
/// plus O(samples·k + batch·(m·k + k·n + m·n)).
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm_sampled(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                         const GemmData& data, const GemmCheckOptions& options,
                                         const CaseContext& context, Index samples = 0) {
  if constexpr (works_as_host<W> && !std::is_same_v<W, Host>)
    return check_gemm_sampled<Op>(static_cast<Host&>(worker), subject, problem, data, options, context, samples);
  else if constexpr (detail::gemm_compiled_on_host<Op, W>)
    return detail::GemmOnHost<Op>::check_sampled(worker, subject, problem, data, options, context, samples);
  else
    return detail::check_gemm_sampled_on<Op>(worker, subject, problem, data, options, context, samples);
}

/// The same on one of the patterns of data that come with the library.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm_sampled(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                         FillKind kind, const GemmCheckOptions& options, const CaseContext& context,
                                         Index samples = 0) {
  return check_gemm_sampled<Op>(worker, subject, problem,
                                gemm_data<Op>(kind, problem, subject.accumulation(problem), context.seed), options,
                                context, samples);
}

}  // namespace assay::inline v0
