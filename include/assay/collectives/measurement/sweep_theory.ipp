#pragma once

#include "assay/collectives/measurement/sweep_theory.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<SweepTheory> measured_theory(AnyCollective& collective, Coordinator& coordinator,
                                                               SweepOptions options) {
  if (collective.size() < 2) return failure(ErrorKind::invalid, "one rank has no link; measure two or more");
  options.operations = {CollectiveOperation::send_receive};
  options.types = {ElementType::float32};
  options.root = 0;
  options.sizes.clear();
  options.least_bytes = 64;
  options.most_bytes = 16 * 1048576.0;
  options.step_factor = 4;
  options.in_place = false;
  options.out_of_place = true;
  const auto result = sweep(collective, coordinator, options);
  if (!result) return result.propagate();
  std::vector<TimedSize> times;
  for (const SweepPoint& point : result.value().points) {
    if (point.error) return failure(point.error->kind, point.error->message);
    times.push_back({point.bytes, point.seconds});
  }
  const auto fit = fit_alpha_beta(times);
  if (!fit) return fit.propagate();
  Link link;
  link.name = "measured";
  link.latency_seconds = fit.value().latency_seconds.estimate;
  link.line_rate = fit.value().seconds_per_byte.estimate > 0 ? 1 / fit.value().seconds_per_byte.estimate : 1e17;
  SweepTheory theory{
      flat_topology(collective.size(), link), {collective.size(), fit.value().least_bytes, fit.value().most_bytes}, {}};
  theory.source = "the link measured by send_receive: " + duration_text(link.latency_seconds) + ", " +
                  number_text(link.line_rate / 1e9) + " GB/s";
  return theory;
}

}  // namespace assay::inline v0
