#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "assay/collectives/measurement/nccl_names.hpp"
#include "assay/collectives/measurement/sweep_result.hpp"
#include "assay/collectives/measurement/sweep_table.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

/// The sweep as JSON with the members that nccl-tests writes (-J, -I): "results" of size, count, type, redop, root,
/// out_of_place and in_place (time in µs, alg_bw and bus_bw in GB/s, nwrong), …_per_iter (min_us, p50_us, p99_us,
/// times_us, …); besides, "operation", what was found wrong, and errors.
[[nodiscard]] std::string sweep_json_text(const SweepResult& result);

/// Errors: as of `write_file`.
[[nodiscard]] inline Result<void> write_sweep_json(const SweepResult& result, const std::filesystem::path& path) {
  return write_file(path, sweep_json_text(result));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/sweep_json.ipp"
#endif
