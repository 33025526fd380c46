#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/detail/account.hpp"
#include "assay/report/json.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/utc_time.hpp"
#include "assay/report/write_file.hpp"

/// A run in the output format of the Open Compute Project's Test & Validation (ocp-diag-core, version 2.0), which
/// executives of hardware tests and fleets read.
namespace assay::inline v0 {

namespace detail {

/// Lines of JSON, numbered and stamped. ASCII only, so that no reader takes a character for the end of a line.
class OcpLines {
 public:
  std::string text;
  UtcTime time;

  void add(OrderedJson artifact) {
    artifact["sequenceNumber"] = number_++;
    artifact["timestamp"] = utc_text(time);
    text.append(artifact.dump(-1, ' ', true, OrderedJson::error_handler_t::replace)).append("\n");
  }
  void run(const char* kind, OrderedJson content) { add({{"testRunArtifact", {{kind, std::move(content)}}}}); }
  void step(const std::string& id, const char* kind, OrderedJson content) {
    add({{"testStepArtifact", {{"testStepId", id}, {kind, std::move(content)}}}});
  }

 private:
  std::size_t number_ = 0;
};

}  // namespace detail

/// The run as lines of JSON: the schema's version, the start of the run with the machine (`dutInfo`), a test step an
/// outcome with its measurements and its diagnosis, the end of the run. O(n).
///
/// | verdict | diagnosis | step ends |
/// |---|---|---|
/// | pass, fail | PASS, FAIL | COMPLETE |
/// | inconclusive, new_baseline | UNKNOWN | COMPLETE |
/// | error | none, but an `error` | ERROR |
/// | skipped, unsupported | none, but a `log` with the reason | SKIP |
///
/// The run ends COMPLETE / FAIL if a case failed, else COMPLETE / PASS if `Run::exit_code(require_conclusive)` is 0,
/// else ERROR / NOT_APPLICABLE if a case erred (or, where `require_conclusive`, was inconclusive), else SKIP /
/// NOT_APPLICABLE: it was cut short or decided nothing. Whatever the end, an `error` of the run tells of the latter
/// two. `worst_error_ratio` has the validator ≤ 1. Numbers that are not finite are the strings of the JSON report,
/// without a validator. Outcomes hold durations but no times of day: the timestamps lay them end to end from the start
/// of the run (1970 if it is not known), which for cases that ran in parallel is later than they ended.
[[nodiscard]] std::string ocp_text(const Run& run, bool require_conclusive = false);

/// Writes `ocp_text` to a file, whole or not at all (`write_file`). The customary ending is .jsonl.
[[nodiscard]] inline Result<void> write_ocp(const Run& run, const std::filesystem::path& path,
                                            bool require_conclusive = false) {
  return write_file(path, ocp_text(run, require_conclusive));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/ocp.ipp"
#endif
