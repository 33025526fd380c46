#pragma once

#include <memory>

#include "assay/kernels/detail/growth_by_terms.hpp"
#include "assay/kernels/detail/ordered_element.hpp"
#include "assay/kernels/detail/signed_sum.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/kernels/pooling/problem.hpp"
#include "assay/tolerance/positive_sum.hpp"

namespace assay::inline v0 {

/// What the bound of an average is made of. y = Σ x / n; with M = Σ|x|, g of as many terms as the window has that are
/// not padding, u the accumulator's unit roundoff, ε the error of a division and η of an underflow,
///
///   E = (g + (2u + ε)·(1 + g))·M/n + (terms + 1)·η:
///
/// kernels sum and divide, divide every term before they sum, or multiply by a rounded 1/n in either place: a quotient
/// is off by ε, a product by 2u + ε at most. The same of averages' gradients, whose n may differ from term to term;
/// those of maxima divide nothing: E = g·M + (terms + 1)·η. Every term may underflow; of sums only those that cancel,
/// two terms or more each. E is infinite where M, not yet divided, is beyond the accumulator's largest number, and in
/// windows with an infinity where the terms of the other sign are: the sum may overflow. Maxima are exact. Running
/// error analysis after Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 4.2. Right kernels
/// reach 0.48 of it over the default suite, 8-bit integers aside.
struct PoolingBound {
  double unit = 0;
  double function_error = 0;  ///< ε
  double underflow = 0;
  double largest = 0;
  detail::GrowthByTerms growth;  ///< of sums, by their terms

  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static PoolingBound of(const PoolingProblem& problem, RoundingModel model,
                                       const Arithmetic& arithmetic) {
    PoolingBound bound;
    bound.unit = arithmetic.unit_roundoff() + 0x1p-53;
    bound.function_error = arithmetic.function_error() + 0x1p-51;
    bound.underflow = arithmetic.accumulation.min_subnormal;
    bound.largest = arithmetic.accumulation.max_finite;
    if (model == RoundingModel::statistical)
      model = positive_sum_model(problem.most_terms(), arithmetic.accumulation, model);
    double statements =
        static_cast<double>(problem.batch * problem.channels) * static_cast<double>(problem.window_size());
    for (int d = 0; d < 3; ++d) statements *= static_cast<double>(problem.output(d));
    bound.growth = detail::GrowthByTerms::of(statements, arithmetic.accumulation, model);
    return bound;
  }

  /// A sum, divided or not, with E: `undivided` are its terms before that, `value` and `magnitudes` what they and their
  /// magnitudes sum to after it.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement quotient(const detail::SignedSum& undivided, double value,
                                                        double magnitudes, double terms, bool divided) const {
    const double g = growth(terms), division = divided ? 2 * unit + function_error : 0;
    if (!undivided.all_finite) return undivided.of_specials(growth.raised(terms), largest);
    if (!(undivided.magnitudes() * (1 + g) <= largest)) return {0, detail::double_of(binary64_layout.infinity_bits())};
    return {value, (g + division * (1 + g)) * magnitudes + (terms + 1) * underflow};
  }
};

/// The largest element of a window and its place, row-major within the spatial dimensions: the first one, or the first
/// NaN.
struct PoolingMaximum {
  Index place = -1;  ///< −1: none yet
  detail::OrderedElement element;

  /// Looks at one more element.
  ASSAY_FUNCTION void take(Index next_place, const detail::OrderedElement& next) {
    if (place >= 0 && (is_nan(element.value) || !(is_nan(next.value) || next.exceeds(element)))) return;
    place = next_place;
    element = next;
  }
};

