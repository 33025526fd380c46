#pragma once

#include "assay/fleet/roofline/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const BandwidthCeiling& ceiling_named(const RooflineMachine& machine,
                                                                               const std::string& name) {
  for (const BandwidthCeiling& ceiling : machine.ceilings)
    if (ceiling.name == name) return ceiling;
  misuse("roofline: '" + machine.name + "' has no ceiling '" + name + "'; add it to its ceilings");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE double RooflineMachine::ridge(const std::string& ceiling) const {
  return peak / detail::ceiling_named(*this, ceiling).bytes_per_second;
}

ASSAY_DETAIL_HEADER_INLINE Result<RooflineMachine> machine_of(const Chip& chip, const std::string& format) {
  const auto peak = chip.peak(format);
  if (!peak)
    return failure(ErrorKind::unsupported,
                   "'" + chip.name + "' states no peak of '" + format + "'; assay chips show tells which it states");
  if (!chip.memory_bandwidth)
    return failure(ErrorKind::unsupported, "'" + chip.name + "' states no bandwidth of its memory");
  RooflineMachine machine{chip.name, format, *peak, {{"memory", *chip.memory_bandwidth}}, chip.may_gate()};
  if (chip.link_bandwidth) machine.ceilings.push_back({"link", *chip.link_bandwidth / 2});
  return machine;
}

ASSAY_DETAIL_HEADER_INLINE RooflineBound roofline_bound(const OperationWork& work, const RooflineMachine& machine,
                                                        const std::string& ceiling) {
  const BandwidthCeiling& way = detail::ceiling_named(machine, ceiling);
  const double arithmetic = work.flop / machine.peak, movement = work.bytes / way.bytes_per_second;
  RooflineBound bound;
  bound.seconds = std::max(arithmetic, movement);
  bound.by = arithmetic >= movement ? "arithmetic" : way.name;
  bound.operations_per_second = bound.seconds > 0 ? work.flop / bound.seconds : 0;
  return bound;
}

ASSAY_DETAIL_HEADER_INLINE Outcome judge_roofline(const std::string& problem, const OperationWork& work, double seconds,
                                                  const RooflineMachine& machine, double minimum_share) {
  Outcome outcome;
  outcome.id = "roofline/" + machine.name + "/" + machine.format + "/" + problem;
  outcome.labels = {{"chip", machine.name}, {"formats", machine.format}};
  if (!(seconds > 0 && std::isfinite(seconds))) {
    outcome.verdict = Verdict::error;
    outcome.reason = "the time is " + number_text(seconds) + " s; a measured time is more than 0";
    return outcome;
  }
  const RooflineBound bound = roofline_bound(work, machine);
  const double share = bound.seconds / seconds;
  outcome.measure("operations_per_second", work.flop / seconds, "FLOP/s");
  outcome.measure("bytes_per_second", work.bytes / seconds, "B/s");
  outcome.measure("intensity", work.intensity(), "FLOP/B");
  outcome.measure("share_of_ceiling", share);
  outcome.derivation = {"at least " + duration_text(bound.seconds) + ", bound by " + bound.by + "; measured " +
                        duration_text(seconds)};
  for (const BandwidthCeiling& ceiling : machine.ceilings)
    outcome.derivation.push_back(ceiling.name + ": " + number_text(ceiling.bytes_per_second / 1e9) +
                                 " GB/s, ridge at " + number_text(machine.ridge(ceiling.name)) + " FLOP/B");
  const double arithmetic = work.flop / machine.peak / seconds;
  double fastest = 0;
  for (const BandwidthCeiling& ceiling : machine.ceilings) fastest = std::max(fastest, ceiling.bytes_per_second);
  const std::string percent = number_text(share * 100, 3) + " % of the ceiling, which is " + bound.by;
  outcome.verdict = Verdict::pass;
  if (!machine.reliable) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = percent + ", by figures of low confidence";
  } else if (arithmetic > 1.02 || work.bytes / seconds > fastest * 1.02) {
    outcome.verdict = Verdict::fail;
    outcome.reason = percent +
                     ": quicker than the machine can be. The kernel did not run, or not all of it, or its data "
                     "lay in a cache that has no ceiling here";
  } else if (share < minimum_share) {
    outcome.verdict = Verdict::fail;
    outcome.reason = percent + ": below " + number_text(minimum_share * 100) + " %";
  }
  return outcome;
}

}  // namespace assay::inline v0
