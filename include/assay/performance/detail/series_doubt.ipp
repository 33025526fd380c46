#pragma once

#include "assay/performance/detail/series_doubt.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "assay/core/config.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/unit.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> run_places(const History& history, SeriesOrder order) {
  std::vector<std::size_t> indices(history.runs.size()), places(history.runs.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  const auto earlier = [&](std::size_t a, std::size_t b) { return is_before(history.runs[a], history.runs[b], order); };
  stable_sort(indices, earlier);
  for (std::size_t i = 0; i < indices.size(); ++i)
    places[indices[i]] = i > 0 && !earlier(indices[i - 1], indices[i]) ? places[indices[i - 1]] : i;
  return places;
}

ASSAY_DETAIL_HEADER_INLINE std::string why_stale(const History& history, const HistorySeries& series,
                                                 const BaselinedSeries& chosen,
                                                 const std::vector<std::size_t>& places) {
  std::vector<std::size_t> own;
  for (const std::size_t point : chosen.points) own.push_back(places[series.points[point].run]);
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  if (own.empty()) return {};
  constexpr std::size_t looked_at = 50;
  std::vector<std::size_t> steps;
  for (std::size_t i = own.size() > looked_at ? own.size() - looked_at : 1; i < own.size(); ++i)
    steps.push_back(own[i] - own[i - 1]);
  std::sort(steps.begin(), steps.end());
  const std::size_t usual = steps.empty() ? 1 : steps[(steps.size() - 1) * 3 / 4];
  const auto later = static_cast<std::size_t>(
      std::count_if(places.begin(), places.end(), [&](std::size_t place) { return place > own.back(); }));
  if (later < usual) return {};
  std::size_t newest = 0;
  for (const std::size_t point : chosen.points)
    if (places[series.points[point].run] == own.back()) newest = series.points[point].run;
  return "the newest " + (later == 1 ? std::string("run") : std::to_string(later) + " runs") +
         " did not measure it, the last that did is of " + utc_time_text(history.runs[newest].time) +
         ": measure it again, or take it out of what is judged";
}

ASSAY_DETAIL_HEADER_INLINE std::string why_suspicious(const HistorySeries& series, const BaselinedSeries& chosen,
                                                      std::size_t newest) {
  const RunSeries& runs = chosen.series;
  if (!runs.has_baseline() || runs.since_baseline().empty()) return {};
  const bool takes_some = always_takes_some(series.unit);
  const std::size_t judged = std::max(runs.baseline_end, runs.values.size() - std::min(newest, runs.values.size()));
  std::size_t nothing = 0, negative = 0;
  for (std::size_t i = runs.baseline_begin; i < runs.values.size(); ++i) {
    if (i >= runs.baseline_end && i < judged) continue;
    for (const double sample : series.points[chosen.points[i]].samples) {
      nothing += sample == 0 ? 1 : 0;
      negative += sample < 0 ? 1 : 0;
    }
  }
  const std::string measure = ": nothing was measured there; look at how it is measured";
  if (takes_some && negative > 0)
    return std::to_string(negative) + " samples are below 0 " + visible(series.unit) +
           ", as of a counter or a clock that went back" + measure;
  if (takes_some && nothing > 0) return std::to_string(nothing) + " samples are 0 " + visible(series.unit) + measure;
  if (counts_faults(series.unit))
    return series.direction == Direction::higher_is_better
               ? "the history says that more " + visible(series.unit) +
                     " are better; import it into a new history, with the direction lower"
               : "";
  constexpr double most = 0.97;
  const double before = median(runs.baseline());
  const std::span<const double> since = runs.since_baseline();
  // The shortest window that detectors take, and the newest run of all: a collapse may be a night old.
  for (const std::size_t length : {std::size_t{5}, std::size_t{1}}) {
    const double after = median(since.last(std::min(length, since.size())));
    if (!(before > 0)) return {};
    const double better = series.direction == Direction::lower_is_better ? 1 - after / before
                          : after > 0                                    ? 1 - before / after
                                                                         : 0;
    if (better >= most)
      return "it became better by " + percent_text(better) +
             ", which is more often a benchmark that does nothing than an improvement; if it is one, record a new "
             "baseline";
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void doubt(Outcome& outcome, const std::string& kind, const std::string& why) {
  if (why.empty()) return;
  if (outcome.verdict != Verdict::pass && outcome.verdict != Verdict::inconclusive) {
    outcome.derivation.push_back(why);
    return;
  }
  outcome.verdict = Verdict::inconclusive;
  outcome.derivation.push_back(outcome.reason);
  outcome.reason = why;
  outcome.labels["change"] = "unknown";
  outcome.labels["doubt"] = kind;
}

}  // namespace assay::inline v0::detail
