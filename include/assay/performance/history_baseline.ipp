#pragma once

#include "assay/performance/history_baseline.hpp"

#include <algorithm>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE BaselinedSeries baselined(const History& history, const HistorySeries& series,
                                                     const HistoryBaseline& baseline) {
  BaselinedSeries chosen;
  std::vector<std::size_t> before, during, after;
  const std::vector<std::size_t> ordered = history.ordered(series, baseline.order);
  if (baseline.labels.empty()) {
    const std::size_t judged = std::min(baseline.newest, ordered.size()),
                      held = std::min(baseline.runs, ordered.size() - judged);
    const auto split = ordered.end() - static_cast<std::ptrdiff_t>(judged),
               start = split - static_cast<std::ptrdiff_t>(held);
    before.assign(ordered.begin(), start);
    during.assign(start, split);
    after.assign(split, ordered.end());
  } else {
    for (const std::size_t point : ordered) {
      const RunOrigin& run = history.runs[series.points[point].run];
      const bool belongs = std::all_of(baseline.labels.begin(), baseline.labels.end(), [&](const auto& label) {
        const auto found = run.labels.find(label.first);
        return found != run.labels.end() && found->second == label.second;
      });
      (belongs ? during : during.empty() ? before : after).push_back(point);
    }
    if (during.empty()) after.swap(before);
  }
  chosen.series.name = series.key;
  chosen.series.direction = series.direction;
  chosen.series.baseline_begin = before.size();
  chosen.series.baseline_end = before.size() + during.size();
  for (const auto* part : {&before, &during, &after})
    chosen.points.insert(chosen.points.end(), part->begin(), part->end());
  for (const std::size_t point : chosen.points) chosen.series.values.push_back(median(series.points[point].samples));
  return chosen;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> comparability(const History& history, const HistorySeries& series,
                                                                  const BaselinedSeries& chosen) {
  using Values = std::map<std::string, std::set<std::string>>;
  Values before, later;
  std::set<std::string> notes;
  for (std::size_t i = chosen.series.baseline_begin; i < chosen.points.size(); ++i) {
    const SeriesPoint& point = series.points[chosen.points[i]];
    const RunOrigin& run = history.runs[point.run];
    Values& side = i < chosen.series.baseline_end ? before : later;
    for (const auto& [name, value] : run.environment) side[name].insert(value);
    for (const char* name : {"governor", "boost", "frequency_scaling"})
      if (const auto found = run.clocks.find(name); found != run.clocks.end()) side[name].insert(found->second);
    if (const auto events = run.clocks.find("throttle_events");
        events != run.clocks.end() && events->second != "0" && events->second != "unknown")
      notes.insert("heat slowed a processor while a run was measured");
    if (!point.note.empty()) notes.insert(point.note);
  }
  const auto joined = [](const std::set<std::string>& values) {
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : " | ") + value;
    return clipped(visible(text), 120);
  };
  std::vector<std::string> found;
  for (const auto& [name, values] : before)
    if (const auto there = later.find(name); there != later.end() && there->second != values)
      found.push_back(name + ": " + joined(values) + "; later " + joined(there->second));
  constexpr std::size_t most = 5;
  for (const std::string& note : notes)
    if (found.size() < 3 * most) found.push_back("a run's note: " + clipped(visible(note), 200));
  return found;
}

}  // namespace assay::inline v0
