#pragma once

#include "assay/report/text_table.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE bool numeric_column(const Table& table, std::size_t column) {
  bool some = false;
  for (const std::vector<std::string>& row : table.rows) {
    if (column >= row.size()) continue;
    if (!numeric_cell(row[column])) return false;
    some = some || (!row[column].empty() && row[column] != "-");
  }
  return some;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> text_lines(const Table& table) {
  const std::size_t columns = table.columns.size();
  std::vector<std::vector<std::string>> cells{table.columns};
  cells.insert(cells.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths(columns, 0);
  for (std::vector<std::string>& row : cells) {
    row.resize(columns);
    for (std::size_t column = 0; column < columns; ++column) {
      row[column] = visible(row[column]);
      widths[column] = std::max(widths[column], display_width(row[column]));
    }
  }

  std::vector<bool> numeric(columns);
  for (std::size_t column = 0; column < columns; ++column) numeric[column] = numeric_column(table, column);
  std::vector<std::string> lines;
  for (const std::vector<std::string>& row : cells) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column) {
      const std::string padding(widths[column] - display_width(row[column]), ' ');
      line += (column == 0 ? "" : "  ") + (numeric[column] ? padding + row[column] : row[column] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
    if (lines.size() == 1) {
      std::size_t width = columns == 0 ? 0 : 2 * (columns - 1);
      for (const std::size_t column_width : widths) width += column_width;
      std::string rule;
      for (std::size_t i = 0; i < width; ++i) rule += "─";
      lines.push_back(rule);
    }
  }
  return lines;
}

}  // namespace assay::inline v0
