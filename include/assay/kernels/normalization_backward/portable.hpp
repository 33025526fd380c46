#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/normalization_backward/problem.hpp"

namespace assay::inline v0 {

/// Gradients in single precision: index i < lanes is what one mean was taken of (of a batch, a channel), the rest are
/// channels whose parameters get their gradients.
struct PortableNormalizationBackward {
  NormalizationProblem problem;
  Operand gradient, input, gamma, mean, deviation, input_gradient, gamma_gradient, beta_gradient;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const auto position = static_cast<Index>(index);
    if (position >= problem.lanes())
      write_parameters(position - problem.lanes());
    else if (problem.kind == NormalizationKind::batch)
      write_channel(position);
    else
      write_lane(position);
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION Index place(Index outer, Index channel, Index inner) const {
    return (outer * problem.channels + channel) * problem.inner + inner;
  }
  [[nodiscard]] ASSAY_FUNCTION float inverse_of(Index lane) const {
    const auto saved = static_cast<float>(deviation.at(lane));
    return problem.saved == SavedStatistics::inverse_deviation
               ? saved
               : 1 / std::sqrt(saved + static_cast<float>(problem.epsilon));
  }
  [[nodiscard]] ASSAY_FUNCTION float normalized(Index element, Index lane, float inverse) const {
    return (static_cast<float>(input.load(element)) - (problem.centered() ? static_cast<float>(mean.at(lane)) : 0)) *
           inverse;
  }
  [[nodiscard]] ASSAY_FUNCTION float term(Index element, Index channel) const {
    return static_cast<float>(gradient.load(element)) * (problem.gamma ? static_cast<float>(gamma.at(channel)) : 1);
  }

  ASSAY_FUNCTION void write_channel(Index channel) const {
    const float inverse = inverse_of(channel);
    for (Index outer = 0; outer < problem.outer; ++outer)
      for (Index i = 0; i < problem.inner; ++i)
        input_gradient.store(place(outer, channel, i), term(place(outer, channel, i), channel) * inverse);
  }
  ASSAY_FUNCTION void write_lane(Index lane) const {
    const Index channels = problem.channels / problem.groups, outer = lane / problem.groups,
                first = lane % problem.groups * channels;
    const float inverse = inverse_of(lane), count = static_cast<float>(problem.lane_length());
    float sum = 0, projection = 0;
    for (Index channel = first; channel < first + channels; ++channel)
      for (Index i = 0; i < problem.inner; ++i) {
        const Index element = place(outer, channel, i);
        sum += term(element, channel);
        projection += term(element, channel) * normalized(element, lane, inverse);
      }
    const float mean_gradient = problem.centered() ? sum / count : 0, mean_projection = projection / count;
    for (Index channel = first; channel < first + channels; ++channel)
      for (Index i = 0; i < problem.inner; ++i) {
        const Index element = place(outer, channel, i);
        input_gradient.store(element, inverse * (term(element, channel) - mean_gradient -
                                                 normalized(element, lane, inverse) * mean_projection));
      }
  }
  ASSAY_FUNCTION void write_parameters(Index channel) const {
    float products = 0, sum = 0;
    for (Index outer = 0; outer < problem.outer; ++outer) {
      const Index lane = problem.lane_of(outer, channel);
      const float inverse = inverse_of(lane);
      for (Index i = 0; i < problem.inner; ++i) {
        const Index element = place(outer, channel, i);
        const auto dy = static_cast<float>(gradient.load(element));
        products += dy * normalized(element, lane, inverse);
        sum += dy;
      }
    }
    if (gamma_gradient.present()) gamma_gradient.store(channel, products);
    if (beta_gradient.present()) beta_gradient.store(channel, sum);
  }
};

/// A normalization's gradients for any parallel backend and formats, written to be read. They are validated like
/// everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_normalization_backward(B& backend, typename B::Stream& stream,
                                                           const NormalizationBackwardProblem& problem,
                                                           const OperandArray& operands) {
  const PortableNormalizationBackward kernel{problem.forward, operands[0], operands[1], operands[2], operands[3],
                                             operands[4],     operands[5], operands[6], operands[7]};
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.forward.lanes() + problem.forward.channels),
                              kernel);
}

}  // namespace assay::inline v0
