#pragma once

#include "assay/kernels/convolution/geometry.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE ConvolutionGeometry ConvolutionGeometry::of(const ConvolutionProblem& problem) {
  ConvolutionGeometry geometry;
  const bool turned = problem.transposed;
  if (problem.pass == ConvolutionPass::backward_weights)
    geometry.product = ConvolutionProduct::weights;
  else
    geometry.product =
        (problem.pass == ConvolutionPass::forward) != turned ? ConvolutionProduct::coarse : ConvolutionProduct::fine;
  geometry.channels_last = problem.layout == ConvolutionLayout::channels_last;
  geometry.batch = problem.batch;
  geometry.groups = problem.groups;
  geometry.fine_channels = (turned ? problem.output_channels : problem.input_channels) / problem.groups;
  geometry.coarse_channels = (turned ? problem.input_channels : problem.output_channels) / problem.groups;
  for (int d = 0; d < problem.dimensions; ++d) {
    const ConvolutionAxis& axis = problem.axes[d];
    const int to = 3 - problem.dimensions + d;
    geometry.fine[to] = turned ? axis.output(true) : axis.input;
    geometry.coarse[to] = turned ? axis.input : axis.output(false);
    geometry.kernel[to] = axis.kernel;
    geometry.stride[to] = axis.stride;
    geometry.dilation[to] = axis.dilation;
    geometry.padding[to] = axis.padding_before;
  }
  return geometry;
}

ASSAY_DETAIL_HEADER_INLINE ConvolutionTensor ConvolutionTensor::of(const Operand& operand, bool channels_last) {
  ConvolutionTensor tensor;
  tensor.operand = operand;
  if (!operand.present()) return tensor;
  const int axes = operand.rank - 2, first_axis = channels_last ? 1 : 2;
  tensor.first_stride = operand.strides[0];
  tensor.second_stride = operand.strides[channels_last ? operand.rank - 1 : 1];
  for (int d = 0; d < axes; ++d) tensor.strides[3 - axes + d] = operand.strides[first_axis + d];
  return tensor;
}

}  // namespace assay::inline v0
