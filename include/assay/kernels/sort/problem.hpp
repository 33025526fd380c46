#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/kernels/detail/ordered_element.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// Which of two equal elements comes first.
enum class SortTies {
  any,    ///< equal elements in any order
  stable  ///< in the order in which they stand in the input
};

/// Where NaN stands.
enum class NanOrder {
  largest,  ///< NaN is above infinity: first where the largest come first
  last      ///< NaN stands behind everything, whatever the direction
};

/// The whole of a row in order, or its k first elements, with their places: along the middle one of three dimensions
/// (outer, length, inner).
struct SortProblem {
  Index outer = 1;
  Index length = 1;
  Index inner = 1;
  Index k = -1;            ///< elements wanted; −1: all (a sort)
  bool descending = true;  ///< the largest first
  bool ordered = true;     ///< top-k: false lets the k elements stand in any order
  SortTies ties = SortTies::any;
  NanOrder nan = NanOrder::largest;
  ElementFormat format = element_format<float32>();
  ElementFormat index_format = element_format<std::int64_t>();  ///< integers

  /// How many elements are given back.
  [[nodiscard]] ASSAY_FUNCTION Index wanted() const { return k < 0 ? length : k; }
  /// Whether a stands before b by value; −0 and 0 are equal.
  [[nodiscard]] ASSAY_FUNCTION bool before(double a, double b) const {
    if (is_nan(a) || is_nan(b)) {
      const bool nan_first = nan == NanOrder::largest && descending;
      return is_nan(a) != is_nan(b) && is_nan(a) == nan_first;
    }
    return descending ? a > b : a < b;
  }
  /// The same of elements, 64-bit integers to their last digit.
  [[nodiscard]] ASSAY_FUNCTION bool before(const detail::OrderedElement& a, const detail::OrderedElement& b) const {
    if (a.value == b.value) return descending ? a.integer > b.integer : a.integer < b.integer;
    return before(a.value, b.value);
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(SortProblem& problem, Visit&& visit) {
  visit("outer", problem.outer, "length", problem.length, "inner", problem.inner, "k", problem.k, "descending",
        problem.descending, "ordered", problem.ordered, "ties", problem.ties, "nan", problem.nan, "format",
        problem.format, "index_format", problem.index_format);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const SortProblem& problem);

/// "3x1000x1-k5-smallest-unordered".
[[nodiscard]] std::string name_of(const SortProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/sort/problem.ipp"
#endif
