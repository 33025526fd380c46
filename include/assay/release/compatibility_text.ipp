#pragma once

#include "assay/release/compatibility_text.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// "12/12", and what is not certified: "9/12 ✗2 ○1".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string cell_text(const CompatibilityCell& cell) {
  if (cell.promised() == 0) return "–";
  std::string text = std::to_string(cell.count(CompatibilityState::certified)) + "/" + std::to_string(cell.promised());
  const std::pair<CompatibilityState, const char*> signs[] = {{CompatibilityState::failed, " ✗"},
                                                              {CompatibilityState::conflict, " ⚡"},
                                                              {CompatibilityState::undecided, " ?"},
                                                              {CompatibilityState::hole, " ○"}};
  for (const auto& [state, sign] : signs)
    if (const std::size_t number = cell.count(state); number > 0) text += sign + std::to_string(number);
  return text;
}

/// Who, when and where, of one combination.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> certification_row(const CompatibilityReport& report,
                                                                                    const CompatibilityEntry& entry) {
  std::string by, when, where, from;
  for (const std::size_t index : entry.certifications) {
    const Certification& certification = report.certifications[index];
    const auto add = [](std::string& text, const std::string& part) {
      text += (text.empty() ? "" : "; ") + (part.empty() ? std::string("?") : part);
    };
    add(by, certification.by);
    add(when, certification.when);
    add(where, certification.host + (certification.environment.empty() ? "" : " (" + certification.environment + ")"));
    add(from, certification.source);
  }
  return {values_text(report, entry), std::string(name_of(entry.state)), by, when, where, from};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string compatibility_line(const CompatibilityReport& report) {
  std::string line = std::to_string(report.entries.size()) +
                     (report.entries.size() == 1 ? " combination: " : " combinations: ") +
                     std::to_string(report.count(CompatibilityState::certified)) + " certified";
  for (const CompatibilityState state : {CompatibilityState::failed, CompatibilityState::conflict,
                                         CompatibilityState::undecided, CompatibilityState::hole})
    if (const std::size_t number = report.count(state); number > 0)
      line += ", " + std::to_string(number) + " " + std::string(name_of(state)) +
              (state == CompatibilityState::hole && number > 1 ? "s" : "");
  return line;
}

ASSAY_DETAIL_HEADER_INLINE Table grid_table(const CompatibilityGrid& grid) {
  Table table{"", {grid.rows.name + " \\ " + grid.columns.name}, {}};
  table.columns.insert(table.columns.end(), grid.columns.values.begin(), grid.columns.values.end());
  for (std::size_t row = 0; row < grid.rows.values.size(); ++row) {
    std::vector<std::string> cells{grid.rows.values[row]};
    for (std::size_t column = 0; column < grid.columns.values.size(); ++column)
      cells.push_back(detail::cell_text(grid.at(row, column)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table certification_table(const CompatibilityReport& report, std::size_t most) {
  Table table{"", {"combination", "state", "by", "when", "where", "from"}, {}};
  for (const CompatibilityState state :
       {CompatibilityState::conflict, CompatibilityState::failed, CompatibilityState::undecided,
        CompatibilityState::certified, CompatibilityState::hole})
    for (const CompatibilityEntry& entry : report.entries)
      if (entry.state == state && table.rows.size() < most)
        table.rows.push_back(detail::certification_row(report, entry));
  return table;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> compatibility_lines(const CompatibilityReport& report,
                                                                        const CompatibilityGrid* grid,
                                                                        std::size_t most_named) {
  std::vector<std::string> lines{(report.title.empty() ? "matrix" : visible(report.title)) + ": " +
                                 compatibility_line(report)};
  if (grid != nullptr) {
    const std::vector<std::string> table = text_lines(grid_table(*grid));
    lines.insert(lines.end(), table.begin(), table.end());
    lines.emplace_back("certified/promised, ✗ failed, ⚡ runs disagree, ? undecided, ○ not tested, – not promised");
  }
  for (const CompatibilityState state : {CompatibilityState::conflict, CompatibilityState::failed,
                                         CompatibilityState::undecided, CompatibilityState::hole}) {
    std::size_t told = 0;
    for (const CompatibilityEntry& entry : report.entries) {
      if (entry.state != state) continue;
      if (++told > most_named) continue;
      const std::vector<std::string> row = detail::certification_row(report, entry);
      lines.push_back(visible(row[1] + "  " + row[0] + (row[5].empty() ? "" : "  [" + row[5] + "]")));
    }
    if (told > most_named)
      lines.push_back("… and " + std::to_string(told - most_named) + " more " + std::string(name_of(state)));
  }
  for (std::size_t i = 0; i < report.conflicts.size() && i < most_named; ++i)
    lines.push_back(visible("conflict: " + report.conflicts[i].combination + ": " + report.conflicts[i].what));
  for (std::size_t i = 0; i < report.strangers.size() && i < most_named; ++i) {
    const auto& [index, why] = report.strangers[i];
    lines.push_back(visible("not counted: " + report.certifications[index].source + " (" +
                            combination_text(report.certifications[index].combination) + "): " + why));
  }
  if (report.strangers.size() > most_named)
    lines.push_back("… and " + std::to_string(report.strangers.size() - most_named) + " more that are not counted");
  return lines;
}

ASSAY_DETAIL_HEADER_INLINE std::string compatibility_markdown(const CompatibilityReport& report,
                                                              const CompatibilityGrid* grid) {
  constexpr std::size_t most_rows = 1000;
  std::string text = "## Compatibility" +
                     (report.title.empty() ? "" : ": " + detail::inline_markdown(report.title, 120)) + "\n\n" +
                     compatibility_line(report) + ".\n\n";
  const auto add = [&](const Table& table) {
    const auto row = [&](const std::vector<std::string>& cells) {
      text += "|";
      for (const std::string& cell : cells) text += " " + detail::inline_markdown(cell, 200) + " |";
      text += "\n";
    };
    row(table.columns);
    text += "|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) text += " --- |";
    text += "\n";
    for (const auto& cells : table.rows) row(cells);
    text += "\n";
  };
  if (grid != nullptr) {
    add(grid_table(*grid));
    text += "Certified of promised; ✗ failed, ⚡ runs disagree, ? undecided, ○ not tested, – not promised.\n\n";
  }
  for (const CompatibilityConflict& conflict : report.conflicts)
    text += "- runs disagree: " + detail::inline_markdown(conflict.combination, 200) + ": " +
            detail::inline_markdown(conflict.what, 300) + "\n";
  for (const auto& [index, why] : report.strangers)
    text += "- not counted: " + detail::inline_markdown(report.certifications[index].source, 200) + ": " +
            detail::inline_markdown(why, 300) + "\n";
  if (!report.conflicts.empty() || !report.strangers.empty()) text += "\n";
  add(certification_table(report, most_rows));
  if (report.entries.size() > most_rows)
    text += std::to_string(report.entries.size() - most_rows) + " further combinations are left out here.\n";
  return text;
}

}  // namespace assay::inline v0
