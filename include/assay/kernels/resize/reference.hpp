#pragma once

#include <memory>
#include <utility>

#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/detail/growth_by_terms.hpp"
#include "assay/kernels/detail/signed_sum.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/kernels/resize/weights.hpp"

namespace assay::inline v0 {

/// References and bounds of a resize. y = Σ w_t·x_t over the taps t of all dimensions, w_t a product of one weight a
/// dimension. A kernel's weights differ by δ_t as its coordinates do (Lipschitz constant of the filter times the
/// coordinate's error; 1 for a nearest element in doubt) and by ρ_t as they round and, multiplied, underflow. All
/// weights sum to 1, whatever the coordinate, so that
///
///   E = Σ δ_t·|x_t − y| + Σ ρ_t·|x_t| + g(L)·Σ (|w_t| + δ_t + ρ_t)·|x_t| + (terms + 1)·η, L = taps + 2·dimensions:
///
/// kernels interpolate along one dimension after the other or by products of weights; promotion of sums is not counted
/// on, as each dimension begins its own. In the backward pass |x_t| stands for |x_t − y|. Nearest elements are exact
/// where their coordinate is not in doubt, and gradients made up by one of them where the accumulator holds it.
/// Infinite where four times the largest |x_t| is beyond the accumulator's largest number, where a NaN meets a weight
/// that may be 0, and where an infinity takes part (by differences it becomes NaN; of nearest elements only where the
/// others may sum to the other one). Running error analysis after Higham, "Accuracy and Stability of Numerical
/// Algorithms", 2nd ed., sections 3.1 and 3.3. Right kernels reach 0.38 of it over the default suite.
struct ResizeExpected {
  ResizeProblem problem;
  double unit = 0, underflow = 0, largest = 0;
  detail::GrowthByTerms growth;
  Operand input;
  Index columns = 1;
  const ResizeTap* taps[3] = {};
  const Index* first[3] = {};
  int output = 0;

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    Index element = row * columns + column, channel = 0, position[3];
    if (problem.channels_last) {
      channel = element % problem.channels;
      element /= problem.channels;
    }
    for (int d = 2; d >= 0; --d) {
      position[d] = element % problem.written(d);
      element /= problem.written(d);
    }
    if (!problem.channels_last) {
      channel = element % problem.channels;
      element /= problem.channels;
    }
    double value = 0, terms = 0;
    bool special_in_doubt = false;
    each_tap(position, [&](double weight, double coordinate_error, double rounding_error, Index place) {
      const double x = load(element, channel, place);
      if (is_finite(x) || detail::absolute(weight) > coordinate_error + rounding_error)
        value += weight * x;
      else
        special_in_doubt = true;
      terms += 1;
    });
    const double infinity = detail::double_of(binary64_layout.infinity_bits());
    if (is_nan(value)) return {value, 0};
    if (special_in_doubt) return {0, infinity};
    const bool held = problem.format.unit_roundoff() + 0x1p-50 >= unit && problem.format.min_subnormal() >= underflow &&
                      problem.format.max_finite() <= largest;
    const bool copied =
        problem.mode == ResizeMode::nearest && (!problem.backward || terms == 0 || (terms == 1 && held));
    if (!is_finite(value)) {
      if (problem.mode != ResizeMode::nearest) return {0, infinity};
      detail::SignedSum sum;
      each_tap(position, [&](double, double, double, Index place) { sum.add(load(element, channel, place)); });
      return copied ? ExpectedElement{value, 0} : sum.of_specials(growth.raised(terms), largest);
    }
    double doubt = 0, rounding = 0, sum = 0, most = 0;
    const double center = problem.backward ? 0 : value;
    each_tap(position, [&](double weight, double coordinate_error, double rounding_error, Index place) {
      const double x = load(element, channel, place), size = detail::absolute(x);
      doubt += coordinate_error * detail::absolute(x - center);
      rounding += rounding_error * size;
      sum += (detail::absolute(weight) + coordinate_error + rounding_error) * size;
      most = size > most ? size : most;
    });
    if (copied) return {value, doubt};
    if (!(4 * most <= largest && 4 * sum <= largest))
      return {value, infinity};  // differences, and rows of cubic sums, may exceed what they make up
    return {value, doubt + rounding + growth.without_promotion(terms + 2 * problem.dimensions) * sum +
                       (terms + 1) * underflow};
  }

