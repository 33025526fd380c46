#pragma once

#include "assay/kernels/convolution/data.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE OperationData ConvolutionData::make(const ConvolutionProblem& problem, FillKind kind,
                                                               const Arithmetic& arithmetic, std::uint64_t seed) {
  using Operands = ConvolutionOperands;
  const ConvolutionGeometry geometry = ConvolutionGeometry::of(problem);
  const bool of_weights = problem.pass == ConvolutionPass::backward_weights, last = geometry.channels_last;
  const int left = problem.pass == ConvolutionPass::backward_data ? Operands::output : Operands::input;
  const int right = of_weights ? Operands::output : Operands::weights;
  const bool left_is_fine = (left == Operands::input) != problem.transposed;
  const Index left_positions = left_is_fine ? geometry.fine_positions() : geometry.coarse_positions(),
              left_channels = left_is_fine ? geometry.fine_channels : geometry.coarse_channels;
  const Index right_positions = left_is_fine ? geometry.coarse_positions() : geometry.fine_positions(),
              right_channels = left_is_fine ? geometry.coarse_channels : geometry.fine_channels;
  const Index groups = geometry.groups;

  OperationData data;
  data.model = RoundingModel::statistical;
  data.operands.resize(Operands::count);
  OperandFill &of_left = data.operands[static_cast<std::size_t>(left)],
              &of_right = data.operands[static_cast<std::size_t>(right)], &of_bias = data.operands[Operands::bias];
  const ElementFormat &left_format = left == Operands::input ? problem.input : problem.output,
                      &right_format = of_weights ? problem.output : problem.weights;
  of_left.pattern = {kind, seed * 4, left_channels, left_format.layout};
  of_left.inner = last ? 1 : left_positions;
  of_right.pattern = {kind, seed * 4 + 1, left_channels, right_format.layout};
  of_right.inner = left_is_fine ? (last ? 1 : geometry.taps()) : geometry.fine_channels * geometry.taps();
  of_bias.pattern = {kind == FillKind::special ? FillKind::normal : kind, seed * 4 + 2, problem.output_channels,
                     problem.weights.layout};
  const auto along_positions = [&](OperandFill& fill, Index positions, Index channels) {
    fill.pattern.length = positions;
    fill.inner = last ? groups * channels : 1;
  };
  if (of_weights) {
    along_positions(of_left, left_positions, left_channels);
    along_positions(of_right, right_positions, right_channels);
  }
  const auto along_filter = [&] {
    if (of_weights) return;
    of_right.pattern.length = geometry.fine_channels * geometry.taps();
    of_right.inner = 1;
  };
  switch (kind) {
    case FillKind::uniform: {
      const Index of_bias_gradient =
          of_weights && problem.bias
              ? problem.batch * (problem.transposed ? geometry.fine_positions() : geometry.coarse_positions())
              : 0;
      const Index longest = geometry.terms() > of_bias_gradient ? geometry.terms() : of_bias_gradient;
      data.model = positive_sum_model(longest, arithmetic.accumulation, data.model);
      break;
    }
    case FillKind::exact_integer: {
      const Index most = 4 * (geometry.terms() > problem.batch * left_positions * right_positions ? geometry.terms()
                              : of_weights ? problem.batch * (left_positions + right_positions)
                                           : geometry.terms()) +
                         2;
      const bool fits = arithmetic.accumulation.precision < 62 && most <= Index{1} << arithmetic.accumulation.precision;
      if (fits && problem.algorithm == ConvolutionAlgorithm::direct) data.model = RoundingModel::exact;
      break;
    }
    case FillKind::one_hot:
      along_positions(of_left, left_positions, left_channels);
      of_right.pattern.kind = of_bias.pattern.kind = FillKind::normal;
      break;
    case FillKind::constant:
    case FillKind::near_tie:
      of_left.pattern.kind = of_right.pattern.kind = of_bias.pattern.kind = FillKind::constant;
      of_right.scale = 3;
      data.model = RoundingModel::worst_case;
      break;
    case FillKind::canceling:
      of_left = OperandFill::of(repeated(problem, of_left.pattern, left_is_fine, of_weights));
      of_bias.pattern.kind = FillKind::normal;
      of_bias.scale = 0x1p-6;
      break;
    case FillKind::swamping:
      of_right.pattern.kind = of_bias.pattern.kind = FillKind::uniform;
      data.model = RoundingModel::worst_case;
      break;
    case FillKind::subnormal: of_right.pattern.kind = FillKind::normal; break;
    case FillKind::extreme:
      along_positions(of_left, left_positions, left_channels);
      of_right.pattern.kind = FillKind::one_hot;
      of_bias.pattern.kind = FillKind::constant;
      of_bias.scale = 0;
      along_filter();
      data.model = RoundingModel::worst_case;
      break;
    case FillKind::special:
      along_filter();
      if (meets_padding(problem))
        (of_weights && problem.transposed ? of_left : of_right).pattern.kind = FillKind::normal;
      break;
    default: break;
  }
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<double> ConvolutionData::repeated(const ConvolutionProblem& problem,
                                                                         Fill pattern, bool fine, bool by_channel) {
  const ConvolutionGeometry geometry = ConvolutionGeometry::of(problem);
  const Index positions = fine ? geometry.fine_positions() : geometry.coarse_positions(),
              channels = geometry.groups * (fine ? geometry.fine_channels : geometry.coarse_channels);
  pattern.kind = FillKind::normal;
  std::vector<double> values(static_cast<std::size_t>(problem.batch * positions * channels));
  for (std::size_t e = 0; e < values.size(); ++e) {
    const Index element = static_cast<Index>(e), image = element / (positions * channels),
                within = element % (positions * channels);
    const Index channel = geometry.channels_last ? within % channels : within / positions,
                position = geometry.channels_last ? within / channels : within % positions;
    values[e] = pattern(image, by_channel ? channel : position);
  }
  return values;
}

}  // namespace assay::inline v0
