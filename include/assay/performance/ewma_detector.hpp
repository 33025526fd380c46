#pragma once

#include <cstddef>
#include <string>

#include "assay/performance/detail/charted_series.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_distance.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/ewma.hpp"

namespace assay::inline v0 {

/// An exponentially weighted average of the distances from the frozen baseline: `regressed` while it stands beyond its
/// limit. What is said of `CusumDetector` holds here. O(n log n).
struct EwmaDetector {
  EwmaOptions chart;  ///< when it alarms
  RunDistance distance;
  std::size_t baseline_runs = 10;  ///< runs that the baseline needs

  [[nodiscard]] std::string name() const {
    return std::string(distance.robust ? "robust " : "") + "EWMA λ " + detail::short_text(chart.weight) + ", L " +
           detail::short_text(chart.limit) + (distance.autocorrelated ? ", autocorrelation allowed for" : "");
  }
  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const {
    RegressionJudgment judgment = detail::begun_chart(name(), series, baseline_runs);
    if (!judgment.reason.empty()) return judgment;
    EwmaChart average(chart);
    std::size_t crossed = 0;  // where the average last was on the good side of 0
    for (const double z : distance.of(series)) {
      const double before = average.average();
      average.add(z);
      if (before * average.average() <= 0) crossed = average.count() - 1;
    }
    return detail::charted(std::move(judgment), series, average.rise(), average.fall(), crossed);
  }
};

}  // namespace assay::inline v0
