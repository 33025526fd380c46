#pragma once

#include "assay/kernels/convolution/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_axis(const ConvolutionProblem& problem,
                                                                 const ConvolutionAxis& axis, int place) {
  const std::string of_axis = " of axis " + std::to_string(place) + " is ";
  const auto within = [&](const char* field, Index value, Index least) -> Result<void> {
    if (value >= least && value <= (Index{1} << 31)) return {};
    return failure(ErrorKind::invalid,
                   field + of_axis + std::to_string(value) + "; it must be from " + std::to_string(least) + " to 2^31");
  };
  if (auto done = within("input", axis.input, 1); !done) return done;
  if (auto done = within("kernel", axis.kernel, 1); !done) return done;
  if (auto done = within("stride", axis.stride, 1); !done) return done;
  if (auto done = within("dilation", axis.dilation, 1); !done) return done;
  if (auto done = within("padding_before", axis.padding_before, 0); !done) return done;
  if (auto done = within("padding_after", axis.padding_after, 0); !done) return done;
  if (auto done = within("output_padding", axis.output_padding, 0); !done) return done;
  if (axis.output_padding > 0 && !problem.transposed)
    return failure(ErrorKind::invalid, "output_padding" + of_axis + std::to_string(axis.output_padding) +
                                           "; only transposed convolutions have one");
  if (axis.output_padding > 0 && axis.output_padding >= axis.stride && axis.output_padding >= axis.dilation)
    return failure(ErrorKind::invalid, "output_padding" + of_axis + std::to_string(axis.output_padding) +
                                           "; it must be below the stride, " + std::to_string(axis.stride) +
                                           ", or the dilation, " + std::to_string(axis.dilation));
  const Index padded = axis.input + axis.padding_before + axis.padding_after;
  if (!problem.transposed && axis.reach() > padded)
    return failure(ErrorKind::invalid, (axis.kernel <= padded ? "dilation" : "kernel") + of_axis +
                                           std::to_string(axis.kernel <= padded ? axis.dilation : axis.kernel) +
                                           "; the kernel reaches over " + std::to_string(axis.reach()) +
                                           " elements and the padded input has " + std::to_string(padded) +
                                           ": no output is left");
  if (problem.transposed && axis.output(true) < 1)
    return failure(ErrorKind::invalid, "padding_before" + of_axis + std::to_string(axis.padding_before) + "; with " +
                                           std::to_string(axis.padding_after) + " behind it no output is left");
  return {};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_algorithm(const ConvolutionProblem& problem) {
  if (problem.algorithm == ConvolutionAlgorithm::direct) return {};
  const bool winograd = problem.algorithm == ConvolutionAlgorithm::winograd;
  const std::string algorithm = winograd ? "algorithm is winograd" : "algorithm is fft";
  if (problem.pass != ConvolutionPass::forward || problem.transposed)
    return failure(ErrorKind::invalid,
                   algorithm + "; its bound is known for forward convolutions that are not transposed");
  if (winograd && problem.dimensions != 2)
    return failure(ErrorKind::invalid,
                   algorithm + "; it needs 2 dimensions, not " + std::to_string(problem.dimensions));
  for (int d = 0; d < problem.dimensions; ++d) {
    const ConvolutionAxis& axis = problem.axes[d];
    if (axis.stride != 1 || axis.dilation != 1)
      return failure(ErrorKind::invalid, algorithm + "; it needs strides and dilations of 1");
    if (winograd && axis.kernel != 3) return failure(ErrorKind::invalid, algorithm + "; it needs 3x3 kernels");
  }
  if (winograd && problem.winograd_tile != 2 && problem.winograd_tile != 4)
    return failure(ErrorKind::invalid,
                   "winograd_tile is " + std::to_string(problem.winograd_tile) + "; bounds are known for 2 and 4");
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const ConvolutionProblem& problem) {
  if (problem.dimensions < 1 || problem.dimensions > 3)
    return failure(ErrorKind::invalid,
                   "dimensions is " + std::to_string(problem.dimensions) + "; it must be 1, 2 or 3");
  if (auto extents = check_extents({{"batch", problem.batch},
                                    {"input_channels", problem.input_channels},
                                    {"output_channels", problem.output_channels}});
      !extents)
    return extents;
  if (problem.groups < 1)
    return failure(ErrorKind::invalid, "groups is " + std::to_string(problem.groups) + "; it must be 1 or more");
  if (problem.input_channels % problem.groups != 0 || problem.output_channels % problem.groups != 0)
    return failure(ErrorKind::invalid, "groups is " + std::to_string(problem.groups) +
                                           "; it must divide input_channels, " +
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
  if (input < 0 || output < 0 || kernel < 0)
    return failure(ErrorKind::invalid, "the extents of the axes exceed 2^63 − 1 elements");
  for (const auto& [channels, extent] :
       {std::pair{problem.input_channels, input}, std::pair{problem.output_channels, output}})
    if (auto extents =
            check_extents({{"batch", problem.batch}, {"channels", channels}, {"input or output extents", extent}});
        !extents)
      return extents;
  if (auto extents = check_extents({{"input_channels", problem.input_channels},
                                    {"output_channels", problem.output_channels},
                                    {"kernel", kernel}});
      !extents)
    return extents;
  if (problem.bias && problem.pass == ConvolutionPass::backward_data)
    return failure(ErrorKind::invalid, "bias is true; the gradient of the input does not depend on it");
  if (auto algorithm = detail::check_algorithm(problem); !algorithm) return algorithm;
  return check_float_formats({{"input", problem.input}, {"weights", problem.weights}, {"output", problem.output}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const ConvolutionProblem& problem) {
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
  std::string name = "n" + std::to_string(problem.batch) + "-c" + std::to_string(problem.input_channels) + "x" +
                     std::to_string(problem.output_channels);
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
