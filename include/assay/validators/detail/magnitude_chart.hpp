#pragma once

#include <string>

#include "assay/report/chart_scale.hpp"
#include "assay/validators/magnitude_distribution.hpp"

namespace assay::inline v0::detail {

/// How many values lie in each binade, as bars of logarithmic height, from the smallest to the largest value.
[[nodiscard]] std::string magnitude_svg(const MagnitudeDistribution& values);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/validators/detail/magnitude_chart.ipp"
#endif
