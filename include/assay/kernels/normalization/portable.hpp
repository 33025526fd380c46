#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/normalization/reference.hpp"

namespace assay::inline v0 {

/// All that one mean is taken of, in single precision: mean, mean of squared distances, results. Of a batch, one outer
/// index.
struct PortableNormalization {
  NormalizationProblem problem;
  Operand input, gamma, beta, given_mean, given_variance, output, saved_mean, saved_deviation;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const auto position = static_cast<Index>(index);
    if (problem.kind == NormalizationKind::batch) {
      for (Index channel = 0; channel < problem.channels; ++channel)
        write(position, channel, static_cast<float>(given_mean.at(channel)),
              inverse_of(static_cast<float>(given_variance.at(channel))));
      return;
    }
    const NormalizationLane lane = NormalizationLane::of(problem, position);
    const auto count = static_cast<float>(problem.lane_length());
    const Index last_channel = lane.first_channel + problem.channels / problem.groups;
    float mean = 0, variance = 0;
    if (problem.centered())
      for (Index channel = lane.first_channel; channel < last_channel; ++channel)
        for (Index i = 0; i < problem.inner; ++i) mean += element(lane.outer, channel, i);
    mean /= problem.centered() ? count : 1;
    for (Index channel = lane.first_channel; channel < last_channel; ++channel)
      for (Index i = 0; i < problem.inner; ++i) {
        const float distance = element(lane.outer, channel, i) - mean;
        variance += distance * distance;
      }
    variance /= count;
    const float inverse = inverse_of(variance);
    for (Index channel = lane.first_channel; channel < last_channel; ++channel)
      write(lane.outer, channel, mean, inverse);
    if (saved_mean.present()) saved_mean.store(position, mean);
    if (saved_deviation.present())
      saved_deviation.store(position, problem.saved == SavedStatistics::variance ? variance : inverse);
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION Index place(Index outer, Index channel, Index inner) const {
    return (outer * problem.channels + channel) * problem.inner + inner;
  }
  [[nodiscard]] ASSAY_FUNCTION float element(Index outer, Index channel, Index inner) const {
    return static_cast<float>(input.load(place(outer, channel, inner)));
  }
  [[nodiscard]] ASSAY_FUNCTION float inverse_of(float variance) const {
    return 1 / std::sqrt(variance + static_cast<float>(problem.epsilon));
  }
  ASSAY_FUNCTION void write(Index outer, Index channel, float mean, float inverse) const {
    const float scale = problem.gamma ? static_cast<float>(gamma.at(channel)) : 1,
                shift = problem.beta ? static_cast<float>(beta.at(channel)) : 0;
    for (Index i = 0; i < problem.inner; ++i) {
      float normalized = (element(outer, channel, i) - mean) * inverse;
      if (problem.rounded_before_gamma)
        normalized = static_cast<float>(problem.output.round(static_cast<double>(normalized)));
      output.store(place(outer, channel, i), normalized * scale + shift);
    }
  }
};

/// A normalization for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_normalization(B& backend, typename B::Stream& stream,
                                                  const NormalizationProblem& problem, const OperandArray& operands) {
  const PortableNormalization kernel{problem,     operands[0], operands[1], operands[2], operands[3],
                                     operands[4], operands[5], operands[6], operands[7]};
  return backend.parallel_for(
      stream, static_cast<std::size_t>(problem.kind == NormalizationKind::batch ? problem.outer : problem.lanes()),
      kernel);
}

}  // namespace assay::inline v0
