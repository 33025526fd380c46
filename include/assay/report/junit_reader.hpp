#pragma once

#include <string_view>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"

namespace assay::inline v0 {

/// Reads results in JUnit's XML, as pytest (`--junit-xml`), GoogleTest (`--gtest_output=xml`), CTest
/// (`--output-junit`), Catch2 (`-r junit`) and Assay write it: an outcome a test case, by the id "suite/class/name".
///
/// | in the file | verdict |
/// |---|---|
/// | nothing within the case, and no status or one that says that it ran ("run", "passed", "completed") | pass |
/// | `failure`, or the status or result "fail" or "failed" | fail |
/// | `error` | error |
/// | `skipped`, or the status or result "notrun", "disabled", "skipped" or "suppressed" | skipped |
/// | any other status or result | inconclusive |
///
/// Properties are labels, as is "suite". Of one id that stands there several times (reruns of flaky tests), each is an
/// outcome. A suite that says how many tests it has, and holds fewer, makes the run cut short (`planned_cases`); one
/// that tells of more failures and errors than it holds gets an outcome of its own, an error, "suite/failures".
/// Errors: `malformed`, with the line; no test suite.
[[nodiscard]] Result<Run> run_from_junit(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/junit_reader.ipp"
#endif
