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

namespace detail {

/// Takes letters off the widest columns of words until a line fits. Whether it does.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool fit_columns(std::vector<std::size_t>& widths,
                                                          const std::vector<bool>& numeric, std::size_t width) {
  constexpr std::size_t least = 8;
  std::size_t total = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const std::size_t column : widths) total += column;
  while (total > width) {
    std::size_t widest = widths.size();
    for (std::size_t column = 0; column < widths.size(); ++column)
      if (!numeric[column] && widths[column] > least && (widest == widths.size() || widths[column] > widths[widest]))
        widest = column;
    if (widest == widths.size()) return false;
    --widths[widest];
    --total;
  }
  return true;
}

/// A row as lines of "column: cell", the first cell as their heading; cells that say nothing are left out.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> row_as_lines(const std::vector<std::string>& columns,
                                                                               const std::vector<std::string>& row,
                                                                               std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (row[column].empty() || row[column] == "-" || row[column] == "0") continue;
    const std::string cell = column == 0 ? row[column] : columns[column] + ": " + row[column];
    if (!line.empty() && display_width(line) + 2 + display_width(cell) > width) {
      lines.push_back(clipped(line, width));
      line = "  ";
    }
    line += (line.empty() || line == "  " ? "" : ", ") + cell;
  }
  lines.push_back(clipped(line, width));
  return lines;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> text_lines(const Table& table, std::size_t width) {
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
  if (width > 0 && !detail::fit_columns(widths, numeric, width)) {
    for (std::size_t row = 1; row < cells.size(); ++row)
      for (std::string& line : detail::row_as_lines(cells[0], cells[row], width)) lines.push_back(std::move(line));
    return lines;
  }
  for (const std::vector<std::string>& row : cells) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column) {
      const std::string cell = clipped(row[column], widths[column]);
      const std::string padding(widths[column] - display_width(cell), ' ');
      line += (column == 0 ? "" : "  ") + (numeric[column] ? padding + cell : cell + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
    if (lines.size() == 1) {
      std::size_t rule_width = columns == 0 ? 0 : 2 * (columns - 1);
      for (const std::size_t column_width : widths) rule_width += column_width;
      std::string rule;
      for (std::size_t i = 0; i < rule_width; ++i) rule += "─";
      lines.push_back(rule);
    }
  }
  return lines;
}

}  // namespace assay::inline v0
