#pragma once

#include "assay/performance/import_csv.hpp"

#include <algorithm>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// "time (ms)" and "time [ms]" are a metric and its unit.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::string, std::string> metric_and_unit(
    const std::string& heading) {
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
    const std::size_t at = heading.rfind(open);
    if (at == std::string::npos || at == 0 || heading.back() != close) continue;
    std::size_t end = at;
    while (end > 0 && heading[end - 1] == ' ') --end;
    return {heading.substr(0, end), heading.substr(at + 1, heading.size() - at - 2)};
  }
  return {heading, ""};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<CsvLayout> csv_layout(const std::vector<std::string>& header,
                                                                      const CsvColumns& columns) {
  CsvLayout layout;
  for (std::size_t i = 0; i < header.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (header[i] == header[j])
        return failure(ErrorKind::malformed, "line 1: two columns are headed '" + visible(header[i]) + "'");
  const auto is_in = [](const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  };
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto [metric, unit] = metric_and_unit(header[i]);
    if (is_in(columns.values, header[i]) || (!unit.empty() && is_in(columns.values, metric)))
      layout.values.push_back({i, metric, unit});
    else if (header[i] == columns.name)
      layout.name = i;
    else if (header[i] == columns.metric)
      layout.metric = i;
    else if (header[i] == columns.unit)
      layout.unit = i;
    else if (header[i] == columns.direction)
      layout.direction = i;
    else if (header[i] == columns.time)
      layout.time = i;
    else if (is_in(columns.labels, header[i]))
      layout.labels.emplace_back(i, header[i]);
    else if (!is_in(columns.ignored, header[i]))
      layout.configuration.emplace_back(i, header[i]);
  }
  for (const std::string& value : columns.values)
    if (std::none_of(layout.values.begin(), layout.values.end(), [&](const CsvLayout::Value& there) {
          return header[there.column] == value || there.metric == value;
        }))
      return failure(ErrorKind::not_found, "line 1: " + unknown_name("column of values", value, header) +
                                               "; say which columns hold the values");
  if (!layout.name && columns.benchmark.empty())
    return failure(ErrorKind::not_found, "line 1: " + unknown_name("column of names", columns.name, header) +
                                             "; say which column names the benchmarks, or what all rows are of");
  if (layout.metric && layout.values.size() > 1)
    return failure(ErrorKind::invalid, "line 1: several columns of values, and a column '" + columns.metric +
                                           "' that names the metric; only one of both can");
  return layout;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_csv(std::string_view text, const CsvColumns& columns,
                                                       const ImportOptions& options) {
  const auto rows = csv_rows(text, columns.separator);
  if (!rows) return rows.propagate();
  if (rows.value().empty()) return failure(ErrorKind::malformed, "the file is empty; its first line names the columns");
  const std::vector<std::string>& header = rows.value()[0].cells;
  const auto layout = detail::csv_layout(header, columns);
  if (!layout) return layout.propagate();
  const detail::CsvLayout& at = layout.value();

  Imported imported;
  imported.has_time = at.time.has_value();
  std::map<std::pair<std::string, std::string>, std::size_t> runs;    // time and labels → index
  std::map<std::pair<std::size_t, std::string>, std::size_t> points;  // run and key → index
  for (std::size_t r = 1; r < rows.value().size(); ++r) {
    const auto& [line, cells] = rows.value()[r];
    const auto malformed = [&, number = line](const std::string& why) {
      return failure(ErrorKind::malformed, "line " + std::to_string(number) + ": " + why);
    };
    if (cells.size() != header.size())
      return malformed(std::to_string(cells.size()) + " cells, and the header has " + std::to_string(header.size()));

    RunOrigin origin;
    for (const auto& [column, label] : at.labels)
      if (!cells[column].empty()) origin.labels[label] = cells[column];
    if (at.time) {
      const auto time = parse_utc_time(cells[*at.time]);
      if (!time)
        return malformed("'" + clipped(visible(cells[*at.time]), 40) +
                         "' is no time; a time reads 2025-01-02T03:04:05Z");
      origin.time = *time;
    }
    const auto [run, new_run] = runs.emplace(
        std::pair{utc_time_text(origin.time), detail::canonical_text(origin.labels)}, imported.runs.size());
    if (new_run) imported.runs.push_back({origin, {}});

    HistoryPoint subject;
    subject.name = at.name ? cells[*at.name] : columns.benchmark;
    if (subject.name.empty()) return malformed("the cell '" + visible(columns.name) + "' is empty");
    for (const auto& [column, key] : at.configuration)
      if (!cells[column].empty()) subject.configuration[key] = cells[column];

    for (const detail::CsvLayout::Value& value : at.values) {
      Metric metric{at.metric ? cells[*at.metric] : value.metric,
                    at.unit && !cells[*at.unit].empty() ? cells[*at.unit] : value.unit,
                    Direction::lower_is_better,
                    {},
                    ""};
      const std::string& cell = cells[value.column];
      auto sample = csv_number(cell);
      if (cell.empty() || (sample && !are_samples({&*sample, 1}))) {
        imported.notes.push_back("line " + std::to_string(line) + ": the value of '" + visible(subject.name) + "' is " +
                                 (cell.empty() ? "empty" : visible(cell)) + " and left out");
        continue;
      }
      if (!sample)
        return malformed("'" + clipped(visible(cell), 40) + "' in the column '" + visible(header[value.column]) +
                         "' is no number");
      if (metric.name.empty()) return malformed("the cell '" + visible(columns.metric) + "' is empty");
      if (const auto seconds = seconds_per(metric.unit)) *sample *= *seconds, metric.unit = "s";
      auto direction = detail::direction_of(options, metric.name, metric.unit);
      if (at.direction && !cells[*at.direction].empty() && options.directions.count(metric.name) == 0) {
        direction = direction_named(cells[*at.direction]);
        if (!direction)
          return malformed("'" + clipped(visible(cells[*at.direction]), 40) +
                           "' is no direction; it is lower_is_better or higher_is_better");
      }
      if (!direction) {
        detail::note_once(imported.notes, detail::unknown_direction(metric.name, metric.unit));
        continue;
      }
      metric.direction = *direction;
      std::vector<HistoryPoint>& own = imported.runs[run->second].points;
      const auto [point, added] = points.emplace(
          std::pair{run->second, series_key(subject.name, subject.configuration, metric.name)}, own.size());
      if (added) own.push_back({subject.name, subject.configuration, metric});
      Metric& there = own[point->second].metric;
      if (there.unit != metric.unit || there.direction != metric.direction)
        return malformed("'" + visible(metric.name) + "' of '" + visible(subject.name) +
                         "' has another unit or direction than in the rows above");
      there.samples.push_back(*sample);
    }
  }
  detail::finish_import(imported, options);
  return imported;
}

}  // namespace assay::inline v0
