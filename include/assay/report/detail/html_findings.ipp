#pragma once

#include "assay/report/detail/html_findings.hpp"

#include <vector>

#include "assay/core/config.hpp"
#include "assay/report/detail/html_filters.hpp"
#include "assay/report/detail/html_grid.hpp"
#include "assay/report/findings.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string html_finding(const Finding& finding, const Run& run) {
  const auto text = [](const std::string& words, std::size_t most) {
    return escaped_markup(clipped(visible(words), most));
  };
  const Outcome& example = example_of(finding, run);
  std::string markup = "<details class=\"group\"><summary><b class=\"" + std::string(name_of(finding.verdict)) + "\">" +
                       std::to_string(finding.members.size()) + " ×</b> " + text(subject_of(finding), 160) + ": " +
                       text(finding.cause, 200) + " <small>" + text(finding.confidence, 20) + "</small></summary><p>" +
                       text(finding.account, 600) + "</p>";
  if (finding.operations.size() > 1) markup += "<p class=\"note\">" + text(operations_text(finding, 20), 600) + "</p>";
  if (finding.counted > 0)
    markup += "<p class=\"note\">" + std::to_string(finding.counted) +
              " of them were not diagnosed themselves: they share operation and data with those that were.</p>";
  markup += "<p>For example <a href=\"#" + case_anchor(finding.members.front()) + "\">" + id_markup(example.id) +
            "</a>: " + text(example.reason, 600) + "</p>";
  if (!example.reproduce.empty()) markup += command_markup(clipped(example.reproduce, 2000));
  SummaryRow row;
  row.operation = finding.family;
  row.backend = finding.backend;
  return markup + "<p><a href=\"#" + section_anchor(finding.verdict) + "\" data-filter=\"" +
         escaped_markup(HtmlFilters::fragment_of_family(row, finding.verdict)) + "\">all of " +
         text(finding.family, 80) + (finding.backend == "-" ? "" : " on " + text(finding.backend, 80)) +
         "</a></p></details>\n";
}

/// The list of findings; nothing where nothing failed.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string html_finding_list(const Run& run, std::size_t at_a_glance) {
  constexpr std::size_t most = 200;
  const std::vector<Finding> findings = findings_of(run);
  if (findings.empty()) return {};
  std::string markup = "<div><h2>Findings <small>" + std::to_string(findings.size()) + "</small></h2>\n";
  for (std::size_t i = 0; i < findings.size() && i < most; ++i) {
    if (i == at_a_glance)
      markup += "<details class=\"group\"><summary>further findings <small>" +
                std::to_string(findings.size() - at_a_glance) + "</small></summary>\n";
    markup += html_finding(findings[i], run);
  }
  if (findings.size() > most)
    markup += "<p class=\"note\">and " + counted(findings.size() - most, "more finding") + "</p>";
  return markup + (findings.size() > at_a_glance ? "</details>\n</div>" : "</div>");
}

ASSAY_DETAIL_HEADER_INLINE std::string html_findings(const Run& run, std::size_t at_a_glance) {
  std::string markup;
  for (const std::string& line : standing_of_backends(run))
    markup += "<p>" + escaped_markup(clipped(line, 2000)) + "</p>\n";
  const std::string list = html_finding_list(run, at_a_glance), grid = HtmlGrid(run).markup();
  if (list.empty() && grid.empty()) return markup;
  return markup + "<div class=\"first\">" + list +
         (grid.empty() ? "" : "<div><h2>Operations and backends</h2>\n" + grid + "</div>") + "</div>\n";
}

}  // namespace assay::inline v0::detail
