#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"

namespace assay::inline v0 {

/// A point with a name.
struct ScatterPoint {
  std::string name;
  double x = 0;         ///< on the axis
  double y = 0;         ///< beyond the chart's limit: at the upper edge
  double low = 0;       ///< a line leads down to it; no line if it is y or NaN
  bool marked = false;  ///< filled, its name in full strength, and joined with the other marked ones by a line
  std::string note;     ///< shown where the pointer rests
  double high = -std::numeric_limits<double>::infinity();  ///< a line leads up to it, where it is above y
};

/// Named points. The x axis is linear, or logarithmic with ticks at 2^n and 3·2^n.
struct ScatterChart {
  std::string title;    ///< above the chart
  std::string x_label;  ///< with the unit, if any
  std::string y_label;  ///< with its unit
  std::vector<ScatterPoint> points;
  bool logarithmic_x = false;                                ///< points whose x is not above 0 have no place then
  double y_limit = std::numeric_limits<double>::infinity();  ///< points beyond it stand on a line above all others
  bool from_zero = true;                                     ///< the y axis has 0 on it; else what there is alone
};

namespace detail {

/// Where the names of points stand: to the right of each bunch of points, as near to their heights as they can without
/// overlap (least squares: neighbors that are too near form a block, which stands at the mean of what its members
/// want).
struct ScatterLabels {
  std::vector<double> x, y;

  ScatterLabels(const std::vector<double>& xs, const std::vector<double>& ys, double line_height, double bunch_gap,
                double top, double bottom);

 private:
  struct Block {
    double sum;  ///< of where the first label would stand, by each member
    std::size_t count;
    [[nodiscard]] double first() const { return sum / static_cast<double>(count); }
  };

  void place(const std::vector<std::size_t>& bunch, const std::vector<double>& ys, double line_height, double top,
             double bottom);
};

}  // namespace detail

/// The points as SVG, colored by the page's classes axis, grid, line, whisker, leader, best, other. Points without
/// finite x, or whose y is NaN or −infinity, are left out, and the note says so.
[[nodiscard]] std::string scatter_svg(const ScatterChart& chart);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/scatter_chart.ipp"
#endif
