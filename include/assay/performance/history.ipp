#pragma once

#include "assay/performance/history.hpp"

#include <algorithm>
#include <chrono>

#include "assay/core/config.hpp"
#include "assay/performance/unit.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::optional<UtcTime> parse_utc_time(std::string_view text) {
  std::chrono::minutes offset(0);
  constexpr std::size_t offset_length = 6;
  if (text.size() > 19 + offset_length - 1 && (text[text.size() - 6] == '+' || text[text.size() - 6] == '-')) {
    const std::string_view zone = text.substr(text.size() - offset_length);
    const auto digit = [&](std::size_t at) { return zone[at] >= '0' && zone[at] <= '9' ? zone[at] - '0' : 100; };
    const int hours = digit(1) * 10 + digit(2), minutes = digit(4) * 10 + digit(5);
    if (zone[3] != ':' || hours > 23 || minutes > 59) return std::nullopt;
    offset = std::chrono::minutes((hours * 60 + minutes) * (zone[0] == '-' ? -1 : 1));
    text.remove_suffix(offset_length);
  }
  const auto time = detail::utc_time(text);
  return time ? std::optional<UtcTime>(*time - offset) : std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::map<std::string, std::string> environment_summary(const Environment& environment) {
  std::map<std::string, std::string> summary{
      {"host", environment.host_name},
      {"operating_system", environment.operating_system},
      {"processor", environment.processor},
      {"logical_processors", environment.logical_processors == 0 ? "" : std::to_string(environment.logical_processors)},
      {"compiler", environment.compiler},
      {"compiler_flags", environment.compiler_flags}};
  std::string devices;
  for (const std::string& device : environment.devices) devices += (devices.empty() ? "" : "; ") + device;
  summary["devices"] = devices;
  for (const auto& [name, version] : environment.libraries) summary["library " + name] = version;
  std::erase_if(summary, [](const auto& entry) { return entry.second.empty(); });
  return summary;
}

ASSAY_DETAIL_HEADER_INLINE bool is_before(const RunOrigin& first, const RunOrigin& second, SeriesOrder order) {
  if (order == SeriesOrder::version)
    if (const int relation = detail::compare_versions(first.label("version"), second.label("version")); relation != 0)
      return relation < 0;
  return first.time < second.time;
}

ASSAY_DETAIL_HEADER_INLINE void detail::convert(std::vector<double>& samples, std::string_view from,
                                                std::string_view to) {
  const double ratio = unit_ratio(from, to).value_or(1);
  for (double& sample : samples) sample *= ratio;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t History::series_of(std::string_view name,
                                                          const std::map<std::string, std::string>& configuration,
                                                          std::string_view metric, std::string_view unit,
                                                          Direction direction) {
  std::string key = series_key(name, configuration, metric);
  auto found = by_key_.find(key);
  if (found != by_key_.end() && !unit_ratio(unit, series[found->second].unit)) {
    key += "[" + std::string(unit) + "]";
    found = by_key_.find(key);
  }
  if (found != by_key_.end()) {
    HistorySeries& own = series[found->second];
    if (own.direction != direction) {
      warnings.push_back(own.key + " was " + std::string(name_of(own.direction)) + " and is " +
                         std::string(name_of(direction)) + " in a later run; the later is taken for all its points");
      own.direction = direction;
    }
    return found->second;
  }
  series.push_back({key, std::string(name), configuration, std::string(metric), std::string(unit), direction, {}});
  by_key_.emplace(std::move(key), series.size() - 1);
  return series.size() - 1;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> History::ordered(const HistorySeries& of, SeriesOrder order) const {
  std::vector<std::size_t> indices(of.points.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  detail::stable_sort(indices, [&](std::size_t a, std::size_t b) {
    return is_before(runs[of.points[a].run], runs[of.points[b].run], order);
  });
  return indices;
}

namespace detail {

/// All that a run says, as one text.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> run_texts(const History& history) {
  std::vector<std::string> texts;
  for (const RunOrigin& run : history.runs)
    texts.push_back(utc_time_text(run.time) + "{" + canonical_text(run.labels) + "{" + canonical_text(run.environment) +
                    "{" + canonical_text(run.clocks));
  for (std::size_t i = 0; i < history.series.size(); ++i)
    for (const SeriesPoint& point : history.series[i].points)
      texts[point.run]
          .append("{" + std::to_string(i) + "{" + escaped(point.note, "{") + "{")
          .append(reinterpret_cast<const char*>(point.samples.data()), point.samples.size() * sizeof(double));
  return texts;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_utf8(const TextMap& map) noexcept {
  return std::all_of(map.begin(), map.end(),
                     [](const auto& entry) { return is_utf8(entry.first) && is_utf8(entry.second); });
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE void drop_repeated_runs(History& history, const std::string& name) {
  std::vector<std::size_t> place(history.runs.size());
  std::vector<RunOrigin> kept;
  {
    const std::vector<std::string> texts = detail::run_texts(history);
    std::unordered_map<std::string_view, std::size_t> seen;
    constexpr std::size_t repeated = static_cast<std::size_t>(-1);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const bool first = seen.emplace(texts[i], i).second;
      place[i] = first ? kept.size() : repeated;
      if (first) kept.push_back(std::move(history.runs[i]));
    }
    for (HistorySeries& series : history.series) {
      std::erase_if(series.points, [&](const SeriesPoint& point) { return place[point.run] == repeated; });
      for (SeriesPoint& point : series.points) point.run = place[point.run];
    }
  }
  const std::size_t left_out = place.size() - kept.size();
  history.runs = std::move(kept);
  if (left_out > 0)
    history.warnings.push_back("'" + name + "': " + std::to_string(left_out) +
                               " runs say to the bit what an earlier one says; a run is evidence once, and they are "
                               "left out");
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check_history_run(const HistoryRun& run) {
  if (run.points.empty())
    return failure(ErrorKind::invalid, "the run has no points; append runs that measured something");
  if (!detail::is_utf8(run.origin.labels) || !detail::is_utf8(run.origin.environment) ||
      !detail::is_utf8(run.origin.clocks))
    return failure(ErrorKind::invalid, "the run has a label, or a text of its environment, that is not UTF-8");
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const HistoryPoint& point = run.points[i];
    const std::string at = "point " + std::to_string(i + 1) + " ('" + visible(point.name) + "'): ";
    if (point.name.empty()) return failure(ErrorKind::invalid, at + "the benchmark has no name");
    if (!detail::is_utf8(point.name) || !detail::is_utf8(point.configuration) || !detail::is_utf8(point.metric.name) ||
        !detail::is_utf8(point.metric.unit) || !detail::is_utf8(point.metric.note))
      return failure(ErrorKind::invalid, at + "a name, a configuration, a unit or a note is not UTF-8");
    if (const auto checked = check_metric(point.metric); !checked)
      return failure(ErrorKind::invalid, at + checked.error().message);
    const auto [first, added] = seen.emplace(series_key(point.name, point.configuration, point.metric.name), i);
    if (!added)
      return failure(ErrorKind::invalid,
                     at + first->first + " is point " + std::to_string(first->second + 1) +
                         " already; put all samples into one, or tell them apart by their configuration");
  }
  return {};
}

}  // namespace assay::inline v0
