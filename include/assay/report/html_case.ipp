#pragma once

#include "assay/report/html_case.hpp"

#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string case_line(const Outcome& outcome, std::size_t most_reason) {
  const std::string verdict = verdict_class(outcome);
  std::string markup = "<b class=\"" + verdict + "\">" +
                       (quick_pass(outcome) ? quick_symbol : verdict_symbol(outcome.verdict)) +
                       "</b><span class=\"who\">" + id_markup(outcome.id);
  const auto badge = [&](const std::string& text) {
    markup += " <span class=\"badge " + verdict + "\">" + escaped_markup(clipped(visible(text), 80)) + "</span>";
  };
  if (const std::string check = outcome.label("check"); !check.empty() && check != "full") badge(check + " check");
  if (const std::string ended = outcome.label("ended"); !ended.empty()) badge(ended);
  if (const std::string attempts = attempts_text(outcome); !attempts.empty()) badge(attempts);
  if (!outcome.reason.empty())
    markup += "<span class=\"why\">" + escaped_markup(clipped(outcome.reason, most_reason)) + "</span>";
  markup += "</span>";
  const auto ratio = computed(outcome.verdict) ? outcome.measurement(measurement::worst_error_ratio) : std::nullopt;
  markup += std::string("<span class=\"ratio") + (ratio && !(*ratio <= 1) ? " over" : "") + "\">" +
            (ratio ? number_text(*ratio) : "") + "</span>";
  return markup + "<span class=\"time\">" + duration_text(outcome.duration_seconds) + "</span>";
}

ASSAY_DETAIL_HEADER_INLINE std::string findings_markup(const std::vector<std::string>& findings) {
  std::string markup = "<ul class=\"findings\">";
  for (const std::string& finding : findings) {
    const std::size_t end = finding.find('\n');
    markup += "<li>" + escaped_markup(finding.substr(0, end));
    if (end != std::string::npos && end + 1 < finding.size())
      markup += "<pre class=\"output\" tabindex=\"0\">" + escaped_markup(finding.substr(end + 1)) + "</pre>";
    markup += "</li>";
  }
  return markup + "</ul>";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string output_markup(const Table& table) {
  std::string text;
  for (const std::vector<std::string>& row : table.rows) text += (row.empty() ? "" : row[0]) + "\n";
  return "<pre class=\"output\" tabindex=\"0\">" + escaped_markup(text) + "</pre>";
}

ASSAY_DETAIL_HEADER_INLINE std::string case_details(const Outcome& outcome, bool with_charts, std::size_t most_rows) {
  std::string markup = "<div class=\"body\">";
  if (quick_pass(outcome))
    markup += "<p class=\"alert\">A quick check (" + escaped_markup(clipped(visible(outcome.label("check")), 80)) +
              "), not a comparison of every element: what it cannot see may still be wrong.</p>";
  if (!outcome.diagnosis.empty()) markup += "<h3>Diagnosis</h3>" + findings_markup(outcome.diagnosis);

  if (!with_charts) {
    if (outcome.tables.size() + outcome.heat_maps.size() + outcome.series.size() > 0)
      markup += "<p class=\"note\">Its tables and charts are in the JSON report; this page would grow too large.</p>";
  } else {
    if (outcome.heat_maps.size() + outcome.series.size() > 0) {
      markup += "<h3>Where, and how far</h3><div class=\"charts\">";
      for (const HeatMap& map : outcome.heat_maps) markup += heat_map_svg(map);
      for (const Series& series : outcome.series)
        markup += is_distribution(series) ? distribution_svg(series) : series_svg(series);
      markup += "</div>";
    }
    for (const Table& table : outcome.tables) {
      if (!table.title.empty()) markup += "<h3>" + escaped_markup(table.title) + "</h3>";
      markup += is_output(table) ? output_markup(table) : table_markup(table, most_rows);
    }
  }
  markup += "<h3>Run it again</h3>";
  if (!outcome.reproduce.empty()) markup += command_markup(outcome.reproduce);
  markup += "<p class=\"note\">seed " + std::to_string(outcome.seed) + "; took " +
            duration_text(outcome.duration_seconds) + "</p>";
  if (!outcome.measurements.empty()) markup += "<h3>Measurements</h3>" + measurements_markup(outcome.measurements);
  if (!outcome.derivation.empty())
    markup += "<h3>How the tolerance came about</h3>" + derivation_markup(outcome.derivation);
  return markup + "</div>";
}

}  // namespace assay::inline v0::detail
