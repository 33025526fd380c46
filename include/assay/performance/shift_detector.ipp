#pragma once

#include "assay/performance/shift_detector.hpp"

#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string ShiftDetector::name() const {
  std::string method = options.method == ShiftMethod::bootstrap_median ? "bootstrap on "
                       : options.minimum_effect == 0                   ? "Mann-Whitney on "
                                                                       : "Hodges-Lehmann on ";
  for (const std::size_t window : windows) method += (window == windows.front() ? "" : "/") + std::to_string(window);
  return method + " runs, " + detail::percent_text(options.minimum_effect) + " allowed, " +
         detail::percent_text(options.confidence) + (autocorrelated ? ", autocorrelation allowed for" : "");
}

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment ShiftDetector::judge(const RunSeries& series) const {
  expect(!windows.empty() && windows.front() >= 1 &&
             std::adjacent_find(windows.begin(), windows.end(), std::greater_equal<>()) == windows.end(),
         [] { return "ShiftDetector::windows are numbers of runs in ascending order, one at least"; });
  detail::check_regression_options(options);
  RegressionJudgment judgment = detail::begun_judgment(name(), series);
  judgment.reason = detail::why_unfit(series, 1, 1);
  if (!judgment.reason.empty()) return judgment;
  judgment = decided(judged_by_windows(series), name());
  if (judgment.verdict == RegressionVerdict::regressed) judgment.change_point = where_changed(series);
  return judgment;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<RegressionJudgment> ShiftDetector::judged_by_windows(
    const RunSeries& series) const {
  const std::span<const double> later = series.since_baseline();
  std::vector<std::size_t> lengths;
  for (const std::size_t window : windows)
    if (lengths.empty() || lengths.back() < later.size()) lengths.push_back(std::min(window, later.size()));
  RegressionOptions own = options;
  own.confidence = 1 - (1 - options.confidence) / static_cast<double>(lengths.size());
  own.variance_inflation = autocorrelated && series.baseline().size() >= 2 ? variance_inflation(series.baseline()) : 1;
  std::vector<RegressionJudgment> said;
  for (const std::size_t length : lengths)
    said.push_back(judge_regression(series.baseline(), later.last(length), series.direction, own));
  return said;
}

ASSAY_DETAIL_HEADER_INLINE RegressionJudgment ShiftDetector::decided(std::vector<RegressionJudgment> said,
                                                                     std::string method) const {
  std::size_t chosen = said.size() - 1;
  std::optional<double> p_value;
  for (std::size_t i = said.size(); i-- > 0;) {
    if (said[i].verdict == RegressionVerdict::regressed &&
        (said[chosen].verdict != RegressionVerdict::regressed || said[i].lower > said[chosen].lower))
      chosen = i;
    if (said[i].p_value) p_value = std::min(p_value.value_or(1), *said[i].p_value * static_cast<double>(said.size()));
  }
  if (said[chosen].verdict == RegressionVerdict::not_regressed)
    for (std::size_t i = 0; i < said.size(); ++i)
      if (said[i].change > options.minimum_effect && said[i].verdict == RegressionVerdict::rerun) chosen = i;
  RegressionJudgment judgment = std::move(said[chosen]);
  judgment.p_value = p_value;
  judgment.method = std::move(method);
  return judgment;
}

}  // namespace assay::inline v0
