#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/detail/account.hpp"
#include "assay/report/json.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/utc_time.hpp"
#include "assay/report/write_file.hpp"

/// What a run found wrong as SARIF 2.1.0 (OASIS), for GitHub code scanning and other viewers of findings.
namespace assay::inline v0 {

/// GitHub refuses a file with more results than this.
inline constexpr std::size_t sarif_most_results = 25'000;

namespace detail {

/// A message in SARIF doubles braces, which otherwise stand for arguments (SARIF 2.1.0, 3.11.5).
[[nodiscard]] inline OrderedJson sarif_message(std::string_view text) {
  std::string message;
  for (const char letter : text) message.append(letter == '{' || letter == '}' ? 2 : 1, letter);
  return {{"text", std::move(message)}};
}

/// "assay/" and the id, percent-encoded, as a path below the root of the repository: GitHub takes no other address.
[[nodiscard]] std::string sarif_uri(std::string_view id);

/// FNV-1a (64 bit) in hexadecimal: the same for the same text on every machine and in every version.
[[nodiscard]] std::string sarif_fingerprint(std::string_view text);

/// The rules that a run broke, each once, in the order of their names.
class SarifRules {
 public:
  static std::string id_of(const Outcome& outcome) {
    const std::string operation = outcome.label("operation");
    return std::string(operation.empty() ? "case" : operation).append("/").append(name_of(outcome.verdict));
  }

  void add(const std::string& id, std::string_view level, std::string_view description);
  [[nodiscard]] OrderedJson json();
  [[nodiscard]] std::size_t index(const std::string& id) const { return index_.at(id); }

 private:
  std::map<std::string, OrderedJson> rules_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace detail

/// The run as a SARIF 2.1.0 log with one run. A result is a case that failed (level error), erred (error) or was
/// inconclusive (warning); what passed, was skipped or is unsupported is counted in the invocation's properties and is
/// no result, because viewers show a result of any kind as something found.
/// - `ruleId` is "operation/verdict" and stays the same from run to run; `partialFingerprints` depend on rule and id
///   alone.
/// - There is no source file to point to, but GitHub asks for one: `physicalLocation` names the path "assay/<id>",
///   which does not exist, line 1. `logicalLocations` holds the id itself.
/// - A run that was cut short, or that decided nothing, has a result of the rule "run/shortfall", an error
///   notification, and `executionSuccessful` false: readers that compare with an earlier run would otherwise take what
///   did not run for mended. (GitHub may refuse such a file whole, and then closes no alerts.) Failures and errors of
///   cases leave it true: they are results.
/// - `exitCode` is `Run::exit_code(require_conclusive)`.
/// - At most `sarif_most_results` results, failures and errors first; a notification tells what was left off. O(n log
///   n).
[[nodiscard]] std::string sarif_text(const Run& run, bool require_conclusive = false);

/// Writes `sarif_text` to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_sarif(const Run& run, const std::filesystem::path& path,
                                              bool require_conclusive = false) {
  return write_file(path, sarif_text(run, require_conclusive));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/sarif.ipp"
#endif
