#pragma once

#include "assay/report/detail/html_grid.hpp"

#include "assay/core/config.hpp"
#include "assay/report/findings.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE HtmlGrid::HtmlGrid(const Run& run) {
  for (const Outcome& outcome : run.outcomes) {
    const std::string family = family_of(outcome), backend = backend_of(outcome);
    SummaryRow& row = cells_[family][backend];
    row.operation = family;
    row.backend = backend;
    count_outcome(row, outcome);
    backends_.insert(backend);
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string HtmlGrid::markup() const {
  if (cells_.size() * backends_.size() < 2) return {};
  std::string page =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"operations and backends\"><table "
      "class=\"counts\"><thead><tr><th scope=\"col\">operations</th>";
  for (const std::string& backend : backends_) page += "<th scope=\"col\">" + escaped_markup(backend) + "</th>";
  page += "</tr></thead><tbody>";
  const auto any_bad = [](const std::map<std::string, SummaryRow>& cells) {
    for (const auto& [backend, row] : cells)
      if (row.count(Verdict::fail) + row.count(Verdict::error) > 0) return true;
    return false;
  };
  const auto add = [&](const std::string& family, const std::map<std::string, SummaryRow>& cells) {
    page += "<tr><th scope=\"row\">" + breakable(family) + "</th>";
    for (const std::string& backend : backends_) {
      const auto found = cells.find(backend);
      page += found == cells.end() ? "<td></td>" : cell(found->second);
    }
    page += "</tr>";
  };
  for (const bool wanted : {true, false})  // failures first
    for (const auto& [family, cells] : cells_)
      if (any_bad(cells) == wanted) add(family, cells);
  return page + "</tbody></table></div>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string HtmlGrid::cell(const SummaryRow& row) {
  for (const Verdict verdict : verdicts_by_urgency) {
    const std::size_t count = row.count(verdict);
    if (count == 0) continue;
    const std::string name(name_of(verdict)), number = std::to_string(count);
    const bool urgent = verdict == Verdict::fail || verdict == Verdict::error || verdict == Verdict::inconclusive;
    return "<td><a class=\"" + name + "\" href=\"#" + section_anchor(verdict) + "\" data-filter=\"" +
           escaped_markup(HtmlFilters::fragment_of_family(row, verdict)) + "\"><span aria-hidden=\"true\">" +
           verdict_symbol(verdict) + "</span>" + (urgent ? " " + number : "") + "<span class=\"sr\"> " +
           (urgent ? "" : number + " ") + std::string(counted_name_of(verdict)) + "</span></a></td>";
  }
  return "<td></td>";
}

}  // namespace assay::inline v0::detail
