#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// How far a right kernel's elements may lie from the exact result, absolute, as the case that made the output derived
/// it; infinite where it could not. Empty where it derived none.
struct GoldenAllowance {
  std::vector<double> elements;  ///< of those that the golden tensor keeps
  std::vector<double> rows;      ///< of a sampled tensor: the sum over each row of its fold
  std::vector<double> columns;   ///< the sum over each column

  /// Whether the case derived any.
  [[nodiscard]] bool given() const { return !elements.empty(); }
};

/// What a comparison with a golden tensor found.
struct GoldenComparison {
  Verdict verdict = Verdict::inconclusive;
  bool identical = false;          ///< to the bit, the whole tensor
  std::string rule;                ///< by which it was compared, for people
  std::string reason;              ///< empty in a pass
  std::size_t elements = 0;        ///< compared
  std::size_t differing = 0;       ///< of them, in any bit
  std::size_t violations = 0;      ///< elements beyond what is allowed
  std::size_t undecided = 0;       ///< elements of which nothing can be said
  std::size_t sums = 0;            ///< compared, of rows and columns
  std::size_t sum_violations = 0;  ///< sums of rows and columns beyond what is allowed
  std::size_t sums_undecided = 0;  ///< sums of which nothing can be said
  Index worst_element = -1;        ///< row-major position in the tensor; -1: none differs
  double worst_ratio = 0;          ///< |new − golden| over what is allowed
  double worst_new = 0;            ///< decoded value of the worst element
  double worst_golden = 0;         ///< decoded value of the worst element
  double worst_allowed = 0;        ///< difference that was allowed for the worst element
  double max_absolute_error = 0;   ///< |new − golden|, the largest of all elements
  double max_relative_error = 0;   ///< |new − golden| ÷ |golden|, the largest
  double max_ulp_error = 0;        ///< in units in the last place, the largest
};

}  // namespace assay::inline v0
