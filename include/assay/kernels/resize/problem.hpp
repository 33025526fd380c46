#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/printed_number.hpp"
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

/// Resampling of one to three spatial dimensions by separable interpolation. Coordinates beyond the borders read the
/// border's element.
///
/// Cubic weights are those of Keys, "Cubic convolution interpolation for digital image processing", IEEE TASSP 29
/// (1981), with a = `cubic_coefficient`. With `antialias` (linear and cubic, half-pixel coordinates) the filter is
/// stretched by n/m where that is above 1, what lies outside is left out and the weights are normalized, as in PIL.
/// With `exclude_outside` so it is without stretching, too, as ONNX has it.
struct ResizeProblem {
  ResizeMode mode = ResizeMode::linear;
  ResizeCoordinates coordinates = ResizeCoordinates::half_pixel;
  NearestRounding rounding = NearestRounding::half_down;
  bool antialias = false;
  bool backward = false;         ///< from the gradient of the output that of the input, by the same weights
  bool exclude_outside = false;  ///< elements beyond the borders have no weight, and the others' are normalized
  double cubic_coefficient = -0.75;
  /// Unit roundoff of the arithmetic in which the kernel promises to compute coordinates; 0 where it is exact (whole
  /// numbers).
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
  visit("mode", problem.mode, "coordinates", problem.coordinates, "rounding", problem.rounding, "antialias",
        problem.antialias, "backward", problem.backward, "exclude_outside", problem.exclude_outside,
        "cubic_coefficient", problem.cubic_coefficient, "coordinate_unit", problem.coordinate_unit, "batch",
        problem.batch, "channels", problem.channels, "dimensions", problem.dimensions, "input", problem.input, "output",
        problem.output, "channels_last", problem.channels_last, "format", problem.format);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const ResizeProblem& problem);

/// "cubic-align_corners-2x3x8x8-to16x5".
[[nodiscard]] std::string name_of(const ResizeProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/resize/problem.ipp"
#endif
