#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/normalization/reference.hpp"
#include "assay/kernels/normalization_backward/bound.hpp"

namespace assay::inline v0 {

/// dgamma and dbeta of one channel.
struct NormalizationParameterGradients {
  ExpectedElement gamma;  ///< its gradient, with E
  ExpectedElement beta;   ///< its gradient, with E
};

/// References and bounds of a normalization's gradients: outputs 0 (dx), 1 (dgamma) and 2 (dbeta).
struct NormalizationBackwardExpected {
  NormalizationProblem problem;
  NormalizationBackwardBound bound;
  Operand gradient, input, gamma, mean, deviation;
  const NormalizationBackwardRow* rows = nullptr;
  const NormalizationParameterGradients* parameters = nullptr;
  int output = 0;

  /// An element of an operand of the input's extents.
  [[nodiscard]] ASSAY_FUNCTION double at(const Operand& operand, Index outer, Index channel, Index inner) const {
    return problem.inner == 1 ? operand.at(outer, channel) : operand.at(outer, channel, inner);
  }
  /// Γ of a channel; 1 without.
  [[nodiscard]] ASSAY_FUNCTION double scale_of(Index channel) const { return problem.gamma ? gamma.at(channel) : 1; }

  /// The statistics that are given, and the means over a lane.
  [[nodiscard]] ASSAY_FUNCTION NormalizationBackwardRow row_of(Index lane) const {
    NormalizationBackwardRow row;
    row.mean = problem.centered() ? mean.at(lane) : 0;
    row.inverse = deviation.at(lane);
    if (problem.saved == SavedStatistics::variance) {
      row.inverse = 1 / std::sqrt(row.inverse + problem.epsilon);
      row.inverse_error = (2 * bound.function_error + 2 * bound.unit) * row.inverse;
    }
    double mean_size = 0, projection_size = 0;
    if (problem.kind != NormalizationKind::batch) {
      const NormalizationLane own = NormalizationLane::of(problem, lane);
      const Index last = own.first_channel + problem.channels / problem.groups;
      double sum = 0, projection = 0;
      for (Index channel = own.first_channel; channel < last; ++channel) {
        const double scale = scale_of(channel);
        for (Index i = 0; i < problem.inner; ++i) {
          const double term = at(gradient, own.outer, channel, i) * scale,
                       product = term * ((at(input, own.outer, channel, i) - row.mean) * row.inverse);
          sum += term;
          projection += product;
          mean_size += detail::absolute(term);
          projection_size += detail::absolute(product);
        }
      }
      const double count = static_cast<double>(problem.lane_length());
      row.mean_gradient = problem.centered() ? sum / count : 0;
      row.projection = projection / count;
      mean_size = problem.centered() || bound.folded ? mean_size / count : 0;
      projection_size /= count;
      if (is_finite(sum) && is_finite(projection) &&
          !(mean_size * count <= bound.largest / 4 && projection_size * count <= bound.largest / 4))
        mean_size = infinity();
    }
    bound.complete(row, mean_size, projection_size);
    return row;
  }

  /// dgamma and dbeta: over all elements of a channel.
  [[nodiscard]] ASSAY_FUNCTION NormalizationParameterGradients parameters_of(Index channel) const {
    double sum = 0, size = 0, products = 0, product_size = 0, product_error = 0;
    for (Index outer = 0; outer < problem.outer; ++outer) {
      const NormalizationBackwardRow& row = rows[problem.lane_of(outer, channel)];
      const double share = bound.normalized_share(row),
                   shift = bound.folded ? 2 * detail::absolute(row.mean) * row.inverse : 0;
      for (Index i = 0; i < problem.inner; ++i) {
        const double dy = at(gradient, outer, channel, i),
                     product = dy * ((at(input, outer, channel, i) - row.mean) * row.inverse);
        sum += dy;
        size += detail::absolute(dy);
        products += product;
        const double product_magnitude = detail::absolute(product) + shift * detail::absolute(dy);
        product_size += product_magnitude;
        product_error += (bound.parameter_growth + 2 * bound.unit + share) * product_magnitude + bound.underflow;
      }
    }
    const double sum_error =
        bound.parameter_growth * size + static_cast<double>(problem.outer * problem.inner) * bound.underflow;
    NormalizationParameterGradients gradients{unless_overflow(products, product_size, product_error),
                                              unless_overflow(sum, size, sum_error)};
    if (!is_finite(products) && !bound.folded) gradients.gamma = {products, 0};
    if (!is_finite(sum)) gradients.beta = {sum, 0};
    return gradients;
  }

