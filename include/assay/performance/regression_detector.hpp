#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "assay/performance/regression_judgment.hpp"
#include "assay/performance/run_series.hpp"

namespace assay::inline v0 {

/// Judges from the history of a metric whether its newest runs are worse than its frozen baseline.
///
/// - `name()` tells the method with what of its options matters.
/// - `judge(series)` is a pure function, and may be called from several threads at once. A series that it can say
///   nothing of (no baseline, too few runs, a value that is no finite number) is `rerun` with the reason, never misuse
///   and never `not_regressed`. Options outside their ranges are misuse.
template <class Detector>
concept RegressionDetector = requires(const Detector& detector, const RunSeries& series) {
  { detector.name() } -> std::convertible_to<std::string>;
  { detector.judge(series) } -> std::same_as<RegressionJudgment>;
};

/// Any detector, for lists of them. Copies share it.
class AnyRegressionDetector {
 public:
  /// Takes the detector over.
  template <RegressionDetector Detector>
  requires(!std::same_as<Detector, AnyRegressionDetector>) AnyRegressionDetector(Detector detector)
      : name_(detector.name()),
        judge_([shared = std::make_shared<const Detector>(std::move(detector))](const RunSeries& series) {
          return shared->judge(series);
        }) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] RegressionJudgment judge(const RunSeries& series) const { return judge_(series); }

 private:
  std::string name_;
  std::function<RegressionJudgment(const RunSeries&)> judge_;
};

}  // namespace assay::inline v0
