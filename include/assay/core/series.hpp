#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::inline v0 {

/// Points (x, y) of one quantity, without a medium.
struct Series {
  std::string title;                              ///< what is shown
  std::string x_label;                            ///< with the unit, if any
  std::string y_label;                            ///< with its unit
  std::vector<std::pair<double, double>> points;  ///< (x, y), in the order in which they are joined
};

}  // namespace assay::inline v0
