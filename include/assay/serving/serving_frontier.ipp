#pragma once

#include "assay/serving/serving_frontier.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "assay/core/misuse.hpp"
#include "assay/core/stable_sort.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {
namespace detail {

inline FrontierPoint frontier_point(const LoadSummary& summary, std::size_t users, std::size_t percentile) {
  FrontierPoint point;
  point.users = users;
  point.seconds = summary.window.seconds();
  point.served = summary.requests > 0 && summary.served == summary.requests;
  point.valid = summary.void_reason.empty();
  if (const MetricSummary* pace = summary.metric("tpot"); pace != nullptr && pace->percentiles[percentile].value > 0)
    point.interactivity = 1 / pace->percentiles[percentile].value;
  if (const MetricSummary* first = summary.metric("ttft")) point.first_token = first->percentiles[percentile].value;
  return point;
}

inline Table points_table(std::span<const FrontierPoint> points, const std::string& throughput,
                          const std::function<std::string(const FrontierPoint&)>& place, const std::string& title) {
  Table table{"Loads", {"users", "tokens/s of a user", throughput, "TTFT ms", "s", title}, {}};
  for (const FrontierPoint& point : points)
    table.rows.push_back({std::to_string(point.users), number_text(point.interactivity, 4),
                          number_text(point.throughput, 4),
                          point.first_token ? number_text(*point.first_token * 1e3, 4) : std::string("-"),
                          number_text(point.seconds, 3), place(point)});
  return table;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE FrontierPoint inference_max_point(const LoadSummary& summary, std::size_t users,
                                                             std::size_t accelerators) {
  expect(accelerators > 0, [] { return "inference_max_point() was given no accelerator"; });
  FrontierPoint point = detail::frontier_point(summary, users, 1);
  point.throughput =
      (summary.input_tokens_per_second + summary.output_tokens_per_second) / static_cast<double>(accelerators);
  return point;
}

ASSAY_DETAIL_HEADER_INLINE FrontierPoint endpoints_point(const LoadSummary& summary, std::size_t users) {
  FrontierPoint point = detail::frontier_point(summary, users, 2);
  point.throughput = summary.output_tokens_per_second;
  return point;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<FrontierPoint> pareto_frontier(std::span<const FrontierPoint> points) {
  std::vector<FrontierPoint> sorted(points.begin(), points.end()), frontier;
  detail::stable_sort(sorted, [](const FrontierPoint& a, const FrontierPoint& b) {
    return a.interactivity != b.interactivity ? a.interactivity > b.interactivity : a.throughput > b.throughput;
  });
  for (const FrontierPoint& point : sorted)
    if (frontier.empty() || point.throughput > frontier.back().throughput) frontier.push_back(point);
  std::reverse(frontier.begin(), frontier.end());
  return frontier;
}

ASSAY_DETAIL_HEADER_INLINE Outcome frontier_outcome(std::span<const FrontierPoint> points, std::size_t accelerators,
                                                    const std::string& id) {
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  std::vector<FrontierPoint> measured;
  std::string unserved, invalid;
  for (const FrontierPoint& point : points) {
    if (!point.served) unserved += (unserved.empty() ? "" : ", ") + std::to_string(point.users);
    if (!point.valid) invalid += (invalid.empty() ? "" : ", ") + std::to_string(point.users);
    if (point.served && point.valid && point.interactivity > 0) measured.push_back(point);
  }
  const std::vector<FrontierPoint> frontier = pareto_frontier(measured);
  std::set<std::size_t> on;
  Series series{"Frontier", "tokens/s of a user (1/median TPOT)", "tokens/s of an accelerator, input and output", {}};
  Series all{"All loads", series.x_label, series.y_label, {}};
  for (const FrontierPoint& point : frontier) {
    on.insert(point.users);
    series.points.emplace_back(point.interactivity, point.throughput);
  }
  for (const FrontierPoint& point : measured) all.points.emplace_back(point.interactivity, point.throughput);
  std::sort(all.points.begin(), all.points.end());
  outcome.tables.push_back(detail::points_table(
      points, "tokens/s of an accelerator",
      [&](const FrontierPoint& point) {
        return std::string(!point.served               ? "not served"
                           : !point.valid              ? "void"
                           : on.count(point.users) > 0 ? "yes"
                                                       : "no");
      },
      "on the frontier"));
  outcome.series = {std::move(series), std::move(all)};
  outcome.measure("accelerators", static_cast<double>(accelerators), "accelerators");
  if (!frontier.empty()) {
    outcome.measure("most_throughput", frontier.front().throughput, "tokens/s");
    outcome.measure("interactivity_at_most_throughput", frontier.front().interactivity, "tokens/s");
    outcome.measure("most_interactivity", frontier.back().interactivity, "tokens/s");
    outcome.measure("throughput_at_most_interactivity", frontier.back().throughput, "tokens/s");
  }
  outcome.derivation.push_back(
      "rules: InferenceMAX, 2026: 1/TPOT of the median request against input and output tokens a second of an "
      "accelerator");
  outcome.verdict = Verdict::pass;
  if (!unserved.empty()) {
    outcome.verdict = Verdict::fail;
    outcome.reason = "not all requests were served with " + unserved + " users";
  } else if (!invalid.empty()) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "the client was late with " + invalid + " users: these runs are void";
  } else if (measured.size() < 2) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = std::to_string(measured.size()) +
                     " loads have a time between tokens that is not 0; a frontier has two at least";
  }
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE std::pair<std::size_t, std::size_t> endpoints_regions(std::size_t fewest, std::size_t most) {
  expect(fewest > 0 && most > fewest,
         [] { return "endpoints_regions() takes a user at least, and more at the curve's other end"; });
  const double exponent = std::log2(static_cast<double>(most - fewest)) / 3;
  const auto end = [&](double times) {
    return static_cast<std::size_t>(static_cast<double>(fewest) + std::exp2(times * exponent));
  };
  return {end(1), end(2)};
}

ASSAY_DETAIL_HEADER_INLINE Outcome endpoints_outcome(std::span<const FrontierPoint> points, const EndpointsRules& rules,
                                                     const std::string& id) {
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  std::vector<FrontierPoint> sorted(points.begin(), points.end());
  detail::stable_sort(sorted, [](const FrontierPoint& a, const FrontierPoint& b) { return a.users < b.users; });
  std::vector<std::string> broken;
  if (points.size() < rules.least_points || points.size() > rules.most_points)
    broken.push_back(std::to_string(points.size()) + " points; " + std::to_string(rules.least_points) + " to " +
                     std::to_string(rules.most_points) + " are to be");
  std::pair<std::size_t, std::size_t> ends{0, 0};
  const auto region = [&](const FrontierPoint& point) {
    return point.users <= ends.first ? 0 : point.users <= ends.second ? 1 : 2;
  };
  if (sorted.empty() || sorted.front().users == 0 || sorted.back().users == sorted.front().users) {
    broken.emplace_back("all points have the same number of users: there is no curve");
  } else {
    ends = endpoints_regions(sorted.front().users, sorted.back().users);
    if (sorted.front().users > rules.low_users)
      broken.push_back("no point has 1 to " + std::to_string(rules.low_users) + " users");
    std::set<int> seen;
    for (const FrontierPoint& point : sorted) seen.insert(region(point));
    for (int i = 0; i < 3; ++i)
      if (seen.count(i) == 0)
        broken.push_back("no point lies in region " + std::to_string(i + 1) + " of 3, whose inner ends are " +
                         std::to_string(ends.first) + " and " + std::to_string(ends.second) + " users");
  }
  for (const FrontierPoint& point : sorted) {
    const double least = point.users <= rules.low_users ? rules.least_seconds_low : rules.least_seconds;
    if (!point.served) broken.push_back("with " + std::to_string(point.users) + " users not all requests were served");
    if (!point.valid)
      broken.push_back("with " + std::to_string(point.users) + " users the run is void: the client was late");
    if (point.seconds < least)
      broken.push_back("with " + std::to_string(point.users) + " users it ran " + number_text(point.seconds, 3) +
                       " s; " + number_text(least, 4) + " s are to be");
  }
  outcome.tables.push_back(detail::points_table(
      sorted, "output tokens/s", [&](const FrontierPoint& point) { return std::to_string(region(point) + 1); },
      "region"));
  std::vector<FrontierPoint> ascending = sorted;
  detail::stable_sort(ascending,
                      [](const FrontierPoint& a, const FrontierPoint& b) { return a.interactivity < b.interactivity; });
  Series curve{"Curve of the endpoint", "tokens/s of a user (1/TPOT at its 90th percentile)", "output tokens/s", {}};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    // Up to this interactivity, what was measured at it is delivered.
    if (i > 0) curve.points.emplace_back(ascending[i - 1].interactivity, ascending[i].throughput);
    curve.points.emplace_back(ascending[i].interactivity, ascending[i].throughput);
  }
  outcome.series.push_back(std::move(curve));
  outcome.derivation.push_back("rules: MLPerf Endpoints, draft 1.0, 2026");
  outcome.verdict = broken.empty() ? Verdict::pass : Verdict::fail;
  for (const std::string& rule : broken) outcome.reason += (outcome.reason.empty() ? "" : "; ") + rule;
  return outcome;
}

}  // namespace assay::inline v0
