#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/validators/gemm_check_options.hpp"

namespace assay::inline v0 {

namespace detail {

/// "A 32×14336 · B 14336×48 → C 32×48", how it is stored, and the scalars.
[[nodiscard]] std::string describe_gemm(const GemmProblem& problem);

[[nodiscard]] std::string describe_data(const GemmFill& fill);

[[nodiscard]] std::string describe_accumulation(const AccumulationModel& accumulation);

/// What stands behind one element of the output, computed here from the stored inputs.
struct GemmElement {
  Index batch = 0, row = 0, column = 0;
  double product = 0;    ///< P
  double magnitude = 0;  ///< S
  double c = 0;          ///< C before the kernel runs; 0 where β = 0
};

template <class Op>
[[nodiscard]] GemmElement gemm_element(const GemmProblem& problem, const GemmData& data, Index batch, Index row,
                                       Index column) {
  GemmElement element{batch, row, column};
  const Index lane_a = batch * problem.m + row, lane_b = batch * problem.n + column;
  for (Index k = 0; k < problem.k; ++k) {
    const double term = decode(encode<typename Op::FormatA>(data.a(lane_a, k))) *
                        decode(encode<typename Op::FormatB>(data.b(lane_b, k)));
    element.product += term;
    element.magnitude += absolute(term);
  }
  if (problem.beta != 0) element.c = decode(encode<typename Op::FormatC>(data.c(lane_a, column)));
  return element;
}

/// Of nine elements along the diagonal of the first matrix, the one with the middle S; those that hold no number come
/// last.
template <class Op>
[[nodiscard]] GemmElement typical_gemm_element(const GemmProblem& problem, const GemmData& data) {
  std::vector<GemmElement> elements;
  for (Index i = 0; i < 9; ++i)
    elements.push_back(gemm_element<Op>(problem, data, 0, i * (problem.m - 1) / 8, i * (problem.n - 1) / 8));
  const auto numbers = std::partition(elements.begin(), elements.end(),
                                      [](const GemmElement& element) { return is_finite(element.product); });
  if (numbers == elements.begin()) return elements.front();
  std::sort(elements.begin(), numbers,
            [](const GemmElement& left, const GemmElement& right) { return left.magnitude < right.magnitude; });
  return elements[static_cast<std::size_t>(numbers - elements.begin()) / 2];
}

/// The element in numbers: P, S, r, E and what is accepted.
template <class Op>
[[nodiscard]] std::vector<std::string> describe_element(const GemmElement& element, const GemmBound& bound,
                                                        const ChosenTolerance& tolerance) {
  using C = typename Op::FormatC;
  const double value =
      (bound.alpha == 0 ? 0 : bound.alpha * element.product) + (bound.beta == 0 ? 0 : bound.beta * element.c);
  const double error =
      is_finite(value) ? bound.error(element.product, element.magnitude, element.c, max_finite<C>()) : 0;
  const auto exact = [](double x) { return printed_number(x, 10); };
  std::string inputs = "for example row " + std::to_string(element.row) + ", column " + std::to_string(element.column) +
                       ": P = Σ a·b = " + number(element.product) + ", S = Σ |a·b| = " + number(element.magnitude);
  if (bound.beta != 0) inputs += ", C = " + number(element.c);
  std::vector<std::string> lines{inputs + ", r = " + exact(value)};
  if (!is_finite(value)) {
    lines.push_back("there IEEE 754 decides, not a bound: " + number(value) + " is due");
    return lines;
  }
  const AcceptanceInterval accepted = tolerance.template interval<C>({value, error});
  std::string verdict = "there E = " + number(error);
  if (is_finite(error))
    verdict += ", which is " + number(error / unit_in_last_place<C>(value)) + " units in the last place of " +
               FormatTraits<C>::name() + " at r";
  if (accepted.undetermined)
    lines.push_back(verdict + "; nothing can be refuted");
  else if (accepted.lower > accepted.upper)
    lines.push_back(verdict + "; accepted: NaN");
  else if (accepted.lower == accepted.upper)
    lines.push_back(verdict + "; accepted: " + exact(accepted.lower) + " and nothing else");
  else
    lines.push_back(verdict + "; accepted: from " + exact(accepted.lower) + " to " + exact(accepted.upper));
  return lines;
}

}  // namespace detail

/// How the acceptance intervals of one GEMM case come about, one step a line, without running a kernel: the problem,
/// its data, the arithmetic promised, the bound, the tolerance, and one element in numbers, computed here in double.
/// `data` lie in host memory where they are given. O(k) time.
template <class Op>
[[nodiscard]] std::vector<std::string> explain_gemm(const GemmProblem& problem, const GemmData& data,
                                                    const AccumulationModel& accumulation,
                                                    const GemmCheckOptions& options = {}) {
  const auto layout = lay_out(problem);
  if (!layout) return {"the problem is refused: " + layout.error().message};
  std::vector<std::string> lines{detail::describe_gemm(problem)};
  lines.push_back("inputs in " + std::string(FormatTraits<typename Op::FormatA>::name()) +
                  (std::is_same_v<typename Op::FormatA, typename Op::FormatB>
                       ? ""
                       : std::string(" and ") + FormatTraits<typename Op::FormatB>::name()) +
                  ", output in " + FormatTraits<typename Op::FormatC>::name() + " (unit roundoff " +
                  detail::number(unit_roundoff<typename Op::FormatC>()) + "); " +
                  detail::describe_accumulation(accumulation));
  lines.push_back(detail::describe_data(data.a));
  const ExplainedGemmBound explained =
      gemm_bound(problem, accumulation, data.model, data.terms, gemm_needs_double_double<Op>);
  lines.insert(lines.end(), explained.derivation.begin(), explained.derivation.end());
  lines.push_back(options.tolerance.describe());
  if (options.method == GemmCheckMethod::residual)
    lines.push_back(
        "residual check: of each row only C·x is compared with α·A·(B·x) + β·C·x for random x of ±1, against what its "
        "elements may deviate "
        "together; the outcome tells how large an error it sees");
  if (options.method == GemmCheckMethod::sampled)
    lines.push_back(
        "sampled check: only corners, crossings of tile edges and random elements are judged so; the outcome tells how "
        "many, and what a "
        "fault may have escaped");
  if (problem.batch == 0 || problem.m == 0 || problem.n == 0) {
    lines.push_back("the output has no elements: nothing is compared");
    return lines;
  }
  const auto example =
      detail::describe_element<Op>(detail::typical_gemm_element<Op>(problem, data), explained.bound, options.tolerance);
  lines.insert(lines.end(), example.begin(), example.end());
  return lines;
}

/// The same for one of the patterns of data that come with the library, as `check_gemm` makes it from the case's seed.
template <class Op>
[[nodiscard]] std::vector<std::string> explain_gemm(const GemmProblem& problem, FillKind kind,
                                                    const AccumulationModel& accumulation,
                                                    const GemmCheckOptions& options, std::uint64_t seed) {
  return explain_gemm<Op>(problem, gemm_data<Op>(kind, problem, accumulation, seed), accumulation, options);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/explain_gemm.ipp"
#endif
