#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/performance/history.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/release/detail/dashboard_trend.hpp"
#include "assay/release/detail/dashboard_trend_chart.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// All metrics, those whose level changed first, the worst of them open.
class DashboardTrends {
 public:
  DashboardTrends(const History& history, const DashboardOptions& options)
      : history_(history), options_(options), trends_(trends_of(history, options)) {
    for (const Trend& trend : trends_) changed_ += trend.steps.empty() ? 0 : 1;
  }

  /// Metrics whose level changed.
  [[nodiscard]] std::size_t changed() const { return changed_; }
  [[nodiscard]] std::size_t size() const { return trends_.size(); }

  [[nodiscard]] std::string section() const;

 private:
  [[nodiscard]] static std::string change(const Trend& trend);

  [[nodiscard]] static std::string metric(const Trend& trend, bool open, bool with_chart);

  [[nodiscard]] static std::string steps(const Trend& trend);

  const History& history_;
  const DashboardOptions& options_;
  std::vector<Trend> trends_;
  std::size_t changed_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_trends.ipp"
#endif
