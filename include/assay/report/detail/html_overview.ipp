#pragma once

#include "assay/report/detail/html_overview.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE HtmlOverview::HtmlOverview(const Run& run) : summary_(summarize(run)) {
  if (summary_.rows.size() > rows_at_a_glance) {
    folded_ = true;
    summary_ = urgent_first(summary_);
  }
  std::vector<double> all;
  for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
    const Outcome& outcome = run.outcomes[i];
    Row& row = rows_[key_of(outcome)];
    row.quick += quick_pass(outcome) ? 1 : 0;
    if (outcome.verdict == Verdict::fail &&
        (!row.failing || rank_ratio(outcome) > rank_ratio(run.outcomes[*row.failing])))
      row.failing = i;
    if (!computed(outcome.verdict)) continue;
    if (const auto ratio = outcome.measurement(measurement::worst_error_ratio)) {
      if (!row.worst || rank_ratio(outcome) > rank_ratio(run.outcomes[*row.worst])) row.worst = i;
      row.ratios.push_back(*ratio);
      all.push_back(*ratio);
    }
  }
  axis_ = ratio_axis(all);
  for (const Verdict verdict : {Verdict::fail, Verdict::error, Verdict::inconclusive, Verdict::pass,
                                Verdict::new_baseline, Verdict::unsupported, Verdict::skipped})
    if (verdict == Verdict::fail || verdict == Verdict::pass || summary_.total.count(verdict) > 0)
      verdicts_.push_back(verdict);
}

ASSAY_DETAIL_HEADER_INLINE std::string HtmlOverview::markup() const {
  std::string page;
  if (folded_)
    page += "<details class=\"group\"><summary>By operation and formats <small>" +
            counted(summary_.rows.size(), "row") + "</small></summary>";
  page +=
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"overview\"><table "
      "class=\"overview\"><thead><tr><th "
      "scope=\"col\">backend</th><th scope=\"col\">operation</th>"
      "<th scope=\"col\">formats</th><th scope=\"col\" class=\"n\">cases</th>";
  for (const Verdict verdict : verdicts_) page += "<th scope=\"col\" class=\"n\">" + heading(verdict) + "</th>";
  page +=
      "<th scope=\"col\" class=\"n\">worst error / allowed</th><th scope=\"col\" class=\"spread\">its distribution" +
      ratio_axis_markup(axis_) + "</th><th scope=\"col\" class=\"n\">time</th></tr></thead><tbody>";
  for (const SummaryRow& row : summary_.rows)
    page += row_markup(row, rows_.at(std::make_tuple(row.backend, row.operation, row.formats)), false);
  if (summary_.rows.size() > 1) {
    SummaryRow total = summary_.total;
    total.backend = "all";
    Row details;
    for (const auto& [key, row] : rows_)
      details.ratios.insert(details.ratios.end(), row.ratios.begin(), row.ratios.end());
    page += row_markup(total, details, true);
  }
  return page + "</tbody></table></div>" + (folded_ ? "</details>\n" : "\n");
}

ASSAY_DETAIL_HEADER_INLINE std::string HtmlOverview::row_markup(const SummaryRow& row, const Row& details,
                                                                bool total) const {
  std::string page = total ? "<tr class=\"total\">" : "<tr>";
  page += "<th scope=\"row\">" + escaped_markup(row.backend) + "</th><td>" + escaped_markup(row.operation) +
          "</td><td class=\"formats\">" + escaped_markup(row.formats) + "</td><td class=\"n\" data-name=\"" +
          (row.cases == 1 ? "case" : "cases") + "\">" + std::to_string(row.cases) + "</td>";
  for (const Verdict verdict : verdicts_) page += count_cell(row, details, verdict, total);
  const std::string worst = row.worst_error_ratio ? number_text(*row.worst_error_ratio) : "–";
  const bool over = row.worst_error_ratio && !(*row.worst_error_ratio <= 1);
  page += std::string("<td class=\"n worst") + (over ? " over" : "") + "\">" +
          (details.worst ? "<a href=\"#" + case_anchor(*details.worst) + "\">" + worst + "</a>" : worst) + "</td>";
  page += "<td class=\"spread\">" + ratio_strip_svg(details.ratios, axis_) +
          (details.ratios.empty() ? "" : ratio_axis_markup(axis_)) + "</td>";
  return page + "<td class=\"n\">" + duration_text(row.duration_seconds) + "</td></tr>";
}

ASSAY_DETAIL_HEADER_INLINE std::string HtmlOverview::count_cell(const SummaryRow& row, const Row& details,
                                                                Verdict verdict, bool total) const {
  const std::size_t count = row.count(verdict);
  const std::string name(name_of(verdict));
  if (count == 0) return "<td class=\"n zero\" data-name=\"" + heading(verdict) + "\">0</td>";
  const std::string number = std::to_string(count);
  std::string page = "<td class=\"n " + name + "\" data-name=\"" + heading(verdict) + "\"><a href=\"#";
  page += verdict == Verdict::fail && details.failing ? case_anchor(*details.failing) : section_anchor(verdict);
  page += "\" data-filter=\"" + escaped_markup(total ? "verdict=" + name : HtmlFilters::fragment(row, verdict)) +
          "\">" + number + "</a>";
  if (verdict == Verdict::pass && details.quick > 0)
    page += "<span class=\"quick\"> ≈" + std::to_string(details.quick) +
            "<span class=\"sr\"> of them by quick checks</span></span>";
  return page + "</td>";
}

}  // namespace assay::inline v0::detail
