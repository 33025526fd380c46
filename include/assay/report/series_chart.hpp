#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/series.hpp"
#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"

namespace assay::inline v0 {

/// A series as SVG with axes, colored by the page's classes axis, grid, line, dot. Beyond 400 points every k-th is
/// drawn, and the note says so; points that are not finite leave a gap.
[[nodiscard]] std::string series_svg(const Series& series);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/series_chart.ipp"
#endif
