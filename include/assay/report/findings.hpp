#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/core/table.hpp"

namespace assay::inline v0 {

namespace detail {

/// The same for two failures that are, as far as each tells by itself, of one finding.
[[nodiscard]] std::string finding_key(const Outcome& outcome);

/// The label "family" of an outcome, or else its operation.
[[nodiscard]] std::string family_of(const Outcome& outcome);

/// The label "backend"; "-" where there is none.
[[nodiscard]] std::string backend_of(const Outcome& outcome);

}  // namespace detail

/// Failures of one cause: what a reader acts on. A hundred failures are a few findings.
struct Finding {
  Verdict verdict = Verdict::fail;  ///< `fail` or `error`
  std::string backend;              ///< whose kernels
  std::string family;               ///< of operations: the label "family", or else the operation
  /// "special_value, nan_lost", as the diagnosis has it, whatever the operand; where nothing was diagnosed, what was
  /// seen.
  std::string cause;
  std::string confidence;            ///< of the surest diagnosis: "certain", "likely", "possible"; empty: none
  std::string account;               ///< the evidence of that diagnosis, or the reason of the example
  std::vector<std::size_t> members;  ///< positions of the outcomes in the run, the example first; never empty
  /// How many of them were not diagnosed, since the budget of diagnoses was spent (label diagnosis=omitted), and are
  /// counted here since they share operation and data with failures that were. A failure whose diagnosis found nothing
  /// is no such one: its cause is what was seen.
  std::size_t counted = 0;
  std::vector<std::pair<std::string, std::size_t>> operations;  ///< how many failures each has, most first
};

/// What failed or erred in a run, grouped by backend, cause and family of operations. The most telling first:
/// how many failures it has, times how grave they are, from crashes and damaged memory (8) over wrong numbers (4) and
/// lost precision (2) to mishandled special values (1); half of it where the cause is merely possible. O(n log n).
[[nodiscard]] std::vector<Finding> findings_of(const Run& run);

/// "permute on onednn", or what was checked alone where it belongs to no backend.
[[nodiscard]] std::string subject_of(const Finding& finding);

/// "13 x permute on onednn: special_value, bits_of_equal_numbers (certain)", with the multiplication sign.
[[nodiscard]] std::string heading_of(const Finding& finding);

/// "reduce_minimum 8, sqrt 1": at most `most` operations, then how many more there are.
[[nodiscard]] std::string operations_text(const Finding& finding, std::size_t most = 4);

/// The example of a finding: the outcome that shows it best.
[[nodiscard]] inline const Outcome& example_of(const Finding& finding, const Run& run) {
  return run.outcomes[finding.members.front()];
}

/// Whose kernels passed, whose failed, and whose decided nothing, a line each: "failed: eigen (96 of 8122 cases),
/// onednn (138 of 8384)"; what belongs to no backend by its operation. Lines that name nobody are left out. Then by
/// which known properties of a unit cases passed (label `judged_with`), a line each, at most two: "judged with:
/// subnormals of bf16 dot products are flushed (documented by ...): 12 cases passed by it".
[[nodiscard]] std::vector<std::string> standing_of_backends(const Run& run);

/// At most `most_lines` lines for people: whose kernels passed and whose failed, then of each finding a line that says
/// what it is and one with the command that runs its example again, then what has no room. A line of words is at most
/// `width` wide; commands are whole. If nothing failed, only what was judged with known properties of a unit.
/// Precondition: `most_lines` is 6 or more.
[[nodiscard]] std::vector<std::string> findings_lines(const Run& run, std::size_t most_lines = 25,
                                                      std::size_t width = 160);

/// Findings as a table without a medium, in their order.
[[nodiscard]] Table findings_table(const std::vector<Finding>& findings, const Run& run);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/findings.ipp"
#endif
