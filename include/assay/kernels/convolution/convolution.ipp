#pragma once

#include "assay/kernels/convolution/convolution.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Convolution::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const bool last = problem.layout == ConvolutionLayout::channels_last;
  std::vector<Index> input{problem.batch}, output{problem.batch};
  std::vector<Index> weights{problem.transposed ? problem.input_channels : problem.output_channels};
  const Index second = (problem.transposed ? problem.output_channels : problem.input_channels) / problem.groups;
  const auto add_channels = [&] {
    input.push_back(problem.input_channels);
    output.push_back(problem.output_channels);
    weights.push_back(second);
  };
  if (!last) add_channels();
  for (int d = 0; d < problem.dimensions; ++d) {
    const ConvolutionAxis& axis = problem.axes[d];
    input.push_back(axis.input);
    output.push_back(axis.output(problem.transposed));
    weights.push_back(axis.kernel);
  }
  if (last) add_channels();
  using enum ConvolutionPass;
  const auto role = [&](ConvolutionPass written) {
    return problem.pass == written ? OperandRole::output : OperandRole::input;
  };
  const auto title = [&](const char* own, ConvolutionPass written) {
    return std::string(own) + (problem.pass == written ? "_gradient" : "");
  };
  return std::vector<OperandSpec>{
      {title("input", backward_data), role(backward_data), problem.input, std::move(input), true},
      {title("weights", backward_weights), role(backward_weights), problem.weights, std::move(weights), true},
      {title("bias", backward_weights),
       role(backward_weights),
       problem.weights,
       {problem.output_channels},
       problem.bias},
      {problem.pass == forward ? "output" : "output_gradient", role(forward), problem.output, std::move(output), true}};
}

}  // namespace assay::inline v0
