#pragma once

#include <string>
#include <utility>

#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What is computed.
enum class ConvolutionPass {
  forward,
  backward_data,    ///< the gradient of the input
  backward_weights  ///< the gradients of the weights and, where the problem has one, of the bias
};

/// Where channels stand in memory.
enum class ConvolutionLayout {
  /// NCHW with weights OIHW: images (batch, channel, axes…), weights (output channel, input channel of the group,
  /// axes…)
  channels_first,
  channels_last  ///< NHWC with weights OHWI
};

/// How a kernel is allowed to compute, which decides what its errors are measured against.
enum class ConvolutionAlgorithm {
  direct,    ///< every output is a sum of its own products: errors are relative to Σ|x·w|
  winograd,  ///< F(m×m, 3×3) with Lavin's and Gray's matrices: errors are relative to the norms of transformed tiles
  fft        ///< errors are relative to the Euclidean norms of images and filters
};

/// One spatial axis.
struct ConvolutionAxis {
  Index input = 1;           ///< extent of the input
  Index kernel = 1;          ///< taps
  Index stride = 1;          ///< between neighboring outputs, in elements of the input
  Index dilation = 1;        ///< between neighboring taps, in elements of the input
  Index padding_before = 0;  ///< zeros before the first element
  Index padding_after = 0;   ///< zeros behind the last element
  Index output_padding =
      0;  ///< transposed convolutions only: so many outputs more at the end, below stride or dilation

  /// Elements that the kernel spans.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index reach() const { return dilation * (kernel - 1) + 1; }
  /// Extent of the output; not positive where the kernel does not fit.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index output(bool transposed) const {
    const Index padding = padding_before + padding_after;
    return transposed ? (input - 1) * stride - padding + reach() + output_padding
                      : (input + padding - reach()) / stride + 1;
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(ConvolutionAxis& problem, Visit&& visit) {
  visit("input", problem.input, "kernel", problem.kernel, "stride", problem.stride, "dilation", problem.dilation,
        "padding_before", problem.padding_before, "padding_after", problem.padding_after, "output_padding",
        problem.output_padding);
}

/// A convolution as neural networks have it, which is a cross-correlation:
///
///   y[n, o, p] = bias[o] + Σ_{c, k} x[n, c, p·stride + k·dilation − padding_before]·w[o, c, k],
///
/// or, transposed, its adjoint in x with the roles of input and output exchanged and weights (input channel, output
/// channel of the group, axes…). Beyond the edges x is zero: kernels may multiply by those zeros or leave the products
/// out, so an output that is NaN under one of the two and not under the other is undetermined.
struct ConvolutionProblem {
  ConvolutionPass pass = ConvolutionPass::forward;
  bool transposed = false;
  int dimensions = 2;         ///< 1 to 3
  Index batch = 1;            ///< images
  Index input_channels = 1;   ///< of all groups
  Index output_channels = 1;  ///< of all groups
  Index groups = 1;           ///< of channels; divides both numbers of channels
  ConvolutionAxis axes[3];    ///< the first `dimensions` of them
  bool bias = false;          ///< forward: added; backward_weights: its gradient is an output, too
  ConvolutionLayout layout = ConvolutionLayout::channels_first;
  ConvolutionAlgorithm algorithm = ConvolutionAlgorithm::direct;
  int winograd_tile = 2;                              ///< m, 2 or 4; tiles begin at the first output
  ElementFormat input = element_format<float32>();    ///< of the input and its gradient
  ElementFormat weights = element_format<float32>();  ///< of weights, bias and their gradients
  ElementFormat output = element_format<float32>();   ///< of the output and its gradient
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(ConvolutionProblem& problem, Visit&& visit) {
  visit("pass", problem.pass, "transposed", problem.transposed, "dimensions", problem.dimensions, "batch",
        problem.batch, "input_channels", problem.input_channels, "output_channels", problem.output_channels, "groups",
        problem.groups, "axes", problem.axes, "bias", problem.bias, "layout", problem.layout, "algorithm",
        problem.algorithm, "winograd_tile", problem.winograd_tile, "input", problem.input, "weights", problem.weights,
        "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const ConvolutionProblem& problem);

/// "n2-c64x128-i56x56-k3x3-s2x2-p1.0x1.0-g4-bias-last".
[[nodiscard]] std::string name_of(const ConvolutionProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/convolution/problem.ipp"
#endif
