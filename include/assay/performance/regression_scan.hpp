#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "assay/backends/thread_pool.hpp"
#include "assay/performance/detail/regression_text.hpp"
#include "assay/performance/regression_detector.hpp"
#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_series.hpp"
#include "assay/statistics/benjamini_hochberg.hpp"

namespace assay::inline v0 {

/// How a history is looked through.
struct RegressionScanOptions {
  /// Of all metrics called regressed, this share may be so by chance.
  double false_discovery_rate = 0.05;
  unsigned threads = 0;  ///< 0: one for each logical processor
};

namespace detail {

/// `work(i)` for every i below `count`, in threads; the first exception that leaves it comes out here.
template <class Work>
void for_each_of(std::size_t count, unsigned threads, const Work& work) {
  ThreadPool pool(threads);
#if defined(__cpp_exceptions)
  std::mutex mutex;
  std::exception_ptr broken;
  std::atomic<bool> stopped{false};
  pool.for_each_index(count, [&](std::size_t i) {
    if (stopped) return;
    try {
      work(i);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!broken) broken = std::current_exception();
      stopped = true;
    }
  });
  if (broken) std::rethrow_exception(broken);
#else
  pool.for_each_index(count, work);
#endif
}

}  // namespace detail

/// The judgment of every series, in their order, by one detector in several threads, corrected for their number after
/// Benjamini and Hochberg: who looks at a thousand metrics sees some change by chance every night. What is `regressed`
/// alone but not among all is `rerun`, with the reason. Pass all metrics that were measured, not those that look bad.
///
/// Detectors whose judgments have no p-value (thresholds, charts) are not corrected: their false alarms grow with the
/// number of metrics. O(what the detector takes of all series / threads). Misuse: a false discovery rate outside (0,
/// 1), and what the detector calls misuse.
template <RegressionDetector Detector>
[[nodiscard]] std::vector<RegressionJudgment> scan_regressions(std::span<const RunSeries> series,
                                                               const Detector& detector,
                                                               const RegressionScanOptions& options = {}) {
  detail::expect_share(options.false_discovery_rate, "RegressionScanOptions::false_discovery_rate");
  std::vector<RegressionJudgment> judgments(series.size());
  detail::for_each_of(series.size(), options.threads, [&](std::size_t i) { judgments[i] = detector.judge(series[i]); });

  std::vector<std::size_t> tested;
  std::vector<double> p_values;
  for (std::size_t i = 0; i < judgments.size(); ++i)
    if (judgments[i].p_value) {
      tested.push_back(i);
      p_values.push_back(*judgments[i].p_value);
    }
  const std::vector<double> adjusted = benjamini_hochberg(p_values);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    RegressionJudgment& judgment = judgments[tested[i]];
    judgment.p_value = adjusted[i];
    if (judgment.verdict != RegressionVerdict::regressed || adjusted[i] <= options.false_discovery_rate) continue;
    judgment.verdict = RegressionVerdict::rerun;
    judgment.reason += "; among " + std::to_string(tested.size()) + " metrics as much comes by chance (adjusted p " +
                       detail::short_text(adjusted[i]) + "): measure this one again";
  }
  return judgments;
}

}  // namespace assay::inline v0
