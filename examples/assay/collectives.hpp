#pragma once

#include <string>

#include "assay/collectives/measurement/sweep_result.hpp"
#include "collectives_options.hpp"

namespace assay_program {

/// Exit codes: 0 right (healthy), 1 something is wrong, 2 it could not be done, or nothing was decided. `command`: as
/// it was typed.
[[nodiscard]] int collectives(const CollectivesOptions& given, const std::string& command);

/// Writes a sweep with the members of nccl-tests'. Errors: as of `write_file`.
[[nodiscard]] assay::Result<void> write_collectives_json(const assay::SweepResult& result, const std::string& path);

/// `assay collectives predict`.
[[nodiscard]] int predict_collectives(const CollectivesOptions& options);

}  // namespace assay_program
