#pragma once

#include "assay/collectives/model/alpha_beta_fit.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<AlphaBetaFit> fit_alpha_beta(std::span<const TimedSize> points,
                                                               const FitOptions& options) {
  std::vector<detail::FitRow<2>> rows;
  AlphaBetaFit fit;
  fit.least_bytes = std::numeric_limits<double>::infinity();
  for (const TimedSize& point : points) {
    if (!(point.bytes >= 0 && point.bytes < 1e18 && point.seconds > 0 && point.seconds < 1e12))
      return failure(ErrorKind::invalid,
                     "a point of " + detail::short_text(point.bytes) + " bytes in " +
                         detail::short_text(point.seconds) +
                         " s cannot be fitted; sizes are 0 or more, times more than 0, both finite");
    rows.push_back({{1, point.bytes}, point.seconds});
    fit.least_bytes = std::min(fit.least_bytes, point.bytes);
    fit.most_bytes = std::max(fit.most_bytes, point.bytes);
  }
  if (rows.empty() || fit.least_bytes == fit.most_bytes)
    return failure(ErrorKind::invalid,
                   std::to_string(rows.size()) +
                       " points of fewer than two sizes tell no latency from bandwidth; measure two sizes or more");
  const auto of_one_size = [](const auto& drawn) {
    return std::all_of(drawn.begin(), drawn.end(), [&](const auto& row) { return row.terms[1] == drawn[0].terms[1]; });
  };
  const auto found = detail::fit_rows<2>(rows, options, of_one_size);
  fit.latency_seconds = found.numbers[0];
  fit.seconds_per_byte = found.numbers[1];
  fit.largest_relative_error = found.largest_relative_error;
  fit.median_relative_error = found.median_relative_error;
  return fit;
}

}  // namespace assay::inline v0
