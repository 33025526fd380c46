#pragma once

#include <filesystem>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"

/// What a gate takes as evidence, whoever wrote it; a leaf (component `json`).
namespace assay::inline v0 {

/// Reads a run from a file, in the form that its content tells: Assay's own (assay-run/1), JUnit's XML, or a diagnostic
/// of the Open Compute Project. Errors: `not_found`, `io`, `malformed`; the message names the file.
[[nodiscard]] Result<Run> read_evidence(const std::filesystem::path& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/read_evidence.ipp"
#endif
