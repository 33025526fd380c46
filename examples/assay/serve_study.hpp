#pragma once

#include "assay/serving/load_run.hpp"
#include "serve.hpp"

namespace assay_program {

/// Runs the scenario slt, agent_perf, frontier or endpoints; `plan` has what all requests have in common.
[[nodiscard]] int study_load(ServeSession& session, const ServeOptions& given, assay::LoadPlan plan);

}  // namespace assay_program