/// References and bounds of a pooling's outputs; those of indices are the first ones where windows have several maxima.
struct PoolingExpected {
  PoolingProblem problem;
  PoolingBound bound;
  Operand input;    ///< in the backward pass the gradient of the output
  Operand indices;  ///< backward pass of maxima
  Index columns = 1;
  int output = 0;

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const Index element = row * columns + column;
    return problem.backward ? gradient(element) : forward(element);
  }

  /// The maximum of that output's window.
  [[nodiscard]] ASSAY_FUNCTION PoolingMaximum maximum(Index element) const {
    const PoolingPlace place = PoolingPlace::of(element, problem, true);
    const PoolingWindow window = PoolingWindow::of(problem, place.position);
    PoolingMaximum largest;
    for (Index a = 0; a < window.count[0]; ++a)
      for (Index b = 0; b < window.count[1]; ++b)
        for (Index c = 0; c < window.count[2]; ++c) {
          const Index i = window.first[0] + a * window.step[0], j = window.first[1] + b * window.step[1],
                      k = window.first[2] + c * window.step[2];
          largest.take((i * problem.input[1] + j) * problem.input[2] + k,
                       detail::OrderedElement::of(input, place.element(problem, false, i, j, k)));
        }
    return largest;
  }

  /// An element of the output.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement forward(Index element) const {
    if (problem.kind == PoolingKind::maximum) {
      const PoolingMaximum largest = maximum(element);
      return {output == 1 ? static_cast<double>(largest.place) : largest.element.value, 0};
    }
    const PoolingPlace place = PoolingPlace::of(element, problem, true);
    const PoolingWindow window = PoolingWindow::of(problem, place.position);
    detail::SignedSum sum;
    for (Index a = 0; a < window.count[0]; ++a)
      for (Index b = 0; b < window.count[1]; ++b)
        for (Index c = 0; c < window.count[2]; ++c) {
          const Index i = window.first[0] + a * window.step[0], j = window.first[1] + b * window.step[1],
                      k = window.first[2] + c * window.step[2];
          sum.add(input.load(place.element(problem, false, i, j, k)));
        }
    const double divisor = static_cast<double>(window.divisor);
    return bound.quotient(sum, sum.finite / divisor, sum.magnitudes() / divisor, static_cast<double>(window.elements()),
                          true);
  }

  /// An element of the gradient of the input.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement gradient(Index element) const {
    const PoolingPlace place = PoolingPlace::of(element, problem, false);
    Index first[3], last[3];
    for (int d = 0; d < 3; ++d) {
      const Index position = place.position[d], extent = problem.output(d);
      if (problem.adaptive) {
        first[d] = position * extent / problem.input[d];
        last[d] = ((position + 1) * extent + problem.input[d] - 1) / problem.input[d] - 1;
      } else {
        const Index behind = position + problem.padding_before[d],
                    before = behind - problem.dilation[d] * (problem.window[d] - 1);
        first[d] = before > 0 ? (before + problem.stride[d] - 1) / problem.stride[d] : 0;
        last[d] = behind / problem.stride[d];
      }
      last[d] = last[d] < extent ? last[d] : extent - 1;
    }
    const Index own = (place.position[0] * problem.input[1] + place.position[1]) * problem.input[2] + place.position[2];
    detail::SignedSum sum, undivided;
    double terms = 0;
    for (Index a = first[0]; a <= last[0]; ++a)
      for (Index b = first[1]; b <= last[1]; ++b)
        for (Index c = first[2]; c <= last[2]; ++c) {
          const PoolingWindow window = PoolingWindow::of(problem, {a, b, c});
          if (!window.covers(0, place.position[0]) || !window.covers(1, place.position[1]) ||
              !window.covers(2, place.position[2]))
            continue;
          const Index source = place.element(problem, true, a, b, c);
          if (problem.kind == PoolingKind::maximum && static_cast<Index>(indices.load(source)) != own) continue;
          const double x = input.load(source);
          sum.add(problem.kind == PoolingKind::average ? x / static_cast<double>(window.divisor) : x);
          undivided.add(x);
          terms += 1;
        }
    const bool held = problem.format.unit_roundoff() + 0x1p-53 >= bound.unit &&
                      problem.format.min_subnormal() >= bound.underflow && problem.format.max_finite() <= bound.largest;
    if (terms == 0 || (terms == 1 && problem.kind == PoolingKind::maximum && held)) return {sum.value(), 0};
    return bound.quotient(undivided, sum.finite, sum.magnitudes(), terms, problem.kind == PoolingKind::average);
  }
};

}  // namespace assay::inline v0
