#pragma once

#include "assay/release/detail/dashboard_trends.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string DashboardTrends::section() const {
  constexpr std::size_t most_open = 4;
  std::string text = "<section id=\"trends\"><h2>Trends <small>" + std::to_string(trends_.size()) +
                     "</small></h2>\n<p>" + counted(history_.runs.size(), "run") + ", " +
                     counted(trends_.size(), "metric") + ": the level of " +
                     (changed_ == 0 ? "none" : std::to_string(changed_)) + " changed by " +
                     number_text(100 * options_.minimum_effect) + " % or more.</p>\n";
  for (const std::string& warning : history_.warnings)
    text += "<p class=\"alert\">" + escaped_markup(clipped(visible(warning), 600)) + "</p>\n";
  text +=
      "<p id=\"trend-search\" class=\"field\"><label for=\"metrics\">Metrics whose name has</label><input "
      "id=\"metrics\" type=\"search\" "
      "autocomplete=\"off\"></p>\n";
  std::size_t charts = 0, bytes = 0;
  for (const Trend& trend : trends_) {
    const bool open = charts < most_open && !trend.steps.empty();
    const std::string markup = metric(trend, open, bytes < options_.bytes_of_charts);
    bytes += markup.size();
    ++charts;
    text += markup;
  }
  return text + "</section>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardTrends::change(const Trend& trend) {
  if (trend.steps.empty()) return "<span class=\"change-note\">level</span>";
  const char* style = trend.worsening > 0 ? "fail" : "pass";
  return std::string("<span class=\"change-note ") + style + "\">" +
         share_text(std::fabs(trend.worsening)).substr(trend.worsening == 0 ? 0 : 1) +
         (trend.worsening > 0 ? " worse" : " better") + "</span>";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardTrends::metric(const Trend& trend, bool open, bool with_chart) {
  const HistorySeries& series = *trend.series;
  const std::string name =
      "<span class=\"who\"><span class=\"id\">" + escaped_markup(clipped(visible(series.key), 300)) + "</span></span>";
  if (trend.points.empty())
    return "<div class=\"row metric\">" + name + "<span class=\"time\">no numbers</span></div>\n";
  const TrendChart chart(trend);
  const std::string line = name + (with_chart ? chart.sparkline() : "<span></span>") + change(trend) +
                           "<span class=\"time\">" +
                           escaped_markup(quantity_text(trend.points.back().median, series.unit)) + "</span>";
  if (!with_chart) return "<div class=\"row metric\">" + line + "</div>\n";
  return "<details class=\"case metric\"" + std::string(open ? " open" : "") + "><summary>" + line +
         "</summary><div class=\"body\"><figure class=\"chart\">" + chart.svg() + "</figure>" + steps(trend) +
         "</div></details>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardTrends::steps(const Trend& trend) {
  const auto level = [&](std::size_t i) { return escaped_markup(quantity_text(trend.levels[i], trend.series->unit)); };
  std::string text = "<ul class=\"findings\">";
  for (std::size_t i = 0; i < trend.steps.size(); ++i) {
    const TrendStep& step = trend.steps[i];
    text += "<li>" + share_text(std::fabs(step.worsening)).substr(1) + (step.worsening > 0 ? " worse" : " better") +
            " from " + escaped_markup(clipped(visible(trend.points[step.position].label), 60)) + " on: " + level(i) +
            " → " + level(i + 1) + "</li>";
  }
  if (trend.steps.size() > 1)
    text += "<li>" + share_text(std::fabs(trend.worsening)).substr(trend.worsening == 0 ? 0 : 1) +
            (trend.worsening > 0 ? " worse" : " better") + " in all, from the first level to the last</li>";
  if (trend.left_out > 0) text += "<li>" + counted(trend.left_out, "run") + " without numbers left out</li>";
  for (std::size_t i = trend.series->points.size(); i-- > 0;)
    if (!trend.series->points[i].note.empty()) {
      text += "<li>" + escaped_markup(clipped(visible(trend.series->points[i].note), 300)) + "</li>";
      break;
    }
  return text == "<ul class=\"findings\">" ? "" : text + "</ul>";
}

}  // namespace assay::inline v0::detail
