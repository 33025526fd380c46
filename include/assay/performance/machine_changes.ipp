#pragma once

#include "assay/performance/machine_changes.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Whether an entry of an environment says on which machine, and under which driver, something ran.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_of_machine(const std::string& name) {
  for (const char* known : {"host", "operating_system", "processor", "logical_processors", "devices"})
    if (name == known) return true;
  return name.find("driver") != std::string::npos;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string one_of(const std::set<std::string>& values) {
  return clipped(visible(*values.begin()), 60) +
         (values.size() > 1 ? " and " + std::to_string(values.size() - 1) + " more" : "");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> machine_changes(const History& history,
                                                                    const HistoryBaseline& baseline) {
  constexpr std::size_t newest = 20;
  std::set<std::size_t> before, later;
  for (const HistorySeries& series : history.series) {
    const BaselinedSeries chosen = baselined(history, series, baseline);
    if (!chosen.series.has_baseline()) continue;
    const std::size_t size = chosen.points.size(), end = chosen.series.baseline_end;
    for (std::size_t i = chosen.series.baseline_begin; i < size; ++i)
      if (i < end || i + newest >= size) (i < end ? before : later).insert(series.points[chosen.points[i]].run);
  }
  std::map<std::string, std::set<std::string>> sides[2];
  for (const auto& [runs, side] : {std::pair{&before, &sides[0]}, std::pair{&later, &sides[1]}})
    for (const std::size_t run : *runs) {
      for (const auto& [name, value] : history.runs[run].environment)
        if (detail::is_of_machine(name)) (*side)[name].insert(value);
      for (const auto& [name, value] : history.runs[run].labels)
        if (detail::is_of_machine(name)) (*side)[name].insert(value);
    }
  std::vector<std::string> changes;
  for (const auto& [name, values] : sides[0])
    if (const auto there = sides[1].find(name); there != sides[1].end() && there->second != values)
      changes.push_back(name + ": " + detail::one_of(values) + "; newest " + detail::one_of(there->second));
  return changes;
}

ASSAY_DETAIL_HEADER_INLINE std::string clock_that_went_back(const History& history) {
  std::map<std::string, std::size_t> latest;
  std::size_t back = 0, first = 0, before_first = 0;
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    const auto host = history.runs[i].environment.find("host");
    if (host == history.runs[i].environment.end()) continue;
    const auto [there, added] = latest.emplace(host->second, i);
    if (!added && history.runs[i].time < history.runs[there->second].time) {
      if (back++ == 0) first = i, before_first = there->second;
    } else {
      there->second = i;
    }
  }
  if (back == 0) return {};
  return std::to_string(back) + (back == 1 ? " run was" : " runs were") +
         " appended behind later ones of the same host, the first of " + utc_time_text(history.runs[first].time) +
         " behind " + utc_time_text(history.runs[before_first].time) +
         ": unless they were imported late, a clock went back, and runs are in a wrong order";
}

}  // namespace assay::inline v0
