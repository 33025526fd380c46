#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/series.hpp"
#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// The title of a series that is a distribution: each point is a bin, x its upper end in error / allowed (infinite for
/// the last one, if it takes all that is larger or NaN) and y the number of elements in it. x rises.
inline constexpr std::string_view distribution_title = "distribution of error / allowed";

/// Whether a series is to be drawn as a distribution.
[[nodiscard]] inline bool is_distribution(const Series& series) {
  return series.title == distribution_title;
}

/// A distribution of error / allowed as bars with the line at 1; bins above it have the class `above`. Both axes are
/// logarithmic, so that one refuted element among millions shows; a height of one element is never invisible.
/// Bins of no elements, and those that are not numbers, are left out.
[[nodiscard]] std::string distribution_svg(const Series& series);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/distribution_chart.ipp"
#endif
