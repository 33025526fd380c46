#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/detail/account.hpp"
#include "assay/report/detail/xml.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/utc_time.hpp"
#include "assay/report/write_file.hpp"

/// A run as JUnit XML: one document for GitLab, Jenkins (junit and xunit plugins) and the GitHub actions that read
/// JUnit. There is no one standard, so it keeps to what all of them take. It is valid by the schema of Jenkins' xunit
/// plugin (junit-10.xsd) and by that of Apache Ant's reports (Windy Road's JUnit.xsd): properties and output stand at
/// the suite, since those schemas have none at the case; `type` is no word that GitLab's parser takes for the type of
/// the content.
namespace assay::inline v0 {

namespace detail {

struct JunitCounts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void add(std::string_view element) {
    ++tests;
    failures += element == "failure" ? 1 : 0;
    errors += element == "error" ? 1 : 0;
    skipped += element == "skipped" ? 1 : 0;
  }
};

[[nodiscard]] inline bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// One suite, with all that the strictest reader asks of it.
struct JunitSuite {
  std::string name;
  std::string properties, cases, output;
  JunitCounts counts;
  double seconds = 0;

  [[nodiscard]] std::string text(std::size_t id, const Environment& machine) const;
};

}  // namespace detail

/// The run as a JUnit XML document, a suite an operation × backend × formats (sorted), a case an outcome: `classname`
/// is "operation.backend.formats", `name` the rest of the id. XML 1.0 in UTF-8, valid whatever bytes the outcomes hold.
/// O(n log n).
///
/// Nothing undecided reads as passed. `fail` is a failure and `error` an error; `skipped`, `unsupported`,
/// `new_baseline` and `inconclusive` are skipped, with a message that begins with the verdict ("inconclusive: …").
/// Where `require_conclusive` (of the run, or given), an inconclusive case is a failure, as in `Run::exit_code`. A run
/// that was cut short, or that decided nothing, has one suite more, "assay.run", with an error that says so: the
/// document has a failure or an error exactly when the exit code is not 0. The findings, and whose kernels passed, are
/// properties of the first suite.
[[nodiscard]] std::string junit_text(const Run& run, bool require_conclusive = false);

/// Writes `junit_text` to a file, whole or not at all (`write_file`). GitLab asks for the ending .xml.
[[nodiscard]] inline Result<void> write_junit(const Run& run, const std::filesystem::path& path,
                                              bool require_conclusive = false) {
  return write_file(path, junit_text(run, require_conclusive));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/junit.ipp"
#endif
