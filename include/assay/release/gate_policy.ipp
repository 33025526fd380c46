#pragma once

#include "assay/release/gate_policy.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE GateTreatment GateTreatments::of(Verdict verdict) const noexcept {
  switch (verdict) {
    case Verdict::skipped: return skipped;
    case Verdict::unsupported: return unsupported;
    case Verdict::inconclusive: return inconclusive;
    case Verdict::new_baseline: return new_baseline;
    default: return error == GateTreatment::ignored ? GateTreatment::bad : error;
  }
}

ASSAY_DETAIL_HEADER_INLINE bool GateSelection::takes(const Outcome& outcome) const {
  if (!ids.empty() && !detail::any_glob(ids, outcome.id)) return false;
  for (const auto& [name, values] : labels) {
    const auto label = outcome.labels.find(name);
    if (label == outcome.labels.end() || !detail::any_glob(values, label->second)) return false;
  }
  return exclude.empty() || !detail::any_glob(exclude, outcome.id);
}

}  // namespace assay::inline v0
