#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/release/detail/dashboard_trend.hpp"
#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// "+3.1 %", "−0.4 %".
[[nodiscard]] inline std::string share_text(double share) {
  if (share == 0) return "0 %";
  return (share > 0 ? "+" : "−") + number_text(std::fabs(100 * share), 2) + " %";
}

/// A metric over its runs: medians, the extremes of their samples, levels, and where they change. Unlike other charts
/// its axis does not begin at zero, where a drift of some percent could not be seen.
class TrendChart {
 public:
  explicit TrendChart(const Trend& trend);

  [[nodiscard]] std::string svg() const;

  /// The medians alone, as wide as a word.
  [[nodiscard]] std::string sparkline() const;

 private:
  static constexpr double left = 70, top = 52, width = 490, height = 172;

  [[nodiscard]] double share_of(std::size_t i) const {
    return trend_.points.size() < 2 ? 0.5 : static_cast<double>(i) / static_cast<double>(trend_.points.size() - 1);
  }
  [[nodiscard]] std::string at_x(std::size_t i) const { return coordinate(left + 8 + (width - 16) * share_of(i)); }
  [[nodiscard]] std::string at_y(double y) const { return coordinate(top + height * (1 - scale_.position(y))); }
  /// Before the first point of a level.
  [[nodiscard]] double before(std::size_t i) const {
    return left + 8 + (width - 16) * (share_of(i) + share_of(i - 1)) / 2;
  }

  /// Seconds as ms, µs or ns; other numbers that are long in full, by a power of ten.
  void choose_unit();

  /// Enough digits to tell neighboring ticks apart.
  [[nodiscard]] std::string tick_of(double tick) const;

  [[nodiscard]] std::string labels() const;

  [[nodiscard]] std::string samples() const;

  [[nodiscard]] std::string levels() const;

  [[nodiscard]] std::string steps() const;

  const Trend& trend_;
  ChartScale scale_;
  double factor_ = 1;  ///< of the axis
  std::string unit_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_trend_chart.ipp"
#endif
