#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/release/certification_plan.hpp"

namespace assay_program {

/// Which stages of a plan run here, and how many of them side by side.
struct StageOrders {
  assay::Shard shard;
  unsigned jobs = 1;  ///< at most; a stage that measures runs alone, whatever this says
};

/// `certify/NAME`, labelled with the stage.
[[nodiscard]] assay::Outcome outcome_of_stage(const std::string& name);
/// "3.2 s", "14 min".
[[nodiscard]] std::string time_text(double seconds);

/// Begins the stages of a plan in their order, and moves what each found to `folder`/evidence/NAME once it has ended;
/// what a stage that did not end has left stays in `folder`/unfinished/NAME, and is no evidence. A stage that measures
/// begins when all before it have ended, and the next begins when it has ended. A stage that ended before, by the same
/// command of the same program, is not repeated: the journal tells. Gives an outcome `certify/NAME` each, with the
/// measurements `start` and `end` in seconds since the first stage began: `pass`: it ran to its end, whatever it found;
/// `error`: it did not; `skipped`: no time was left. Errors: `io`, and `invalid` where another process works in the
/// folder.
[[nodiscard]] assay::Result<std::vector<assay::Outcome>> run_plan_stages(const assay::CertificationPlan& plan,
                                                                         const std::filesystem::path& folder,
                                                                         const StageOrders& orders);

}  // namespace assay_program
