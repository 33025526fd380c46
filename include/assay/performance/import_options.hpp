#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/performance/history.hpp"

namespace assay::inline v0 {

/// What files of results do not say, or not as wanted.
struct ImportOptions {
  std::map<std::string, std::string>
      labels;  ///< of what was measured ("version", "commit", …); they win over what the file says
  std::map<std::string, Direction> directions;  ///< of metrics by name; they win over what their unit says
  std::optional<UtcTime> time;                  ///< of the runs; empty: what the file says
};

/// What a file of results gave.
struct Imported {
  std::vector<HistoryRun> runs;    ///< without those of which nothing was measured
  std::vector<std::string> notes;  ///< what was left out, and why; what a reader should know
  bool has_time =
      true;  ///< false: neither the file nor the options say when it was measured; `RunOrigin::time` is 1970 then
};

namespace detail {

/// A note once, however often its cause occurs.
inline void note_once(std::vector<std::string>& notes, const std::string& note) {
  for (const std::string& there : notes)
    if (there == note) return;
  notes.push_back(note);
}

/// The direction of a metric: as told, or as its unit says. Nothing where neither does.
[[nodiscard]] inline std::optional<Direction> direction_of(const ImportOptions& options, const std::string& metric,
                                                           const std::string& unit) {
  const auto told = options.directions.find(metric);
  return told != options.directions.end() ? std::optional(told->second) : direction_of_unit(unit);
}

[[nodiscard]] inline std::string unknown_direction(const std::string& metric, const std::string& unit) {
  return "the metric '" + visible(metric) + "' is left out: its unit '" + visible(unit) +
         "' does not tell whether lower or higher is better; say which";
}

/// Puts the options over what the file said, and drops runs of which nothing was measured.
inline void finish_import(Imported& imported, const ImportOptions& options) {
  for (HistoryRun& run : imported.runs) {
    for (const auto& [name, value] : options.labels) run.origin.labels[name] = value;
    if (options.time) run.origin.time = *options.time;
  }
  if (options.time) imported.has_time = true;
  std::erase_if(imported.runs, [](const HistoryRun& run) { return run.points.empty(); });
}

}  // namespace detail

}  // namespace assay::inline v0
