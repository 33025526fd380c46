#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/report/detail/html_derivation.hpp"
#include "assay/report/detail/html_measurements.hpp"
#include "assay/report/distribution_chart.hpp"
#include "assay/report/heat_map_chart.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/series_chart.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// The line of a case: verdict, id, badges, reason, error / allowed, time. `most_reason`: code points of the reason.
[[nodiscard]] std::string case_line(const Outcome& outcome, std::size_t most_reason);

/// Lines as a list. Of an entry of several lines all but the first are set as they were printed.
[[nodiscard]] std::string findings_markup(const std::vector<std::string>& findings);

/// What a case had printed, which comes as a table of one column, as it was printed.
[[nodiscard]] inline bool is_output(const Table& table) {
  return table.columns.size() == 1 && table.title.rfind("last output", 0) == 0;
}
/// All that is known of a case. Without charts it says that the JSON report holds them.
[[nodiscard]] std::string case_details(const Outcome& outcome, bool with_charts, std::size_t most_rows);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/html_case.ipp"
#endif