  /// The gradient of an element of that row, with E.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of_row(const NormalizationBackwardRow& row, double dy, double x,
                                                      double scale) const {
    const double term = dy * scale,
                 normalized = problem.kind == NormalizationKind::batch ? 0 : (x - row.mean) * row.inverse;
    const double rest = term - row.mean_gradient - normalized * row.projection, value = rest * row.inverse;
    if (!is_finite(value))
      return bound.folded ? ExpectedElement{0, infinity()}
                          : ExpectedElement{value, 0};  // of infinities, another order may make NaN
    const double most = row.inverse + row.inverse_error, peak = detail::absolute(term) +
                                                                detail::absolute(row.mean_gradient) +
                                                                detail::absolute(normalized * row.projection);
    if (!(peak * (1 + most) <= bound.largest / 8)) return {value, infinity()};
    return {value, most * (row.constant_error + row.slope_error * detail::absolute(normalized) +
                           4 * bound.unit * detail::absolute(term)) +
                       (row.inverse_error + 2 * bound.unit * row.inverse) * detail::absolute(rest) + bound.underflow};
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    if (output == 1) return parameters[column].gamma;
    if (output == 2) return parameters[column].beta;
    const Index outer = problem.inner == 1 ? row : row / problem.channels,
                channel = problem.inner == 1 ? column : row % problem.channels;
    return of_row(rows[problem.lane_of(outer, channel)], at(gradient, outer, channel, column),
                  at(input, outer, channel, column), scale_of(channel));
  }

 private:
  /// A sum with its error; undetermined where a partial sum may overflow.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement unless_overflow(double value, double magnitudes, double error) const {
    return magnitudes <= bound.largest / 4 ? ExpectedElement{value, error} : ExpectedElement{0, infinity()};
  }
  [[nodiscard]] ASSAY_FUNCTION static double infinity() { return detail::double_of(binary64_layout.infinity_bits()); }
};

/// Finds what a lane shares; or, where `of_channels`, the gradients of a channel's parameters.
struct NormalizationBackwardWork {
  NormalizationBackwardExpected expected;
  NormalizationBackwardRow* rows;
  NormalizationParameterGradients* parameters;
  bool of_channels;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    if (of_channels)
      parameters[index] = expected.parameters_of(static_cast<Index>(index));
    else
      rows[index] = expected.row_of(static_cast<Index>(index));
  }
};

/// O(elements) time, 56 bytes a mean and 32 a channel: elements are computed again while they are compared.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<NormalizationBackwardExpected>> normalization_backward_reference(
    B& backend, typename B::Stream& stream, const NormalizationBackwardProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic) {
  using Rows = typename B::template Buffer<NormalizationBackwardRow>;
  using Parameters = typename B::template Buffer<NormalizationParameterGradients>;
  struct Storage {
    Rows rows;
    Parameters parameters;
  };
  const auto lanes = static_cast<std::size_t>(problem.forward.lanes()),
             channels = static_cast<std::size_t>(problem.forward.channels);
  auto rows = backend.template allocate<NormalizationBackwardRow>(lanes + 1);
  if (!rows) return rows.propagate();
  auto parameters = backend.template allocate<NormalizationParameterGradients>(channels + 1);
  if (!parameters) return parameters.propagate();
  auto owned = std::make_shared<Storage>(Storage{std::move(rows).value(), std::move(parameters).value()});
  NormalizationProblem forward = problem.forward;
  if (forward.kind == NormalizationKind::batch && forward.saved == SavedStatistics::none)
    forward.saved = SavedStatistics::variance;
  NormalizationBackwardExpected expected{forward,
                                         NormalizationBackwardBound::of(problem, model, arithmetic),
                                         operands[0],
                                         operands[1],
                                         operands[2],
                                         operands[3],
                                         operands[4],
                                         owned->rows.data(),
                                         owned->parameters.data()};
  detail::WaitAtEnd work_on_them(backend, stream);
  if (auto run = backend.parallel_for(
          stream, lanes, NormalizationBackwardWork{expected, owned->rows.data(), owned->parameters.data(), false});
      !run)
    return run.propagate();
  if (auto run = backend.parallel_for(
          stream, channels, NormalizationBackwardWork{expected, owned->rows.data(), owned->parameters.data(), true});
      !run)
    return run.propagate();
  if (auto done = work_on_them.wait(); !done) return done.propagate();
  return OperationReference<NormalizationBackwardExpected>{expected, std::move(owned)};
}

}  // namespace assay::inline v0