 private:
  /// Calls with every tap's weight, its errors and its place within an image, row-major.
  template <class Visit>
  ASSAY_FUNCTION void each_tap(const Index (&position)[3], Visit&& visit) const {
    const double lost =
        problem.mode == ResizeMode::nearest ? 0 : (problem.dimensions - 1) * underflow;  // as weights are multiplied
    for (Index a = first[0][position[0]]; a < first[0][position[0] + 1]; ++a)
      for (Index b = first[1][position[1]]; b < first[1][position[1] + 1]; ++b)
        for (Index c = first[2][position[2]]; c < first[2][position[2] + 1]; ++c) {
          const ResizeTap &i = taps[0][a], &j = taps[1][b], &k = taps[2][c];
          const double wi = detail::absolute(i.weight), wj = detail::absolute(j.weight),
                       wk = detail::absolute(k.weight);
          const double off = (wi + i.coordinate_error) * (wj + j.coordinate_error) * (wk + k.coordinate_error);
          const double whole = (wi + i.coordinate_error + unit * i.rounding_error) *
                               (wj + j.coordinate_error + unit * j.rounding_error) *
                               (wk + k.coordinate_error + unit * k.rounding_error);
          const double own = wi * wj * wk,
                       doubt = i.coordinate_error == 0 && j.coordinate_error == 0 && k.coordinate_error == 0
                                   ? 0
                                   : off - own;
          visit(i.weight * j.weight * k.weight, doubt, whole - off + (whole > 0 ? lost : 0),
                (i.position * problem.read(1) + j.position) * problem.read(2) + k.position);
        }
  }
  [[nodiscard]] ASSAY_FUNCTION double load(Index batch, Index channel, Index place) const {
    const Index plane = problem.read(0) * problem.read(1) * problem.read(2);
    return input.load(problem.channels_last ? (batch * plane + place) * problem.channels + channel
                                            : (batch * problem.channels + channel) * plane + place);
  }
};

/// Weights on the host, copied to the backend: O(Σ outputs · taps) memory; elements are computed while they are
/// compared.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<ResizeExpected>> resize_reference(B& backend, typename B::Stream& stream,
                                                                          const ResizeProblem& problem,
                                                                          const Operand& input, Index columns,
                                                                          RoundingModel model,
                                                                          const Arithmetic& arithmetic) {
  struct Storage {
    std::vector<typename B::template Buffer<ResizeTap>> taps;
    std::vector<typename B::template Buffer<Index>> first;
  };
  auto storage = std::make_shared<Storage>();
  double statements = static_cast<double>(problem.batch * problem.channels);
  ResizeExpected expected;
  for (int d = 0; d < 3; ++d) {
    ResizeAxis axis = resize_axis(problem, d);
    if (problem.backward) axis = transposed(axis, problem.input[d]);
    statements *= static_cast<double>(axis.taps.size() + 1);
    auto taps = backend.template allocate<ResizeTap>(axis.taps.size() + 1);
    if (!taps) return taps.propagate();
    auto first = backend.template allocate<Index>(axis.first.size());
    if (!first) return first.propagate();
    detail::WaitAtEnd work_on_them(backend, stream);
    if (auto copied = backend.copy_to_device(stream, taps.value().data(), axis.taps.data(), axis.taps.size()); !copied)
      return copied.propagate();
    if (auto copied = backend.copy_to_device(stream, first.value().data(), axis.first.data(), axis.first.size());
        !copied)
      return copied.propagate();
    if (auto done = work_on_them.wait(); !done) return done.propagate();
    expected.taps[d] = taps.value().data();
    expected.first[d] = first.value().data();
    storage->taps.push_back(std::move(taps).value());
    storage->first.push_back(std::move(first).value());
  }
  expected.problem = problem;
  expected.unit = arithmetic.unit_roundoff() + 0x1p-50;
  expected.underflow = arithmetic.accumulation.min_subnormal;
  expected.largest = arithmetic.accumulation.max_finite;
  expected.growth = detail::GrowthByTerms::of(statements, arithmetic.accumulation, model);
  expected.input = input;
  expected.columns = columns;
  return OperationReference<ResizeExpected>{expected, std::move(storage)};
}

}  // namespace assay::inline v0
