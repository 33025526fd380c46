#pragma once

#include <filesystem>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/release/certification_plan.hpp"

namespace assay_program {

/// Runs the stages of a plan one by one, and moves what each found to `folder`/evidence/NAME once it has ended; what a
/// stage that did not end has left stays in `folder`/unfinished/NAME, and is no evidence. A stage that ended before, by
/// the same command of the same program, is not repeated: `folder`/journal.jsonl tells, whose last line may be torn.
/// Gives an outcome `certify/NAME` each: `pass`: it ran to its end, whatever it found; `error`: it did not; `skipped`:
/// no time was left. Errors: `io`.
[[nodiscard]] assay::Result<std::vector<assay::Outcome>> run_plan_stages(const assay::CertificationPlan& plan,
                                                                         const std::filesystem::path& folder);

}  // namespace assay_program
