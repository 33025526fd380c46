#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/collectives/measurement/sweep_result.hpp"
#include "assay/collectives/measurement/sweep_theory.hpp"
#include "assay/collectives/model/alpha_beta_fit.hpp"
#include "assay/collectives/model/prediction.hpp"
#include "assay/core/outcome.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] Outcome outcome_of(const SweepResult& result, const SweepPoint& point,
                                 const std::optional<SweepTheory>& theory);

}  // namespace detail

/// The points of one operation, type, reduction and placement as latency and bandwidth, with the knee; nothing for
/// fewer than three sizes.
[[nodiscard]] std::optional<AlphaBetaFit> fit_of(const SweepResult& result, const SweepPoint& like,
                                                 const FitOptions& options = {});

/// An outcome a point, for baselines and history (bus_bandwidth, call_seconds, p99_seconds, fraction_of_theory), and
/// one for each curve, with what was measured and expected as series. Verdicts speak of results, not of speed: wrong
/// elements fail, what was not verified is inconclusive.
[[nodiscard]] std::vector<Outcome> sweep_outcomes(const SweepResult& result,
                                                  const std::optional<SweepTheory>& theory = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/sweep_outcomes.ipp"
#endif
