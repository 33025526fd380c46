#pragma once

#include "assay/performance/export_csv.hpp"

#include <algorithm>
#include <charconv>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) quoted += character == '"' ? std::string("\"\"") : std::string(1, character);
  return quoted + "\"";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string csv_text(const History& history) {
  const std::vector<std::string> own{"name", "metric", "unit", "direction", "value", "time"};
  std::vector<std::string> labels, members;
  const auto add = [](std::vector<std::string>& list, const std::vector<std::string>& others, const std::string& text) {
    const bool there = std::find(list.begin(), list.end(), text) != list.end() ||
                       std::find(others.begin(), others.end(), text) != others.end();
    if (!there) list.push_back(text);
  };
  for (const RunOrigin& run : history.runs)
    for (const auto& [name, value] : run.labels) add(labels, own, name);
  std::vector<std::string> taken = own;
  taken.insert(taken.end(), labels.begin(), labels.end());
  for (const HistorySeries& series : history.series)
    for (const auto& [name, value] : series.configuration) add(members, taken, name);

  std::string text = "name,metric,unit,direction,value,time";
  for (const auto* list : {&labels, &members})
    for (const std::string& heading : *list) text += "," + detail::csv_cell(heading);
  text += "\n";
  for (const HistorySeries& series : history.series) {
    const std::string head = detail::csv_cell(series.name) + "," + detail::csv_cell(series.metric) + "," +
                             detail::csv_cell(series.unit) + "," + std::string(name_of(series.direction)) + ",";
    std::string end;
    for (const std::string& member : members) {
      const auto found = series.configuration.find(member);
      end += "," + (found == series.configuration.end() ? std::string() : detail::csv_cell(found->second));
    }
    for (const SeriesPoint& point : series.points) {
      const RunOrigin& run = history.runs[point.run];
      std::string middle = "," + utc_time_text(run.time);
      for (const std::string& label : labels) middle += "," + detail::csv_cell(run.label(label));
      for (const double sample : point.samples) {
        char number[32];
        text.append(head)
            .append(number, std::to_chars(number, number + sizeof number, sample).ptr)
            .append(middle)
            .append(end)
            .append("\n");
      }
    }
  }
  return text;
}

}  // namespace assay::inline v0
