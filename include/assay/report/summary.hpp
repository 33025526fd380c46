#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// The outcomes of one backend × operation × formats, counted.
struct SummaryRow {
  std::string backend;
  std::string operation;
  std::string formats;
  std::size_t cases = 0;                                  ///< of all verdicts
  std::array<std::size_t, all_verdicts.size()> counts{};  ///< by verdict, in the order of `all_verdicts`
  /// Largest error / allowed error among the cases that computed something; a NaN counts as larger than all numbers.
  /// Empty if none measured it.
  std::optional<double> worst_error_ratio;
  std::string worst_case;       ///< the id that goes with it
  double duration_seconds = 0;  ///< of all cases together

  /// How many cases have this verdict.
  [[nodiscard]] std::size_t count(Verdict verdict) const { return counts[static_cast<std::size_t>(verdict)]; }
};

/// A run by backend, operation and formats.
struct Summary {
  std::vector<SummaryRow> rows;  ///< sorted by backend, operation, formats: the same for any order of execution
  SummaryRow total;              ///< of the whole run
};

/// Whether the case ran to numbers, so that its measurements speak about the kernel.
[[nodiscard]] constexpr bool computed(Verdict verdict) noexcept {
  return verdict == Verdict::pass || verdict == Verdict::fail || verdict == Verdict::inconclusive ||
         verdict == Verdict::new_baseline;
}

/// Verdicts from the one that a reader must see first to the one that matters least.
inline constexpr std::array<Verdict, 7> verdicts_by_urgency{
    Verdict::fail, Verdict::error,       Verdict::inconclusive, Verdict::new_baseline,
    Verdict::pass, Verdict::unsupported, Verdict::skipped};

/// The verdict as it stands behind a number: "3 failed".
[[nodiscard]] constexpr std::string_view counted_name_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::pass: return "passed";
    case Verdict::fail: return "failed";
    case Verdict::error: return "with an error";
    case Verdict::skipped: return "skipped";
    case Verdict::unsupported: return "unsupported";
    case Verdict::inconclusive: return "inconclusive";
    case Verdict::new_baseline: return "new baseline";
  }
  return "with an error";
}

namespace detail {

void count_outcome(SummaryRow& row, const Outcome& outcome);

}  // namespace detail

/// Counts the outcomes of a run. O(n log n).
[[nodiscard]] Summary summarize(const Run& run);

/// More rows than these no reader takes in: reports then show `without_formats` first, or alone.
inline constexpr std::size_t rows_at_a_glance = 40;

/// The same by backend and operation alone: rows that differ in formats are one, which says how many it stands for.
[[nodiscard]] Summary without_formats(const Summary& summary);

/// The same by backend alone; its rows say how many operations they stand for.
[[nodiscard]] Summary by_backend(const Summary& summary);

/// The same rows, those with failures, errors and undecided cases first.
[[nodiscard]] Summary urgent_first(const Summary& summary);

/// The summary as a table without a medium. Columns of verdicts that nobody has are left out, except pass and fail;
/// with more than one row, the last one is the total.
[[nodiscard]] Table summary_table(const Summary& summary);

/// "1234 cases: 1200 passed, 3 failed, 31 unsupported in 12.3 s", and what else decides the exit code.
[[nodiscard]] std::string closing_line(const Run& run);

/// Reasons given with a verdict, the most frequent first, with how many cases gave them.
[[nodiscard]] std::vector<std::pair<std::string, std::size_t>> grouped_reasons(const Run& run, Verdict verdict);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/summary.ipp"
#endif
