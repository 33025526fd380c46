#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/result.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay report` is asked for where it is to make a dashboard.
struct DashboardCommandOptions {
  std::string history;               ///< .jsonl or .sqlite
  std::string matrix;                ///< axes and rules
  std::vector<std::string> results;  ///< folders of combinations
  std::string gate;                  ///< the report.json of assay gate
  std::string title;
  std::string order = "time";  ///< of the runs of trends: time or version
  bool pairs = false;          ///< the matrix promises pairs of values, not every combination

  /// Whether it is one at all, and not one run in another format.
  [[nodiscard]] bool asked() const { return !history.empty() || !matrix.empty() || !results.empty() || !gate.empty(); }
};

/// Adds the options to `assay report`.
void add_dashboard_options(CLI::App& report, DashboardCommandOptions& options);

/// What the options must agree on, with the number of runs and formats that were named.
[[nodiscard]] assay::Result<void> check_dashboard_options(const DashboardCommandOptions& options, std::size_t runs,
                                                          bool formats);

}  // namespace assay_program
