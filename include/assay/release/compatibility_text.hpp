#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/table.hpp"
#include "assay/release/compatibility_grid.hpp"
#include "assay/release/compatibility_report.hpp"
#include "assay/report/markdown_text.hpp"
#include "assay/report/text_table.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::string values_text(const CompatibilityReport& report, const CompatibilityEntry& entry) {
  std::string text;
  for (std::size_t axis = 0; axis < report.axes.size(); ++axis)
    text += (axis == 0 ? "" : " ") + report.axes[axis].name + "=" + entry.values[axis];
  return text;
}

}  // namespace detail

/// "81 combinations: 70 certified, 2 failed, 1 conflict, 8 holes".
[[nodiscard]] std::string compatibility_line(const CompatibilityReport& report);

/// Certified of promised, by the values of two axes.
[[nodiscard]] Table grid_table(const CompatibilityGrid& grid);

/// Combinations with who certified them, when and where; what is wrong first, holes last. At most `most` rows.
[[nodiscard]] Table certification_table(const CompatibilityReport& report, std::size_t most);

/// The report in a screen: a line, the grid if there are two axes, what is wrong and what is missing.
[[nodiscard]] std::vector<std::string> compatibility_lines(const CompatibilityReport& report,
                                                           const CompatibilityGrid* grid, std::size_t most_named = 10);

/// The report in GitHub Flavored Markdown, at most 1000 combinations by name; whatever results hold shows as text.
[[nodiscard]] std::string compatibility_markdown(const CompatibilityReport& report, const CompatibilityGrid* grid);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/compatibility_text.ipp"
#endif
