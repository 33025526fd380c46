#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/kernels/nan_policy.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What is computed of the terms.
enum class ReductionFunction {
  sum,
  mean,
  product,
  maximum,
  minimum,
  argmax,  ///< the index of the maximum along the dimension
  argmin,
  variance,   ///< Σ(x − mean)²/(n − correction)
  l2_norm,    ///< √Σx²
  prefix_sum  ///< y_k = Σ_{j ≤ k} x_j; j < k where exclusive
};

[[nodiscard]] constexpr std::string_view name_of(ReductionFunction function) noexcept {
  constexpr std::string_view names[] = {"sum",    "mean",   "product",  "maximum", "minimum",
                                        "argmax", "argmin", "variance", "l2_norm", "prefix_sum"};
  return names[static_cast<int>(function)];
}

/// Which of several equal elements argmax and argmin name.
enum class TiePolicy { first, last, any };

/// A function of all elements along the middle one of three dimensions (outer, length, inner).
struct ReductionProblem {
  ReductionFunction function = ReductionFunction::sum;
  Index outer = 1;
  Index length = 1;  ///< of the dimension that is reduced
  Index inner = 1;
  bool keep_extent = false;  ///< the output has the reduced dimension, with extent 1
  Index correction = 0;      ///< of variance: 1 for the unbiased estimate
  bool exclusive = false;    ///< of prefix_sum
  TiePolicy ties = TiePolicy::first;
  NanPolicy nan_policy = NanPolicy::
      propagate;  ///< of maximum, minimum, argmax and argmin, which give the first NaN's index where they propagate
  ElementFormat input = element_format<float32>();   ///< storage format of the input
  ElementFormat output = element_format<float32>();  ///< storage format of the output; of indices: integers

  /// Whether the result is a place, not a value.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool gives_index() const {
    return function == ReductionFunction::argmax || function == ReductionFunction::argmin;
  }
  /// Whether the result is one of the terms, or its place.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool selects() const {
    return gives_index() || function == ReductionFunction::maximum || function == ReductionFunction::minimum;
  }
  /// Whether there is a result for each term.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_scan() const { return function == ReductionFunction::prefix_sum; }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(ReductionProblem& problem, Visit&& visit) {
  visit("function", problem.function, "outer", problem.outer, "length", problem.length, "inner", problem.inner,
        "keep_extent", problem.keep_extent, "correction", problem.correction, "exclusive", problem.exclusive, "ties",
        problem.ties, "nan_policy", problem.nan_policy, "input", problem.input, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const ReductionProblem& problem);

/// The extents of the output; a last dimension of extent 1 stands only where it is needed.
[[nodiscard]] inline std::vector<Index> output_extents(const ReductionProblem& problem) {
  std::vector<Index> extents{problem.outer};
  if (problem.is_scan()) extents.push_back(problem.length);
  if (problem.keep_extent) extents.push_back(1);
  if (problem.inner != 1) extents.push_back(problem.inner);
  return extents;
}

/// "4x1000x1", "4x16x8-keep-correction1".
[[nodiscard]] std::string name_of(const ReductionProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/reduction/problem.ipp"
#endif
