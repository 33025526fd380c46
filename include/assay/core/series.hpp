#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::inline v0 {

/// Points (x, y) of one quantity, without a medium.
struct Series {
  std::string title;
  std::string x_label;  ///< with the unit, if any
  std::string y_label;
  std::vector<std::pair<double, double>> points;
};

}  // namespace assay::inline v0
