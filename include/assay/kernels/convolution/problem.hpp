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
  channels_first,  ///< NCHW with weights OIHW: images (batch, channel, axes…), weights (output channel, input channel of the group, axes…)
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
  Index stride = 1;          ///< between neighbouring outputs, in elements of the input
  Index dilation = 1;        ///< between neighbouring taps, in elements of the input
  Index padding_before = 0;  ///< zeros before the first element
  Index padding_after = 0;   ///< zeros behind the last element
  Index output_padding = 0;  ///< transposed convolutions only: so many outputs more at the end, below stride or dilation

  /// Elements that the kernel spans.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index reach() const { return dilation * (kernel - 1) + 1; }
  /// Extent of the output; not positive where the kernel does not fit.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index output(bool transposed) const {
    const Index padding = padding_before + padding_after;
    return transposed ? (input - 1) * stride - padding + reach() + output_padding : (input + padding - reach()) / stride + 1;
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(ConvolutionAxis& problem, Visit&& visit) {
  visit("input", problem.input, "kernel", problem.kernel, "stride", problem.stride, "dilation", problem.dilation, "padding_before",
        problem.padding_before, "padding_after", problem.padding_after, "output_padding", problem.output_padding);
}

/// A convolution as neural networks have it, which is a cross-correlation:
///
///   y[n, o, p] = bias[o] + Σ_{c, k} x[n, c, p·stride + k·dilation − padding_before]·w[o, c, k],
///
/// or, transposed, its adjoint in x with the roles of input and output exchanged and weights (input channel, output channel of the
/// group, axes…). Beyond the edges x is zero: kernels may multiply by those zeros or leave the products out, so an output that is
/// NaN under one of the two and not under the other is undetermined.
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
  visit("pass", problem.pass, "transposed", problem.transposed, "dimensions", problem.dimensions, "batch", problem.batch, "input_channels",
        problem.input_channels, "output_channels", problem.output_channels, "groups", problem.groups, "axes", problem.axes, "bias",
        problem.bias, "layout", problem.layout, "algorithm", problem.algorithm, "winograd_tile", problem.winograd_tile, "input",
        problem.input, "weights", problem.weights, "output", problem.output);
}

