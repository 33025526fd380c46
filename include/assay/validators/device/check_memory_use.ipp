#pragma once

#include "assay/validators/device/check_memory_use.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void judge_memory(const std::vector<MemoryStep>& steps, const std::string& count, bool exact,
                                             std::size_t workspace, Outcome& outcome) {
  Table table{"memory by " + count, {"launch", "before", "most", "after"}, {}};
  std::int64_t most = 0;
  bool grows = true, moves = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    table.rows.push_back({std::to_string(i), std::to_string(steps[i].before - steps[0].before),
                          std::to_string(steps[i].during - steps[0].before),
                          std::to_string(steps[i].after - steps[0].before)});
    most = std::max(most, steps[i].during - steps[i].before);
    if (i == 0) continue;
    grows = grows && steps[i].after > steps[i].before;
    moves = moves || steps[i].after != steps[i].before;
  }
  const std::int64_t kept = steps[0].after - steps[0].before, leaked = steps.back().after - steps[0].after;
  const std::string prefix = exact ? "" : "driver_";
  outcome.measure(prefix + "peak_bytes", static_cast<double>(most), "B");
  outcome.measure(prefix + "kept_bytes", static_cast<double>(kept), "B");
  outcome.measure(prefix + "leaked_bytes", static_cast<double>(leaked), "B");
  outcome.tables.push_back(std::move(table));
  if (kept > 0)
    outcome.diagnosis.push_back("the first launch keeps " + std::to_string(kept) + " bytes by " + count +
                                ", which is no leak as long as later ones use them");
  if (grows || (exact && leaked > 0)) {
    fail(outcome, "memory_leak",
         std::to_string(leaked) + " bytes more are in use by " + count + " after " + std::to_string(steps.size() - 1) +
             " further launches");
  } else if (!exact && moves) {
    outcome.diagnosis.push_back(
        "the driver's count went up and down between launches: another process may use the device");
  }
  if (most > 0 && static_cast<std::size_t>(most) > workspace && (exact || !moves))
    fail(outcome, "too_much_memory",
         "a launch takes " + std::to_string(most) + " bytes by " + count + ", and " + std::to_string(workspace) +
             " are allowed");
}

}  // namespace assay::inline v0::detail
