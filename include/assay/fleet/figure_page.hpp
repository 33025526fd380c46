#pragma once

#include <string>
#include <vector>

#include "assay/core/table.hpp"

namespace assay::inline v0 {

/// A bar of a chart: parts beside each other from 0 on.
struct Bar {
  /// One color of it.
  struct Part {
    std::string name;   ///< "weights"; parts of one name have one color
    double length = 0;  ///< 0 or more, in the chart's unit
  };

  std::string name;          ///< at its left
  std::vector<Part> parts;   ///< in their order
  double limit = 0;          ///< a line across the bar, as of the memory that there is; 0: none
  double low = 0, high = 0;  ///< an interval about its end; equal: none
};

/// Bars below each other on one scale, each with its length as text, in one SVG figure with a legend. Bars that are
/// not finite are named below. `unit` is of all lengths.
[[nodiscard]] std::string bar_svg(const std::string& title, const std::string& unit, const std::vector<Bar>& bars);

/// A page that loads nothing: a picture, tables, sentences below.
[[nodiscard]] std::string figure_page(const std::string& title, const std::string& picture,
                                      const std::vector<Table>& tables, const std::vector<std::string>& notes);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/figure_page.ipp"
#endif
