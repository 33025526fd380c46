#pragma once

#include "assay/performance/import_csv.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "assay/core/config.hpp"
#include "assay/performance/unit.hpp"

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

/// A number with this sign before its decimals.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<double> csv_number(std::string_view text, char decimal) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (decimal == '.') return read_number(text);
  std::string pointed(text);
  for (char& letter : pointed)
    if (letter == decimal)
      letter = '.';
    else if (letter == '.')
      return std::nullopt;  // of thousands: what a person meant is not guessed
  return read_number(pointed);
}

/// A time of day as tables have it: ISO 8601, a blank for its 'T', '.' or '/' in the date, "+0100", a date alone, or
/// seconds or milliseconds since 1970 where `epoch`.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<UtcTime> csv_time(std::string text, bool epoch) {
  if (const auto time = parse_utc_time(text)) return time;
  if (epoch && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos &&
      (text.size() == 10 || text.size() == 13))
    return UtcTime(std::chrono::milliseconds(std::stoll(text) * (text.size() == 10 ? 1000 : 1)));
  for (std::size_t at : {std::size_t{4}, std::size_t{7}})
    if (text.size() > at && (text[at] == '.' || text[at] == '/')) text[at] = '-';
  if (text.size() == 10) text += "T00:00:00";
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  if (text.size() > 12 && text[12] == ':') text.insert(11, "0");
  if (const std::size_t blank = text.find(' '); blank != text.npos) text.erase(blank, 1);
  if (text.size() > 5 && (text[text.size() - 5] == '+' || text[text.size() - 5] == '-') && text.size() > 20)
    text.insert(text.size() - 2, ":");
  return parse_utc_time(text);
}

/// The separator of a table, by its first line; 0: several would do.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE char guessed_separator(std::string_view text) {
  char found = 0;
  bool quoted = false;
  for (const char letter : text.substr(0, text.find('\n'))) {
    if (letter == '"') quoted = !quoted;
    if (quoted || (letter != ',' && letter != ';' && letter != '\t' && letter != '|')) continue;
    if (found != 0 && found != letter) return 0;
    found = letter;
  }
  return found == 0 ? ',' : found;
}

/// Whether the cells of values have a comma before their decimals for certain: all have one or none, none has a point,
/// and one could not be thousands.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<char> guessed_decimal(const std::vector<CsvRow>& rows,
                                                                      const CsvLayout& layout) {
  bool comma = false, certain = false, point = false;
  for (std::size_t r = 1; r < rows.size(); ++r)
    for (const CsvLayout::Value& value : layout.values) {
      if (value.column >= rows[r].cells.size()) continue;
      const std::string& cell = rows[r].cells[value.column];
      point = point || cell.find('.') != cell.npos;
      const std::size_t at = cell.find(',');
      if (at == cell.npos || at == 0) continue;
      comma = true;
      std::size_t digits = 0;
      while (at + 1 + digits < cell.size() && cell[at + 1 + digits] >= '0' && cell[at + 1 + digits] <= '9') ++digits;
      certain = certain || digits != 3 || at > 3 || cell[0] == '0';
    }
  if (!comma || point) return '.';
  if (certain) return ',';
  return failure(ErrorKind::malformed,
                 "whether the commas in its values stand before decimals or thousands cannot be told; say which "
                 "character stands before decimals");
}

/// The columns that were named, and those that are certain.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE CsvColumns guessed_columns(const std::vector<CsvRow>& rows, CsvColumns columns,
                                                                    std::vector<std::string>& notes) {
  const std::vector<std::string>& header = rows[0].cells;
  const auto has = [&](const std::string& name) {
    return std::find(header.begin(), header.end(), name) != header.end();
  };
  const auto only = [&](const std::vector<std::string>& names) {
    std::string found;
    for (const std::string& name : names)
      if (has(name)) found = found.empty() ? name : std::string("");
    return found;
  };
  const CsvColumns usual;
  if (columns.name == usual.name && !has(columns.name) && columns.benchmark.empty())
    if (const std::string name = only({"benchmark", "test", "case"}); !name.empty()) {
      columns.name = name;
      notes.push_back("the column '" + name + "' is taken for the benchmarks' names");
    }
  const auto headed = [&](const std::string& heading) { return metric_and_unit(heading).first == "value"; };
  if (columns.values == usual.values && std::none_of(header.begin(), header.end(), headed)) {
    std::vector<std::string> values;
    for (const std::string& heading : header)
      if (unit_meaning(metric_and_unit(heading).second)) values.push_back(heading);
    if (!values.empty()) columns.values = values;
    for (const std::string& value : values) notes.push_back("the column '" + visible(value) + "' is taken for values");
  }
  if (columns.time == usual.time && !has(columns.time))
    if (const std::string name = only({"timestamp", "date", "datetime"}); !name.empty()) {
      const auto at = static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
      const bool all = std::all_of(rows.begin() + 1, rows.end(), [&](const CsvRow& row) {
        return at < row.cells.size() && csv_time(row.cells[at], true);
      });
      if (all) columns.time = name;
    }
  return columns;
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
      layout.values.push_back({i, metric, columns.units.count(header[i]) > 0 ? columns.units.at(header[i]) : unit});
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

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_csv(std::string_view text, const CsvColumns& given,
                                                       const ImportOptions& options) {
  Imported imported;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  const char separator = given.separator != 0 ? given.separator : detail::guessed_separator(text);
  if (separator == 0)
    return failure(ErrorKind::malformed, "line 1: several of ',', ';', tab and '|' stand in it; say which separates");
  const auto rows = csv_rows(text, separator);
  if (!rows) return rows.propagate();
  if (rows.value().empty()) return failure(ErrorKind::malformed, "the file is empty; its first line names the columns");
  const CsvColumns columns = detail::guessed_columns(rows.value(), given, imported.notes);
  const std::vector<std::string>& header = rows.value()[0].cells;
  const auto layout = detail::csv_layout(header, columns);
  if (!layout) return layout.propagate();
  const detail::CsvLayout& at = layout.value();
  char decimal = given.decimal;
  if (decimal == 0) {
    const auto guessed = separator == ',' ? Result<char>('.') : detail::guessed_decimal(rows.value(), at);
    if (!guessed) return guessed.propagate();
    decimal = guessed.value();
  }

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
      const auto time = detail::csv_time(cells[*at.time], columns.time != "time");
      if (!time && detail::read_number(cells[*at.time]))
        return malformed("'" + clipped(visible(cells[*at.time]), 40) + "' in the column '" + visible(columns.time) +
                         "' is a number and no time of day; name it as a column of values, with its unit, or another "
                         "column as that of times");
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
      auto sample = detail::csv_number(cell, decimal);
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
      const auto ratio = unit_ratio(metric.unit, there.unit);
      if (!ratio || there.direction != metric.direction)
        return malformed("'" + visible(metric.name) + "' of '" + visible(subject.name) +
                         "' has another unit or direction than in the rows above");
      there.samples.push_back(*sample * *ratio);
    }
  }
  detail::finish_import(imported, options);
  return imported;
}

}  // namespace assay::inline v0
