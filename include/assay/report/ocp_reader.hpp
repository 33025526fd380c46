#pragma once

#include <string_view>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"

/// Runs in the output format of the Open Compute Project's Test & Validation, read; a leaf (component `json`).
namespace assay::inline v0 {

/// Reads the lines of a diagnostic (ocp-diag-core, version 2.x): an outcome a test step, by the id "run/step", with its
/// measurements.
///
/// | of the step | verdict |
/// |---|---|
/// | a diagnosis FAIL, or a measurement or element of a series outside its validators | fail |
/// | an error, or it ends with the status ERROR | error |
/// | it ends with the status SKIP | skipped |
/// | it never ends, or has no diagnosis but UNKNOWN, and no validator | inconclusive |
/// | a diagnosis PASS, or measurements all within their validators | pass |
///
/// Inconclusive, too, is a step some of whose validators cannot be computed, or elements of whose series are missing.
/// The run itself is an outcome, "run", where it erred, failed or never ended, or numbers are missing from the
/// sequence: what its steps do not say. "dutInfo" is the environment. Errors: `malformed`, with the line; another
/// major version.
[[nodiscard]] Result<Run> run_from_ocp(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/ocp_reader.ipp"
#endif
