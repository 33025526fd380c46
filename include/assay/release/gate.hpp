#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/release/check_policy.hpp"
#include "assay/release/detail/gate_judge.hpp"
#include "assay/release/gate_report.hpp"
#include "assay/suite/missing_shards.hpp"

namespace assay::inline v0 {

/// A run, and the name by which messages call it: its file.
struct GateInput {
  std::string name;
  Run run;
};

namespace detail {

[[nodiscard]] inline std::string counted(std::size_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

/// Blocked before cannot tell before approved.
void conclude(GateReport& report);

}  // namespace detail

/// Whether a release may go out by the policy, given all results: every outcome of every run counts, the same test on
/// two machines twice.
///
/// - blocked: a hard gate is violated. Cannot tell: none is, but one saw too little, or a run was cut short
///   (`planned_cases`) or is a part (`shard`) of which others were not given, or a combination was `not_run`, or something
///   is `absent`, or there are no results. Approved otherwise. Soft gates never change the verdict.
/// - What is bad for a gate may be let through by a waiver that has not expired on `today`, and a failure of which it
///   was measured that it comes and goes (`attempts` ≥ 2, `failure_rate` < 1) by the quarantine. Neither makes it
///   right: it leaves the count.
/// - A waiver never makes a verdict worse, and no outcome left out of a run brings approval, as the run is then cut
///   short.
///
/// Errors: `invalid`, see `check(GatePolicy)`. O(gates · outcomes · patterns). `not_run`: see
/// `combinations_without_run`; `absent`: see `absent_since`.
[[nodiscard]] Result<GateReport> judge_release(const GatePolicy& policy, const std::vector<GateInput>& inputs,
                                               CalendarDate today = current_date(),
                                               std::vector<std::string> not_run = {},
                                               std::vector<std::string> absent = {});

/// What earlier results have and these have not: ids of outcomes, and values of the labels "device", "rank", "host" and
/// "node", as "case 'gemm/1'", "rank 5". What was tested before and is not now, nobody knows to be right. O(n log n).
[[nodiscard]] std::vector<std::string> absent_since(const std::vector<GateInput>& earlier,
                                                    const std::vector<GateInput>& now);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/gate.ipp"
#endif
