#pragma once

#include "assay/collectives/measurement/sweep_outcomes.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string sweep_id(const SweepResult& result, const SweepPoint& point) {
  std::string id(name_of(point.operation));
  if (reduces(point.operation)) id += "." + std::string(name_of(point.reduction));
  return id + "/" + result.runtime + "/" + std::string(name_of(point.type)) + "/n" + std::to_string(point.ranks) +
         ".bytes" + number_text(point.bytes) + (has_root(point.operation) ? ".root" + std::to_string(point.root) : "") +
         (point.in_place ? ".in_place" : "") + "/speed";
}

ASSAY_DETAIL_HEADER_INLINE Outcome outcome_of(const SweepResult& result, const SweepPoint& point,
                                              const std::optional<SweepTheory>& theory) {
  Outcome outcome;
  outcome.id = sweep_id(result, point);
  outcome.labels = {{"operation", std::string(name_of(point.operation))},
                    {"backend", result.runtime},
                    {"formats", std::string(name_of(point.type))},
                    {"shape", "n" + std::to_string(point.ranks) + ".bytes" + number_text(point.bytes)},
                    {"data", point.in_place ? "in_place" : "out_of_place"}};
  if (point.error) {
    outcome.verdict = point.error->kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error;
    outcome.reason = point.error->message;
    return outcome;
  }
  outcome.verdict = !point.verified ? Verdict::inconclusive : point.wrong > 0 ? Verdict::fail : Verdict::pass;
  if (!point.verified) outcome.reason = "results were not verified";
  if (point.wrong > 0) outcome.reason = std::to_string(point.wrong) + " elements are wrong";
  outcome.diagnosis = point.findings;
  outcome.measure("call_seconds", point.seconds, "s");
  outcome.measure("p50_seconds", point.median_seconds, "s");
  outcome.measure("p99_seconds", point.p99_seconds, "s");
  outcome.measure("algorithm_bandwidth", point.bandwidth.algorithm / 1e9, "GB/s");
  outcome.measure("bus_bandwidth", point.bandwidth.bus / 1e9, "GB/s");
  outcome.measure("variation", point.variation);
  if (point.verified) outcome.measure("wrong_elements", static_cast<double>(point.wrong), "elements");
  if (theory) {
    const Prediction best = expected_collective(point.operation, point.bytes, theory->topology, theory->fitted);
    outcome.measure("expected_seconds", best.seconds, "s");
    outcome.measure("fraction_of_theory", best.seconds / point.seconds);
    outcome.derivation.push_back("expected: " + std::string(name_of(best.model)) + " on " + theory->source +
                                 (best.extrapolated ? ", extrapolated" : ""));
  }
  outcome.duration_seconds = point.seconds * static_cast<double>(std::max<std::size_t>(point.call_seconds.size(), 1));
  return outcome;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::optional<AlphaBetaFit> fit_of(const SweepResult& result, const SweepPoint& like,
                                                              const FitOptions& options) {
  std::vector<TimedSize> points;
  for (const SweepPoint& point : result.points)
    if (!point.error && point.operation == like.operation && point.type == like.type &&
        point.reduction == like.reduction && point.in_place == like.in_place && point.seconds > 0)
      points.push_back({point.bytes, point.seconds});
  if (points.size() < 3) return std::nullopt;
  const auto fit = fit_alpha_beta(points, options);
  return fit ? std::optional<AlphaBetaFit>(fit.value()) : std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> sweep_outcomes(const SweepResult& result,
                                                               const std::optional<SweepTheory>& theory) {
  std::vector<Outcome> outcomes;
  for (const SweepPoint& point : result.points) outcomes.push_back(detail::outcome_of(result, point, theory));
  std::vector<const SweepPoint*> curves;
  for (const SweepPoint& point : result.points) {
    const auto same = [&](const SweepPoint* other) {
      return other->operation == point.operation && other->type == point.type && other->reduction == point.reduction &&
             other->in_place == point.in_place;
    };
    if (!point.error && point.operation != CollectiveOperation::barrier &&
        std::none_of(curves.begin(), curves.end(), same))
      curves.push_back(&point);
  }
  for (const SweepPoint* like : curves) {
    Outcome curve = detail::outcome_of(result, *like, {});
    curve.measurements.clear();
    curve.diagnosis.clear();
    curve.duration_seconds = 0;
    curve.id = curve.id.substr(0, curve.id.find(".bytes")) + (like->in_place ? ".in_place" : "") + "/curve";
    curve.labels["shape"] = "n" + std::to_string(like->ranks);
    Series measured{"bus bandwidth, measured", "size [B]", "busbw [GB/s]", {}},
        modeled{"bus bandwidth, expected", "size [B]", "busbw [GB/s]", {}};
    double peak = 0, best_fraction = 0;
    for (const SweepPoint& point : result.points) {
      if (point.error || point.operation != like->operation || point.type != like->type ||
          point.reduction != like->reduction || point.in_place != like->in_place)
        continue;
      if (point.wrong > 0) curve.verdict = Verdict::fail, curve.reason = "elements are wrong at one size or more";
      measured.points.emplace_back(point.bytes, point.bandwidth.bus / 1e9);
      peak = std::max(peak, point.bandwidth.bus / 1e9);
      if (!theory) continue;
      const Prediction best = expected_collective(point.operation, point.bytes, theory->topology, theory->fitted);
      modeled.points.emplace_back(point.bytes, best.bandwidth.bus / 1e9);
      best_fraction = std::max(best_fraction, best.seconds / point.seconds);
    }
    curve.measure("peak_bus_bandwidth", peak, "GB/s");
    if (theory) curve.measure("best_fraction_of_theory", best_fraction);
    if (const auto fit = fit_of(result, *like)) {
      curve.measure("fitted_latency", fit->latency_seconds.estimate, "s");
      if (fit->seconds_per_byte.estimate > 0) {
        curve.measure("fitted_algorithm_bandwidth", 1e-9 / fit->seconds_per_byte.estimate, "GB/s");
        curve.measure("knee", fit->knee_bytes(), "B");
      }
      curve.measure("median_fit_error", fit->median_relative_error);
      curve.derivation.push_back(
          "time = latency + size / bandwidth; latency " + duration_text(fit->latency_seconds.estimate) + " (" +
          duration_text(fit->latency_seconds.lower) + " to " + duration_text(fit->latency_seconds.upper) + ")");
    }
    curve.series.push_back(std::move(measured));
    if (theory) curve.series.push_back(std::move(modeled));
    outcomes.push_back(std::move(curve));
  }
  return outcomes;
}

}  // namespace assay::inline v0
