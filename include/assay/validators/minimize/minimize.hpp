#pragma once

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/formats/element_format_named.hpp"
#include "assay/suite/case_record.hpp"

namespace assay::inline v0 {

/// How far a failing case is shrunk.
struct MinimizeOptions {
  unsigned most_runs = 2000;  ///< of the kernel, each with its reference
  double most_seconds = 60;   ///< no run begins after so many
  unsigned seeds = 3;         ///< of the pattern that are tried where the first does not fail
  std::size_t most_values =
      4096;                    ///< elements of the operands together, above which the pattern is kept instead of values
  unsigned confirmations = 3;  ///< runs of what is left
};

/// What was left of a failing case.
struct MinimizedCase {
  CaseRecord record;
  Outcome outcome;                    ///< of its last confirmation that failed
  unsigned runs = 0;                  ///< spent, confirmations included
  unsigned failed_confirmations = 0;  ///< of the smallest case; it should fail each time
  bool exhausted = false;             ///< the budget ended before nothing could be made smaller
  std::vector<std::string> steps;     ///< what was made smaller, a line each
};

namespace detail {

class Shrinker {
 public:
  Shrinker(const RecordedKernel& kernel, CaseRecord record, const Outcome& outcome, const MinimizeOptions& options);

  void shrink();
  /// Whether a record fails in the same way; false once the budget is spent.
  [[nodiscard]] bool fails(const CaseRecord& record);
  [[nodiscard]] bool exhausted() const {
    return runs >= options_.most_runs ||
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > options_.most_seconds;
  }
  [[nodiscard]] const CaseRecord& current() const { return current_; }

  unsigned runs = 0;
  Outcome last_failure;
  std::vector<std::string> steps;

 private:
  /// Takes a record for the current one if it fails, with its own seed or another.
  bool accept(CaseRecord candidate);

  [[nodiscard]] static bool whole(const std::string& text, Index& number) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc() && end == text.data() + text.size();
  }

  /// What is not an extent becomes what it is in the simplest problem; storage becomes dense and aligned, repetitions
  /// one.
  bool simplify_options();

  /// Fields that may become smaller: each alone, and all of one value together.
  [[nodiscard]] std::vector<std::vector<std::size_t>> groups() const;
  [[nodiscard]] Index value_of(const std::vector<std::size_t>& group) const {
    Index number = 0;
    static_cast<void>(whole(current_.problem[group[0]].value, number));
    return number;
  }
  bool set(const std::vector<std::size_t>& group, Index value) {
    CaseRecord candidate = current_;
    for (const std::size_t field : group) candidate.problem[field].value = std::to_string(value);
    return accept(std::move(candidate));
  }

  /// Halves, then decrements: from n steps of n − 1, (n − 1)/2, … 1, again from every smaller n; at last all below it
  /// where they are few.
  bool shrink_numbers();

  struct Place {
    std::size_t operand, element;
  };

  /// Values instead of their pattern, judged by the bound of the worst case, since a choice of values may no longer be
  /// what a statistical bound assumes.
  void shrink_values();

  /// The format of an operand whose values may be changed: not that of indices, where it matters that they are valid.
  [[nodiscard]] static std::optional<ElementFormat> changeable(const RecordedOperand& operand) {
    auto format = element_format_named(operand.format);
    if (!format || (!format->is_float() && format->bytes > 1) || format->decode(format->encode(0.0)) != 0)
      return std::nullopt;
    return format;
  }
  [[nodiscard]] std::vector<Place> non_zero() const;
  bool set_values(const std::vector<Place>& places, std::size_t first, std::size_t last, double (*simpler)(double));

  /// Blocks of values become zero, all at first, then halves, quarters, single ones: what is left fails, and with any
  /// one of them zero it does not. The complements of Zeller's and Hildebrandt's ddmin ("Simplifying and isolating
  /// failure-inducing input", IEEE TSE 28 (2002), section 3.2).
  void zero_blocks();

  /// Ones, else powers of two, all at once, then one by one.
  void simplify_values();
  [[nodiscard]] double value_at(const Place& place) const {
    const RecordedOperand& operand = current_.operands[place.operand];
    return changeable(operand)->decode(operand.codes[place.element]);
  }

  const RecordedKernel& kernel_;
  MinimizeOptions options_;
  std::string kind_;
  std::string diagnosis_;  ///< fault class and kind; empty: nothing was diagnosed, and none is asked for
  Verdict verdict_;
  std::string operation_;
  CaseRecord current_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace detail

/// Shrinks a failing case to one that fails in the same way and cannot be made smaller by the steps that are tried: its
/// options become the simplest, its extents are halved and decremented, its values set to zero by blocks and to powers
/// of two, for as long as the budget lasts. What counts as the same failure: verdict, operation, the reason but for its
/// numbers, and, where the check of the case diagnoses, the fault that is thought the likeliest. `ErrorKind::invalid`:
/// the case does not fail.
///
/// The result is a local minimum: with any single step more the failure disappears, or becomes another. Time: at most
/// `most_runs` runs of kernel and reference.
[[nodiscard]] Result<MinimizedCase> minimize(const RecordedKernel& kernel, CaseRecord start,
                                             const MinimizeOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/minimize/minimize.ipp"
#endif
