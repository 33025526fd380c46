#pragma once

#include "assay/training/scaling_efficiency.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE ScalingEfficiency scaling_efficiency(const ScalingPoint& base, const ScalingPoint& point,
                                                                const ScalingOptions& options) {
  expect(options.confidence > 0.5 && options.confidence < 1,
         [] { return "ScalingOptions::confidence lies between 0.5 and 1"; });
  const double share = static_cast<double>(base.ranks) / static_cast<double>(point.ranks),
               two_sided = 2 * options.confidence - 1;
  ScalingEfficiency result;
  result.ranks = point.ranks;
  if (std::min(base.throughput.size(), point.throughput.size()) >= 10) {
    BootstrapOptions bootstrap = options.bootstrap;
    bootstrap.confidence = two_sided;
    const RatioInterval ratio = bootstrap_median_ratio(std::span<const double>(base.throughput),
                                                       std::span<const double>(point.throughput), bootstrap);
    result.efficiency = ratio.estimate * share;
    result.lower = ratio.lower * share;
    result.upper = ratio.upper * share;
    return result;
  }
  const auto logarithms = [](const std::vector<double>& values) {
    std::vector<double> logs;
    for (const double value : values) {
      detail::expect_positive(value, "a throughput");
      logs.push_back(std::log(value));
    }
    return logs;
  };
  const ShiftInterval shift = hodges_lehmann(logarithms(point.throughput), logarithms(base.throughput), {two_sided, 1});
  result.efficiency = std::exp(shift.estimate) * share;
  result.lower = std::exp(shift.lower) * share;
  result.upper = std::exp(shift.upper) * share;
  return result;
}

ASSAY_DETAIL_HEADER_INLINE Outcome check_scaling_efficiency(const std::string& name, std::vector<ScalingPoint> points,
                                                            const ScalingOptions& options) {
  std::sort(points.begin(), points.end(),
            [](const ScalingPoint& a, const ScalingPoint& b) { return a.ranks < b.ranks; });
  expect(points.size() >= 2, [] { return "check_scaling_efficiency() needs two numbers of ranks at least"; });
  expect(options.tolerance >= 0 && options.tolerance < 1, [] { return "ScalingOptions::tolerance lies in [0, 1)"; });
  for (std::size_t i = 0; i < points.size(); ++i)
    expect(points[i].ranks >= 1 && (i == 0 || points[i].ranks != points[i - 1].ranks), [&] {
      return "check_scaling_efficiency() was given " + std::to_string(points[i].ranks) +
             " ranks, which is below 1 or stands twice";
    });
  Outcome outcome;
  const std::string kind(name_of(options.kind));
  outcome.id = "training/scaling/" + name + "/" + kind;
  outcome.labels = {{"operation", "scaling"}, {"backend", name}, {"shape", kind}};
  for (const ScalingPoint& point : points)
    for (std::size_t run = 0; run < point.throughput.size() || run == 0; ++run)
      if (point.throughput.empty() || !(point.throughput[run] > 0) || !(point.throughput[run] <= largest_sample)) {
        outcome.verdict = Verdict::error;
        outcome.reason = point.throughput.empty()
                             ? "nothing was measured on " + std::to_string(point.ranks) + " ranks"
                             : "run " + std::to_string(run) + " on " + std::to_string(point.ranks) +
                                   " ranks has a throughput of " + number_text(point.throughput[run]) +
                                   "; it must be positive and finite: leave failed runs out";
        return outcome;
      }

  Table table{"Scaling, " + kind,
              {"ranks", "runs", "throughput (median)", "speed-up", "efficiency", "lower limit", "upper limit",
               "least accepted", "verdict"},
              {}};
  if (options.kind == ScalingKind::strong) table.columns.insert(table.columns.begin() + 5, "serial share");
  Series measured{"efficiency", "ranks", "efficiency", {}}, lower{"efficiency, lower limit", "ranks", "efficiency", {}};
  bool judged = false, undecided = false;
  for (const ScalingPoint& point : points) {
    const bool is_base = &point == &points.front();
    ScalingEfficiency found;
    found.ranks = point.ranks;
    if (!is_base) found = scaling_efficiency(points.front(), point, options);
    std::optional<double> least = options.floor;
    if (point.baseline) least = std::max((1 - options.tolerance) * *point.baseline, options.floor.value_or(0));
    const double ratio = static_cast<double>(point.ranks) / static_cast<double>(points.front().ranks);
    std::string verdict = "–";
    if (!is_base && least) {
      judged = true;
      verdict = found.lower >= *least ? "accepted" : found.upper < *least ? "refused" : "undecided";
      const std::string told = std::to_string(point.ranks) + " ranks reach an efficiency of " +
                               number_text(found.efficiency) + " (" + number_text(found.lower) + " to " +
                               number_text(found.upper) + "); at least " + number_text(*least) + " is due";
      if (verdict == "refused") outcome.diagnosis.push_back(told);
      if (verdict == "undecided" && !undecided) {
        undecided = true;
        outcome.reason = std::string(std::isinf(found.upper) ? "too few runs for a limit of that confidence: "
                                                             : "more runs are needed: ") +
                         told;
      }
    }
    std::vector<std::string> row{std::to_string(point.ranks),
                                 std::to_string(point.throughput.size()),
                                 number_text(median(point.throughput), 4),
                                 number_text(found.efficiency * ratio),
                                 number_text(found.efficiency),
                                 number_text(found.lower),
                                 number_text(found.upper),
                                 is_base || !least ? "–" : number_text(*least),
                                 verdict};
    if (options.kind == ScalingKind::strong)
      row.insert(row.begin() + 5,
                 is_base ? "–" : number_text((1 / (found.efficiency * ratio) - 1 / ratio) / (1 - 1 / ratio)));
    table.rows.push_back(std::move(row));
    measured.points.emplace_back(point.ranks, found.efficiency);
    lower.points.emplace_back(point.ranks, found.lower);
    outcome.measure("efficiency." + std::to_string(point.ranks), found.efficiency);
  }
  outcome.tables.push_back(std::move(table));
  outcome.series.push_back(std::move(measured));
  outcome.series.push_back(std::move(lower));
  outcome.derivation.push_back(
      "E = throughput(N)·N₀/(N·throughput(N₀)), medians over runs, N₀ = " + std::to_string(points.front().ranks) +
      "; limits of confidence " + number_text(100 * options.confidence) + " % each");
  if (options.kind == ScalingKind::strong)
    outcome.derivation.push_back("serial share = (1/S − 1/N)/(1 − 1/N), S the speed-up (Karp and Flatt, 1990)");
  outcome.verdict = !outcome.diagnosis.empty() ? Verdict::fail
                    : undecided                ? Verdict::inconclusive
                    : judged                   ? Verdict::pass
                                               : Verdict::new_baseline;
  if (outcome.verdict == Verdict::fail) outcome.reason = outcome.diagnosis.front();
  if (outcome.verdict == Verdict::new_baseline)
    outcome.reason = "there is neither a baseline nor a floor to hold efficiencies against";
  return outcome;
}

}  // namespace assay::inline v0
