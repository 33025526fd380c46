#pragma once

#include <cstddef>

#include "assay/performance/history.hpp"
#include "assay/statistics/e_divisive.hpp"

namespace assay::inline v0 {

/// How large a dashboard may grow, and what counts as a change.
struct DashboardOptions {
  std::size_t charted_failures = 12;         ///< with their heat maps and tables
  std::size_t listed_failures = 200;         ///< with a line
  std::size_t matrix_cells = 4096;           ///< beyond these, the matrix is shown over every two of its axes
  std::size_t listed_combinations = 2000;    ///< at most, in the table
  std::size_t bytes_of_details = 6'000'000;  ///< of failing outcomes, in the list of all outcomes
  std::size_t bytes_of_charts = 6'000'000;   ///< of metrics
  SeriesOrder order = SeriesOrder::time;     ///< of the runs of a trend
  double minimum_effect = 0.01;              ///< a change of level by less is not marked, relative
  EDivisiveOptions change_points;            ///< how changes of a history are found
};

}  // namespace assay::inline v0
