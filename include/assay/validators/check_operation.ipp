#pragma once

#include "assay/validators/check_operation.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void join_outcome(Outcome& whole, Outcome part, const std::string& output,
                                             bool only_output) {
  const auto rank = [](Verdict verdict) {
    return verdict == Verdict::fail ? 3 : verdict == Verdict::error ? 2 : verdict == Verdict::pass ? 0 : 1;
  };
  if (!only_output) {
    if (!part.reason.empty()) part.reason = output + ": " + part.reason;
    for (std::string& finding : part.diagnosis) finding = output + ": " + finding;
    for (Table& table : part.tables) table.title += " of " + output;
    for (HeatMap& map : part.heat_maps) map.title += " of " + output;
  }
  if (whole.measurements.empty() && whole.reason.empty() && whole.verdict == Verdict::inconclusive) {
    whole = std::move(part);
    return;
  }
  for (const Measurement& measured : part.measurements) {
    const auto known = std::find_if(whole.measurements.begin(), whole.measurements.end(),
                                    [&](const Measurement& entry) { return entry.name == measured.name; });
    if (known == whole.measurements.end())
      whole.measurements.push_back(measured);
    else if (measured.unit == "elements")
      known->value += measured.value;
    else
      known->value = std::max(known->value, measured.value);
  }
  if (rank(part.verdict) > rank(whole.verdict)) {
    whole.verdict = part.verdict;
    whole.reason = part.reason;
  }
  const auto append_all = [](auto& to, auto& from) {
    for (auto& entry : from) to.push_back(std::move(entry));
  };
  append_all(whole.diagnosis, part.diagnosis);
  append_all(whole.tables, part.tables);
  append_all(whole.heat_maps, part.heat_maps);
}

}  // namespace assay::inline v0::detail
