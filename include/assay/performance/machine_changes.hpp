#pragma once

#include <string>
#include <vector>

#include "assay/performance/history_baseline.hpp"

namespace assay::inline v0 {

/// What of the machine was not the same in the runs of the baseline and in the newest ones: "host: lab1; newest lab2",
/// for host, operating system, processor, devices and drivers. Empty where nothing that both say differs. All series
/// count; of the later runs, the newest 20 of each. O(points · log points).
[[nodiscard]] std::vector<std::string> machine_changes(const History& history, const HistoryBaseline& baseline);

/// Where the clock of a machine seems to have gone back: a run that was appended behind a later one of the same host.
/// Older results that were imported afterwards look the same. Empty: nowhere. O(runs).
[[nodiscard]] std::string clock_that_went_back(const History& history);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/machine_changes.ipp"
#endif
