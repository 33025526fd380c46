#pragma once

#include <new>
#include <string>
#include <unsupported/Eigen/CXX11/Tensor>
#include <utility>

#include "assay/adapters/eigen/eigen.hpp"
#include "assay/kernels/convolution/convolution.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// One image, or one filter, of a group: (channels, axes…) on three axes.
using EigenVolume = Eigen::Tensor<float, 4, Eigen::RowMajor>;

[[nodiscard]] inline EigenVolume eigen_volume(const ConvolutionTensor& tensor, Index first, Index channel,
                                              Index channels, const Index (&extents)[3]) {
  EigenVolume volume(channels, extents[0], extents[1], extents[2]);
  const float* data = static_cast<const float*>(tensor.operand.data);
  for (Index c = 0; c < channels; ++c) {
    Index at[3];
    for (at[0] = 0; at[0] < extents[0]; ++at[0])
      for (at[1] = 0; at[1] < extents[1]; ++at[1])
        for (at[2] = 0; at[2] < extents[2]; ++at[2])
          volume(c, at[0], at[1], at[2]) = data[tensor.offset(first, channel + c, at)];
  }
  return volume;
}

/// Filter by filter: pad, convolve over channels and axes, and take every stride-th result.
inline void eigen_convolution(const ConvolutionProblem& problem, const OperandArray& operands) {
  using Operands = ConvolutionOperands;
  const ConvolutionTerms terms = Operands::terms(problem, operands);
  const ConvolutionGeometry& geometry = terms.geometry;
  Eigen::array<std::pair<Index, Index>, 4> padding{};
  const Eigen::array<Index, 4> dimensions{0, 1, 2, 3};
  Eigen::array<Index, 4> stride{1, 1, 1, 1};
  for (int d = 0; d < 3; ++d) {
    const std::size_t to = static_cast<std::size_t>(d) + 1;
    const int axis = d - (3 - problem.dimensions);
    stride[to] = geometry.stride[d];
    if (axis >= 0) padding[to] = {problem.axes[axis].padding_before, problem.axes[axis].padding_after};
  }
  for (Index n = 0; n < geometry.batch; ++n)
    for (Index group = 0; group < geometry.groups; ++group) {
      const EigenVolume padded =
          eigen_volume(terms.fine, n, group * geometry.fine_channels, geometry.fine_channels, geometry.fine)
              .pad(padding);
      for (Index own = 0; own < geometry.coarse_channels; ++own) {
        const Index channel = group * geometry.coarse_channels + own;
        const EigenVolume filter = eigen_volume(terms.weights, channel, 0, geometry.fine_channels, geometry.kernel);
        const EigenVolume all = padded.convolve(filter, dimensions);
        const EigenVolume results = all.stride(stride);
        const float bias = problem.bias ? static_cast<float>(operands[Operands::bias].load(channel)) : 0.0F;
        float* data = static_cast<float*>(terms.coarse.operand.data);
        Index at[3];
        for (at[0] = 0; at[0] < geometry.coarse[0]; ++at[0])
          for (at[1] = 0; at[1] < geometry.coarse[1]; ++at[1])
            for (at[2] = 0; at[2] < geometry.coarse[2]; ++at[2])
              data[terms.coarse.offset(n, channel, at)] = results(0, at[0], at[1], at[2]) + bias;
      }
    }
}

}  // namespace detail

/// The convolution of Eigen's Tensor module, for forward passes in float32. Filters are convolved one by one; the bias
/// is added in float32 behind them. Gradients and transposed convolutions are unsupported, since the module has none,
/// and so are images without channels, where its loops do not begin.
template <>
struct kernel<EigenLibrary, Convolution> {
  static constexpr bool available = true;

  static Result<void> run(EigenLibrary&, EigenLibrary::Stream&, const ConvolutionProblem& problem,
                          const OperandArray& operands) {
    if (problem.pass != ConvolutionPass::forward || problem.transposed)
      return failure(ErrorKind::unsupported, "Eigen's Tensor module has no " + Convolution::operation_of(problem));
    if (problem.algorithm != ConvolutionAlgorithm::direct)
      return failure(ErrorKind::unsupported, "Eigen's Tensor module convolves directly");
    for (const ElementFormat& format : {problem.input, problem.weights, problem.output})
      if (!(format == element_format<float32>()))
        return failure(ErrorKind::unsupported,
                       std::string("Eigen's convolution is offered in f32, not ") + format.name);
    for (int d = 0; d < problem.dimensions; ++d)
      if (problem.axes[d].dilation != 1)
        return failure(ErrorKind::unsupported,
                       "Eigen's convolution has no dilation: filters inflated with zeros would make NaN of infinities "
                       "that lie between the taps");
    if (problem.input_channels == 0)
      return failure(ErrorKind::unsupported, "Eigen's convolution is not asked for images without channels");
    try {
      detail::eigen_convolution(problem, operands);
    } catch (const std::bad_alloc&) {
      return failure(ErrorKind::out_of_memory, "Eigen's convolution ran out of host memory");
    }
    return {};
  }
};

}  // namespace assay::inline v0
