#pragma once

#include "assay/report/detail/html_grid.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string HtmlGrid::markup() const {
  std::string page =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"operations and backends\"><table "
      "class=\"counts\"><thead><tr><th scope=\"col\">operation</th>";
  for (const std::string& backend : backends_) page += "<th scope=\"col\">" + escaped_markup(backend) + "</th>";
  page += "</tr></thead><tbody>";
  for (const auto& [operation, cells] : cells_) {
    page += "<tr><th scope=\"row\">" + breakable(operation) + "</th>";
    for (const std::string& backend : backends_) {
      const auto found = cells.find(backend);
      page += found == cells.end() ? "<td></td>" : found->second;
    }
    page += "</tr>";
  }
  return page + "</tbody></table></div>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string HtmlGrid::cell(const SummaryRow& row) {
  std::string page = "<td>";
  const std::size_t idle = row.count(Verdict::unsupported) + row.count(Verdict::skipped);
  for (const Verdict verdict : verdicts_by_urgency) {
    if (row.count(verdict) == 0 ||
        (idle < row.cases && (verdict == Verdict::unsupported || verdict == Verdict::skipped)))
      continue;
    const std::string name(name_of(verdict));
    page += "<a class=\"" + name + "\" href=\"#" + section_anchor(verdict) + "\" data-filter=\"" +
            escaped_markup(HtmlFilters::fragment_of_all_formats(row, verdict)) + "\"><span aria-hidden=\"true\">" +
            verdict_symbol(verdict) + "</span> " + std::to_string(row.count(verdict)) + "<span class=\"sr\"> " +
            std::string(counted_name_of(verdict)) + "</span></a> ";
  }
  return page + "</td>";
}

}  // namespace assay::inline v0::detail