namespace detail {

[[nodiscard]] inline Result<void> check_axis(const ConvolutionProblem& problem, const ConvolutionAxis& axis, int place) {
  const std::string of_axis = " of axis " + std::to_string(place) + " is ";
  const auto within = [&](const char* field, Index value, Index least) -> Result<void> {
    if (value >= least && value <= (Index{1} << 31)) return {};
    return failure(ErrorKind::invalid, field + of_axis + std::to_string(value) + "; it must be from " + std::to_string(least) + " to 2^31");
  };
  if (auto done = within("input", axis.input, 1); !done) return done;
  if (auto done = within("kernel", axis.kernel, 1); !done) return done;
  if (auto done = within("stride", axis.stride, 1); !done) return done;
  if (auto done = within("dilation", axis.dilation, 1); !done) return done;
  if (auto done = within("padding_before", axis.padding_before, 0); !done) return done;
  if (auto done = within("padding_after", axis.padding_after, 0); !done) return done;
  if (auto done = within("output_padding", axis.output_padding, 0); !done) return done;
  if (axis.output_padding > 0 && !problem.transposed)
    return failure(ErrorKind::invalid,
                   "output_padding" + of_axis + std::to_string(axis.output_padding) + "; only transposed convolutions have one");
  if (axis.output_padding > 0 && axis.output_padding >= axis.stride && axis.output_padding >= axis.dilation)
    return failure(ErrorKind::invalid, "output_padding" + of_axis + std::to_string(axis.output_padding) +
                                           "; it must be below the stride, " + std::to_string(axis.stride) + ", or the dilation, " +
                                           std::to_string(axis.dilation));
  const Index padded = axis.input + axis.padding_before + axis.padding_after;
  if (!problem.transposed && axis.reach() > padded)
    return failure(ErrorKind::invalid, (axis.kernel <= padded ? "dilation" : "kernel") + of_axis +
                                           std::to_string(axis.kernel <= padded ? axis.dilation : axis.kernel) +
                                           "; the kernel reaches over " + std::to_string(axis.reach()) +
                                           " elements and the padded input has " + std::to_string(padded) + ": no output is left");
  if (problem.transposed && axis.output(true) < 1)
    return failure(ErrorKind::invalid, "padding_before" + of_axis + std::to_string(axis.padding_before) + "; with " +
                                           std::to_string(axis.padding_after) + " behind it no output is left");
  return {};
}

[[nodiscard]] inline Result<void> check_algorithm(const ConvolutionProblem& problem) {
  if (problem.algorithm == ConvolutionAlgorithm::direct) return {};
  const bool winograd = problem.algorithm == ConvolutionAlgorithm::winograd;
  const std::string algorithm = winograd ? "algorithm is winograd" : "algorithm is fft";
  if (problem.pass != ConvolutionPass::forward || problem.transposed)
    return failure(ErrorKind::invalid, algorithm + "; its bound is known for forward convolutions that are not transposed");
  if (winograd && problem.dimensions != 2)
    return failure(ErrorKind::invalid, algorithm + "; it needs 2 dimensions, not " + std::to_string(problem.dimensions));
  for (int d = 0; d < problem.dimensions; ++d) {
    const ConvolutionAxis& axis = problem.axes[d];
    if (axis.stride != 1 || axis.dilation != 1) return failure(ErrorKind::invalid, algorithm + "; it needs strides and dilations of 1");
    if (winograd && axis.kernel != 3) return failure(ErrorKind::invalid, algorithm + "; it needs 3x3 kernels");
  }
  if (winograd && problem.winograd_tile != 2 && problem.winograd_tile != 4)
    return failure(ErrorKind::invalid, "winograd_tile is " + std::to_string(problem.winograd_tile) + "; bounds are known for 2 and 4");
  return {};
}

}  // namespace detail

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const ConvolutionProblem& problem) {
  if (problem.dimensions < 1 || problem.dimensions > 3)
    return failure(ErrorKind::invalid, "dimensions is " + std::to_string(problem.dimensions) + "; it must be 1, 2 or 3");
  if (auto extents = check_extents(
          {{"batch", problem.batch}, {"input_channels", problem.input_channels}, {"output_channels", problem.output_channels}});
      !extents)
    return extents;
  if (problem.groups < 1) return failure(ErrorKind::invalid, "groups is " + std::to_string(problem.groups) + "; it must be 1 or more");
  if (problem.input_channels % problem.groups != 0 || problem.output_channels % problem.groups != 0)
    return failure(ErrorKind::invalid, "groups is " + std::to_string(problem.groups) + "; it must divide input_channels, " +
                                           std::to_string(problem.input_channels) + ", and output_channels, " +
                                           std::to_string(problem.output_channels));
  Index input = 1, output = 1, kernel = 1;
  for (int d = 0; d < problem.dimensions; ++d) {
    const ConvolutionAxis& axis = problem.axes[d];
    if (auto checked = detail::check_axis(problem, axis, d); !checked) return checked;
    if (input > 0) input = checked_product(input, axis.input);
    if (output > 0) output = checked_product(output, axis.output(problem.transposed));
    if (kernel > 0) kernel = checked_product(kernel, axis.kernel);
  }
  if (input < 0 || output < 0 || kernel < 0) return failure(ErrorKind::invalid, "the extents of the axes exceed 2^63 − 1 elements");
  for (const auto& [channels, extent] : {std::pair{problem.input_channels, input}, std::pair{problem.output_channels, output}})
    if (auto extents = check_extents({{"batch", problem.batch}, {"channels", channels}, {"input or output extents", extent}}); !extents)
      return extents;
  if (auto extents =
          check_extents({{"input_channels", problem.input_channels}, {"output_channels", problem.output_channels}, {"kernel", kernel}});
      !extents)
    return extents;
  if (problem.bias && problem.pass == ConvolutionPass::backward_data)
    return failure(ErrorKind::invalid, "bias is true; the gradient of the input does not depend on it");
  if (auto algorithm = detail::check_algorithm(problem); !algorithm) return algorithm;
  return check_float_formats({{"input", problem.input}, {"weights", problem.weights}, {"output", problem.output}});
}

/// "n2-c64x128-i56x56-k3x3-s2x2-p1.0x1.0-g4-bias-last".
[[nodiscard]] inline std::string name_of(const ConvolutionProblem& problem) {
  const auto of_axes = [&](const char* mark, auto&& text, const std::string& usual) {
    std::string all;
    bool unusual = usual.empty();
    for (int d = 0; d < problem.dimensions; ++d) {
      const std::string one = text(problem.axes[d]);
      unusual = unusual || one != usual;
      all += (d > 0 ? "x" : "") + one;
    }
    return unusual ? "-" + std::string(mark) + all : std::string();
  };
  std::string name =
      "n" + std::to_string(problem.batch) + "-c" + std::to_string(problem.input_channels) + "x" + std::to_string(problem.output_channels);
  name += of_axes(
      "i", [](const ConvolutionAxis& axis) { return std::to_string(axis.input); }, "");
  name += of_axes(
      "k", [](const ConvolutionAxis& axis) { return std::to_string(axis.kernel); }, "");
  name += of_axes(
      "s", [](const ConvolutionAxis& axis) { return std::to_string(axis.stride); }, "1");
  name += of_axes(
      "d", [](const ConvolutionAxis& axis) { return std::to_string(axis.dilation); }, "1");
  name += of_axes(
      "p",
      [](const ConvolutionAxis& axis) {
        return std::to_string(axis.padding_before) +
               (axis.padding_after != axis.padding_before ? "." + std::to_string(axis.padding_after) : "");
      },
      "0");
  name += of_axes(
      "op", [](const ConvolutionAxis& axis) { return std::to_string(axis.output_padding); }, "0");
  if (problem.groups != 1) name += "-g" + std::to_string(problem.groups);
  if (problem.bias) name += "-bias";
  if (problem.layout == ConvolutionLayout::channels_last) name += "-last";
  if (problem.algorithm == ConvolutionAlgorithm::winograd) name += "-winograd" + std::to_string(problem.winograd_tile);
  if (problem.algorithm == ConvolutionAlgorithm::fft) name += "-fft";
  return name;
}

}  // namespace assay::inline v0
