#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "assay/performance/regression.hpp"
#include "assay/performance/run_series.hpp"

namespace assay::inline v0::detail {

/// The runs from the last change point on against the baseline; `regressed` only if there is a change point since the
/// baseline.
[[nodiscard]] RegressionJudgment judge_last_segment(const RunSeries& series, std::optional<std::size_t> change_point,
                                                    const RegressionOptions& options, const std::string& method);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/last_segment.ipp"
#endif
