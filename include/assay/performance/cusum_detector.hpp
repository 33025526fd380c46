#pragma once

#include <cstddef>
#include <string>

#include "assay/performance/detail/charted_series.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_distance.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/cusum.hpp"

namespace assay::inline v0 {

/// A cumulative sum of the distances from the frozen baseline: `regressed` while the chart stands beyond its limit. It
/// finds what a single run does not show, and tells where it began. Its false alarms are promised (`CusumChart`) for a
/// baseline that is known, which takes a hundred runs; with thirty they are some times as many. Never `rerun` but for
/// too few runs: a chart has no third answer. O(n log n).
struct CusumDetector {
  CusumOptions chart;
  RunDistance distance;
  std::size_t baseline_runs = 10;  ///< fewer are too few

  [[nodiscard]] std::string name() const {
    return std::string(distance.robust ? "robust " : "") + "CUSUM k " + detail::short_text(chart.allowance) + ", h " +
           detail::short_text(chart.limit) + (distance.autocorrelated ? ", autocorrelation allowed for" : "");
  }
  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const {
    RegressionJudgment judgment = detail::begun_chart(name(), series, baseline_runs);
    if (!judgment.reason.empty()) return judgment;
    CusumChart worse(chart), better(chart);
    for (const double z : distance.of(series)) {
      worse.add(z);
      better.add(-z);
    }
    return detail::charted(std::move(judgment), series, worse.alarmed(), better.alarmed(),
                           worse.alarmed() ? worse.start() : better.start());
  }
};

}  // namespace assay::inline v0
