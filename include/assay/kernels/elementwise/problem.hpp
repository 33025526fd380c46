#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/kernels/elementwise/function.hpp"
#include "assay/kernels/nan_policy.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// output = f(x), f(x, y) or f(x, y, z) on up to four dimensions. A dimension whose bit is set in `broadcast[i]` has the extent 1 in the
/// operand i (x, y, z), whose elements are repeated along it. `backward`: the operands are x and the gradient dy, the output is f'(x)·dy.
struct ElementwiseProblem {
  static constexpr int most_dimensions = 4;  ///< the largest rank

  ElementwiseFunction function = ElementwiseFunction::relu;
  bool backward = false;
  int rank = 1;                                   ///< of the output
  Index extents[most_dimensions] = {1, 1, 1, 1};  ///< of the output, outermost first
  unsigned broadcast[3] = {0, 0, 0};
  double a = 1, b = 0;                               ///< of scale_shift
  NanPolicy nan_policy = NanPolicy::propagate;       ///< of relu, maximum and minimum
  bool saturating = false;                           ///< cast: what is beyond the output's range becomes its end; integers always do
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
  visit("function", problem.function, "backward", problem.backward, "rank", problem.rank, "extents", problem.extents, "broadcast",
        problem.broadcast, "a", problem.a, "b", problem.b, "nan_policy", problem.nan_policy, "saturating", problem.saturating, "rounding",
        problem.rounding, "input", problem.input, "second", problem.second, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const ElementwiseProblem& problem) {
  const std::string function(name_of(problem.function));
  if (problem.rank < 0 || problem.rank > ElementwiseProblem::most_dimensions)
    return failure(ErrorKind::invalid, "rank is " + std::to_string(problem.rank) + "; elementwise operations have 0 to 4 dimensions");
  const Index* n = problem.extents;
  const auto extent = [&](int d) { return d < problem.rank ? n[d] : Index{1}; };
  if (auto extents =
          check_extents({{"extents[0]", extent(0)}, {"extents[1]", extent(1)}, {"extents[2]", extent(2)}, {"extents[3]", extent(3)}});
      !extents)
    return extents;
  if (problem.backward && !has_gradient(problem.function))
    return failure(ErrorKind::invalid, "backward is set for " + function + "; only activations have a backward pass here");
  for (int i = 0; i < 3; ++i) {
    if (problem.broadcast[i] >> problem.rank != 0)
      return failure(ErrorKind::invalid,
                     "broadcast[" + std::to_string(i) + "] names a dimension beyond the rank " + std::to_string(problem.rank));
    if (problem.broadcast[i] != 0 && (problem.backward || i >= operands_of(problem.function)))
      return failure(ErrorKind::invalid, "broadcast[" + std::to_string(i) + "] is set, but " + function +
                                             (problem.backward ? " backward" : "") + " repeats no such operand");
  }
  unsigned in_all = ~0U;
  for (int i = 0; i < problem.inputs(); ++i) in_all &= problem.broadcast[i];
  if (in_all != 0)
    return failure(ErrorKind::invalid,
                   "broadcast repeats every operand along the same dimension; one of them must have the output's extent");
  if (!is_finite(problem.a) || !is_finite(problem.b)) return failure(ErrorKind::invalid, "a and b of scale_shift must be finite");
  if (problem.function == ElementwiseFunction::cast) return {};
  if (problem.rounding != Rounding::nearest_even || problem.saturating)
    return failure(ErrorKind::invalid, "rounding and saturating are of cast alone; " + function + " has neither");
  return check_float_formats({{"input", problem.input}, {"second", problem.second}, {"output", problem.output}});
}

/// "4x1000", "4x1000-y1x1000", "64-toward_zero-saturating".
[[nodiscard]] inline std::string name_of(const ElementwiseProblem& problem) {
  std::string name = problem.rank == 0 ? "scalar" : extents_name({problem.extents, problem.extents + problem.rank});
  for (int i = 0; i < problem.inputs(); ++i)
    if (problem.broadcast[i] != 0) name += std::string("-") + "xyz"[i] + extents_name(problem.extents_of(i));
  if (problem.function == ElementwiseFunction::scale_shift) name += "-a" + plain_number(problem.a) + "b" + plain_number(problem.b);
  if (problem.nan_policy == NanPolicy::number) name += "-number";
  if (problem.rounding == Rounding::toward_zero) name += "-toward_zero";
  if (problem.rounding == Rounding::nearest_away) name += "-nearest_away";
  if (problem.rounding == Rounding::toward_positive) name += "-toward_positive";
  if (problem.rounding == Rounding::toward_negative) name += "-toward_negative";
  if (problem.saturating) name += "-saturating";
  return name;
}

}  // namespace assay::inline v0
