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
/// | nothing within the case | pass |
/// | `failure` | fail |
/// | `error` | error |
/// | `skipped`, or a status other than run ("notrun", "disabled") | skipped |
///
/// Properties are labels, as is "suite". Of one id that stands there several times (reruns of flaky tests), each is an
/// outcome. A suite that says how many tests it has, and holds fewer, makes the run cut short (`planned_cases`).
/// Errors: `malformed`, with the line; no test suite.
[[nodiscard]] Result<Run> run_from_junit(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/junit_reader.ipp"
#endif
