#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/performance/history.hpp"
#include "assay/release/combination_id.hpp"
#include "assay/release/compatibility_report.hpp"

namespace assay::inline v0 {

/// A run, where it comes from, and of which combination of a version matrix it is.
struct DashboardRun {
  std::string source;            ///< the file; certifications of the compatibility report refer to runs by it
  NamedCombination combination;  ///< empty: of none
  Run run;
};

/// All that a release manager looks at. Any part may be absent, and the page then says nothing of it.
struct Dashboard {
  std::string title;        ///< heads the page
  std::optional<Run> gate;  ///< an answer of the gate: `gate_run(report)`, or a file that `assay gate` wrote
  std::optional<CompatibilityReport> compatibility;
  std::optional<History> history;
  std::vector<DashboardRun> runs;
};

}  // namespace assay::inline v0
