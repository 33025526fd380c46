#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/detail/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// How values between pixels are had.
enum class ResizeMode { nearest, linear, cubic };

/// Which source coordinate s an output position o has, for extents n → m.
enum class ResizeCoordinates {
  half_pixel,     ///< s = (o + ½)·n/m − ½
  align_corners,  ///< s = o·(n − 1)/(m − 1), 0 where m = 1
  asymmetric      ///< s = o·n/m
};

/// Which element is the nearest to a coordinate.
enum class NearestRounding { floor, ceil, half_down, half_up };

/// Resampling of one to three spatial dimensions by separable interpolation. Coordinates beyond the borders read the border's element.
///
/// Cubic weights are those of Keys, "Cubic convolution interpolation for digital image processing", IEEE TASSP 29 (1981), with a = `cubic_coefficient`. With `antialias` (linear
/// and cubic, half-pixel coordinates) the filter is stretched by n/m where that is above 1, what lies outside is left out and the weights are normalised, as in PIL.
struct ResizeProblem {
  ResizeMode mode = ResizeMode::linear;
  ResizeCoordinates coordinates = ResizeCoordinates::half_pixel;
  NearestRounding rounding = NearestRounding::half_down;
  bool antialias = false;
  bool backward = false;  ///< from the gradient of the output that of the input, by the same weights
  double cubic_coefficient = -0.75;
  /// Unit roundoff of the arithmetic in which the kernel promises to compute coordinates; 0 where it is exact (whole numbers).
  double coordinate_unit = 0x1p-24;
  Index batch = 1;     ///< images
  Index channels = 1;  ///< of every image
  int dimensions = 2;
  Index input[3] = {1, 1, 1};   ///< extents on the axes
  Index output[3] = {1, 1, 1};  ///< extents on the axes
  bool channels_last = false;   ///< the order of the images in memory
  ElementFormat format = element_format<float32>();

  /// Extent of what is read on that axis.
  [[nodiscard]] ASSAY_FUNCTION Index read(int d) const { return backward ? output[d] : input[d]; }
  /// Extent of what is written on that axis.
  [[nodiscard]] ASSAY_FUNCTION Index written(int d) const { return backward ? input[d] : output[d]; }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(ResizeProblem& problem, Visit&& visit) {
  visit("mode", problem.mode, "coordinates", problem.coordinates, "rounding", problem.rounding, "antialias", problem.antialias, "backward",
        problem.backward, "cubic_coefficient", problem.cubic_coefficient, "coordinate_unit", problem.coordinate_unit, "batch",
        problem.batch, "channels", problem.channels, "dimensions", problem.dimensions, "input", problem.input, "output", problem.output,
        "channels_last", problem.channels_last, "format", problem.format);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const ResizeProblem& problem) {
  if (problem.dimensions < 1 || problem.dimensions > 3)
    return failure(ErrorKind::invalid, "dimensions is " + std::to_string(problem.dimensions) + "; resize has 1 to 3 spatial dimensions");
  if (auto extents = check_extents({{"batch", problem.batch},
                                    {"channels", problem.channels},
                                    {"input[0]", problem.input[0]},
                                    {"input[1]", problem.input[1]},
                                    {"input[2]", problem.input[2]}});
      !extents)
    return extents;
  if (auto extents = check_extents({{"batch", problem.batch},
                                    {"channels", problem.channels},
                                    {"output[0]", problem.output[0]},
                                    {"output[1]", problem.output[1]},
                                    {"output[2]", problem.output[2]}});
      !extents)
    return extents;
  for (int d = 0; d < 3; ++d) {
    const std::string at = "[" + std::to_string(d) + "]";
    if (problem.input[d] < 1)
      return failure(ErrorKind::invalid,
                     "input" + at + " is " + std::to_string(problem.input[d]) + "; there must be something to interpolate");
    if (problem.output[d] < 1)
      return failure(ErrorKind::invalid, "output" + at + " is " + std::to_string(problem.output[d]) + "; it must be 1 or more");
    if (d >= problem.dimensions && (problem.input[d] != 1 || problem.output[d] != 1))
      return failure(ErrorKind::invalid, "dimensions is " + std::to_string(problem.dimensions) +
                                             ", but input or output has an entry other than 1 at " + std::to_string(d));
  }
  if (!(problem.cubic_coefficient >= -1 && problem.cubic_coefficient <= 0))
    return failure(ErrorKind::invalid,
                   "cubic_coefficient is " + detail::printed_number(problem.cubic_coefficient) + "; it must lie between -1 and 0");
  if (!(problem.coordinate_unit >= 0 && problem.coordinate_unit <= 0x1p-10))
    return failure(ErrorKind::invalid,
                   "coordinate_unit is " + detail::printed_number(problem.coordinate_unit) + "; it must lie between 0 and 2^-10");
  if (problem.antialias && (problem.mode == ResizeMode::nearest || problem.coordinates != ResizeCoordinates::half_pixel))
    return failure(ErrorKind::invalid, "antialias is for linear and cubic interpolation with half-pixel coordinates");
  if (problem.backward) return check_float_formats({{"format", problem.format}});
  if (!problem.format.is_float() && problem.format.bytes > 1)
    return failure(ErrorKind::invalid, std::string("format is ") + problem.format.name + "; it must be floating-point or an 8-bit integer");
  return {};
}

/// "cubic-align_corners-2x3x8x8-to16x5".
[[nodiscard]] inline std::string name_of(const ResizeProblem& problem) {
  const auto list = [&](const Index(&values)[3]) { return extents_name({values, values + problem.dimensions}); };
  std::string name = problem.mode == ResizeMode::nearest ? "nearest" : problem.mode == ResizeMode::linear ? "linear" : "cubic";
  if (problem.mode == ResizeMode::nearest) {
    const char* const roundings[] = {"-floor", "-ceil", "-half_down", "-half_up"};
    name += roundings[static_cast<int>(problem.rounding)];
  }
  if (problem.mode == ResizeMode::cubic) name += plain_number(problem.cubic_coefficient);
  if (problem.antialias) name += "-antialias";
  const char* const coordinates[] = {"-half_pixel-", "-align_corners-", "-asymmetric-"};
  name += coordinates[static_cast<int>(problem.coordinates)] + extents_name({problem.batch, problem.channels}) + "x" + list(problem.input) +
          "-to" + list(problem.output);
  if (problem.coordinate_unit == 0) name += "-exact_coordinates";
  if (problem.channels_last) name += "-channels_last";
  return name;
}

}  // namespace assay::inline v0
