#pragma once

#include "assay/collectives/model/cost_fit.hpp"

#include <algorithm>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Topology CostFit::topology(Index ranks) const {
  Link link;
  link.name = "fitted";
  link.latency_seconds = latency_seconds.estimate;
  link.line_rate = 1 / std::max(seconds_per_byte.estimate, 1e-17);
  Topology flat = flat_topology(ranks, link, launch_seconds.estimate,
                                seconds_per_byte_reduced.estimate > 0 ? 1 / seconds_per_byte_reduced.estimate : 0);
  return flat;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::array<double, 4> terms_of(const Cost& cost) {
  std::array<double, 4> terms{0, 0, 1, 0};
  for (std::size_t i = 0; i < cost.count; ++i) {
    const CostPhase& phase = cost.phases[i];
    terms[0] += phase.messages_inside + phase.messages_between;
    terms[1] += std::max(phase.bytes_inside, phase.bytes_between) / phase.efficiency;
    terms[3] += phase.bytes_reduced;
  }
  return terms;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<CostFit> fit_cost(std::span<const TimedCollective> points,
                                                    const FitOptions& options) {
  std::vector<detail::FitRow<4>> rows;
  CostFit fit;
  fit.least_bytes = std::numeric_limits<double>::infinity();
  for (const TimedCollective& point : points) {
    const std::string what = std::string(name_of(point.operation)) + " of " + detail::short_text(point.bytes) +
                             " bytes on " + std::to_string(point.ranks) + " ranks in " +
                             detail::short_text(point.seconds) + " s";
    if (point.ranks < 2 || !(point.bytes >= 0 && point.bytes < 1e18 && point.seconds > 0 && point.seconds < 1e12))
      return failure(
          ErrorKind::invalid,
          what + " cannot be fitted; give two ranks or more, sizes of 0 or more, times of more than 0, all finite");
    const auto cost = cost_of(point.model, point.operation, point.bytes, flat_topology(point.ranks, Link{}));
    if (!cost)
      return failure(ErrorKind::invalid,
                     what + ": there is no such algorithm as " + std::string(name_of(point.model)) + " for it");
    rows.push_back({detail::terms_of(*cost), point.seconds});
    fit.least_bytes = std::min(fit.least_bytes, point.bytes);
    fit.most_bytes = std::max(fit.most_bytes, point.bytes);
    fit.most_ranks = std::max(fit.most_ranks, point.ranks);
  }
  if (rows.size() < 3)
    return failure(ErrorKind::invalid, std::to_string(rows.size()) +
                                           " points are too few for latency and bandwidth; measure three or more");
  const auto found = detail::fit_rows<4>(rows, options, [](const auto&) { return false; });
  const std::array<FittedNumber*, 4> numbers{&fit.latency_seconds, &fit.seconds_per_byte, &fit.launch_seconds,
                                             &fit.seconds_per_byte_reduced};
  for (std::size_t term = 0; term < 4; ++term) *numbers[term] = found.numbers[term];
  fit.largest_relative_error = found.largest_relative_error;
  fit.median_relative_error = found.median_relative_error;
  return fit;
}

}  // namespace assay::inline v0
