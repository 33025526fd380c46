#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/kernels/elementwise/function.hpp"
#include "assay/kernels/nan_policy.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// output = f(x), f(x, y) or f(x, y, z) on up to four dimensions. A dimension whose bit is set in `broadcast[i]` has
/// the extent 1 in the operand i (x, y, z), whose elements are repeated along it. `backward`: the operands are x and
/// the gradient dy, the output is f'(x)·dy.
struct ElementwiseProblem {
  static constexpr int most_dimensions = 4;  ///< the largest rank

  ElementwiseFunction function = ElementwiseFunction::relu;
  bool backward = false;
  int rank = 1;                                   ///< of the output
  Index extents[most_dimensions] = {1, 1, 1, 1};  ///< of the output, outermost first
  unsigned broadcast[3] = {0, 0, 0};
  double a = 1, b = 0;                          ///< of scale_shift
  NanPolicy nan_policy = NanPolicy::propagate;  ///< of relu, maximum and minimum
  bool saturating = false;  ///< cast: what is beyond the output's range becomes its end; integers always do
  Rounding rounding = Rounding::nearest_even;        ///< cast
  ElementFormat input = element_format<float32>();   ///< storage format of all inputs
  ElementFormat second = element_format<float32>();  ///< of y and z, or of dy
  ElementFormat output = element_format<float32>();

  /// Elements of the output.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index size() const {
    Index product = 1;
    for (int d = 0; d < rank; ++d) product *= extents[d];
    return product;
  }
  /// The last extent; 1 for a scalar.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index columns() const { return rank > 0 ? extents[rank - 1] : 1; }
  /// How many operands are read.
  [[nodiscard]] ASSAY_FUNCTION constexpr int inputs() const { return backward ? 2 : operands_of(function); }
  /// The extents of the operand i.
  [[nodiscard]] std::vector<Index> extents_of(int operand) const {
    std::vector<Index> own(extents, extents + rank);
    for (int d = 0; d < rank; ++d)
      if ((broadcast[operand] >> d & 1) != 0) own[static_cast<std::size_t>(d)] = 1;
    return own;
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(ElementwiseProblem& problem, Visit&& visit) {
  visit("function", problem.function, "backward", problem.backward, "rank", problem.rank, "extents", problem.extents,
        "broadcast", problem.broadcast, "a", problem.a, "b", problem.b, "nan_policy", problem.nan_policy, "saturating",
        problem.saturating, "rounding", problem.rounding, "input", problem.input, "second", problem.second, "output",
        problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const ElementwiseProblem& problem);

/// "4x1000", "4x1000-y1x1000", "64-toward_zero-saturating".
[[nodiscard]] std::string name_of(const ElementwiseProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/elementwise/problem.ipp"
#endif
