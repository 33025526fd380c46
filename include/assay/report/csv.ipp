#pragma once

#include "assay/report/csv.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::vector<CsvRow>> csv_rows(std::string_view text, char separator) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<CsvRow> rows;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    CsvRow row{line, {}};
    for (bool more = true; more;) {
      std::string cell;
      if (at < text.size() && text[at] == '"') {
        const std::size_t opened = line;
        for (++at;; ++at) {
          if (at >= text.size())
            return failure(ErrorKind::malformed,
                           "line " + std::to_string(opened) + ": a quote is opened and never closed");
          if (text[at] == '"') {
            if (at + 1 >= text.size() || text[at + 1] != '"') break;
            ++at;
          }
          line += text[at] == '\n' ? 1 : 0;
          cell += text[at];
        }
        ++at;
        if (at < text.size() && text[at] != separator && text[at] != '\n' && text[at] != '\r')
          return failure(ErrorKind::malformed,
                         "line " + std::to_string(line) +
                             ": text stands behind a closing quote; a quote in a quoted cell is doubled");
      } else {
        while (at < text.size() && text[at] != separator && text[at] != '\n') cell += text[at++];
        if (!cell.empty() && cell.back() == '\r') cell.pop_back();
      }
      if (at < text.size() && text[at] == '\r') ++at;
      more = at < text.size() && text[at] == separator;
      if (at < text.size()) line += text[at++] == '\n' ? 1 : 0;
      row.cells.push_back(std::move(cell));
    }
    if (row.cells.size() > 1 || !row.cells[0].empty()) rows.push_back(std::move(row));
  }
  return rows;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<double> csv_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return detail::read_number(text);
}

}  // namespace assay::inline v0
