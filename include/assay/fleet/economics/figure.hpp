#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/table.hpp"

namespace assay::inline v0 {

/// A number that somebody assumes, and between which it may lie.
struct Assumption {
  std::string name;  ///< for reports
  double value = 0;  ///< in `unit`
  /// The interval; equal to `value` where none is given.
  double low = 0, high = 0;
  std::string unit;    ///< "$/h"; "1": a ratio
  std::string source;  ///< where it comes from, with its date; empty: given by the user
};

/// An assumption without an interval.
[[nodiscard]] Assumption assumed(std::string name, double value, std::string unit, std::string source = {});

/// Reads "value" or "low:high", whose value is the middle. Errors: `invalid`: no finite number, negative, low above
/// high; or 0 where `positive`.
[[nodiscard]] Result<Assumption> parse_assumption(std::string name, const std::string& text, std::string unit,
                                                  bool positive = false);

/// A result that says what it rests on.
struct Figure {
  std::string name;          ///< for reports
  double value = 0;          ///< by the assumed values; infinity: never
  double low = 0, high = 0;  ///< over all of their intervals
  std::string unit;          ///< of all three
  std::string formula;       ///< in words
  std::vector<Assumption> assumptions;
};

/// A figure by its formula. The interval is that over all corners of the assumptions' intervals, exact where the
/// formula is monotonic in each of them, as all of ours are; two corners for each assumption that has an interval.
/// Misuse: more than 16 of those, or a formula that is NaN.
[[nodiscard]] Figure evaluate(std::string name, std::string unit, std::string formula,
                              std::vector<Assumption> assumptions,
                              const std::function<double(const std::vector<double>&)>& function);

/// A figure a line, with its interval and formula.
[[nodiscard]] Table figure_table(const std::string& title, const std::vector<Figure>& figures);

/// What all of the figures assume, each once.
[[nodiscard]] Table assumption_table(const std::vector<Figure>& figures);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/economics/figure.ipp"
#endif
