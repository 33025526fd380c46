#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "assay/core/run.hpp"
#include "assay/report/detail/html_filters.hpp"
#include "assay/report/detail/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/summary.hpp"

namespace assay::inline v0::detail {

/// What became of each operation on each backend: a grid that shows at a glance where failures are. Every count leads to its cases.
class HtmlGrid {
 public:
  /// Of a summary without formats.
  explicit HtmlGrid(const Summary& summary) {
    for (const SummaryRow& row : summary.rows) {
      cells_[row.operation][row.backend] = cell(row);
      backends_.insert(row.backend);
    }
  }

  [[nodiscard]] std::string markup() const {
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

 private:
  /// On a phone a long name goes on in the next line, behind an underscore.
  static std::string breakable(const std::string& name) {
    std::string markup;
    for (const char letter : escaped_markup(name)) markup += letter == '_' ? std::string("_<wbr>") : std::string(1, letter);
    return markup;
  }
  /// The counts of all verdicts, the most urgent first; what was refused or skipped is told only where nothing else is.
  static std::string cell(const SummaryRow& row) {
    std::string page = "<td>";
    const std::size_t idle = row.count(Verdict::unsupported) + row.count(Verdict::skipped);
    for (const Verdict verdict : verdicts_by_urgency) {
      if (row.count(verdict) == 0 || (idle < row.cases && (verdict == Verdict::unsupported || verdict == Verdict::skipped))) continue;
      const std::string name(name_of(verdict));
      page += "<a class=\"" + name + "\" href=\"#" + section_anchor(verdict) + "\" data-filter=\"" +
              escaped_markup(HtmlFilters::fragment_of_all_formats(row, verdict)) + "\"><span aria-hidden=\"true\">" +
              verdict_symbol(verdict) + "</span> " + std::to_string(row.count(verdict)) + "<span class=\"sr\"> " +
              std::string(counted_name_of(verdict)) + "</span></a> ";
    }
    return page + "</td>";
  }

  std::map<std::string, std::map<std::string, std::string>> cells_;  ///< by operation, by backend
  std::set<std::string> backends_;
};

}  // namespace assay::inline v0::detail
