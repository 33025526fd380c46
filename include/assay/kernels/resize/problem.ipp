#pragma once

#include "assay/kernels/resize/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const ResizeProblem& problem) {
  if (problem.dimensions < 1 || problem.dimensions > 3)
    return failure(ErrorKind::invalid,
                   "dimensions is " + std::to_string(problem.dimensions) + "; resize has 1 to 3 spatial dimensions");
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
      return failure(ErrorKind::invalid, "input" + at + " is " + std::to_string(problem.input[d]) +
                                             "; there must be something to interpolate");
    if (problem.output[d] < 1)
      return failure(ErrorKind::invalid,
                     "output" + at + " is " + std::to_string(problem.output[d]) + "; it must be 1 or more");
    if (d >= problem.dimensions && (problem.input[d] != 1 || problem.output[d] != 1))
      return failure(ErrorKind::invalid, "dimensions is " + std::to_string(problem.dimensions) +
                                             ", but input or output has an entry other than 1 at " + std::to_string(d));
  }
  if (!(problem.cubic_coefficient >= -1 && problem.cubic_coefficient <= 0))
    return failure(ErrorKind::invalid, "cubic_coefficient is " + detail::printed_number(problem.cubic_coefficient) +
                                           "; it must lie between -1 and 0");
  if (!(problem.coordinate_unit >= 0 && problem.coordinate_unit <= 0x1p-10))
    return failure(ErrorKind::invalid, "coordinate_unit is " + detail::printed_number(problem.coordinate_unit) +
                                           "; it must lie between 0 and 2^-10");
  if (problem.antialias &&
      (problem.mode == ResizeMode::nearest || problem.coordinates != ResizeCoordinates::half_pixel))
    return failure(ErrorKind::invalid, "antialias is for linear and cubic interpolation with half-pixel coordinates");
  if (problem.backward) return check_float_formats({{"format", problem.format}});
  if (!problem.format.is_float() && problem.format.bytes > 1)
    return failure(ErrorKind::invalid,
                   std::string("format is ") + problem.format.name + "; it must be floating-point or an 8-bit integer");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const ResizeProblem& problem) {
  const auto list = [&](const Index(&values)[3]) { return extents_name({values, values + problem.dimensions}); };
  std::string name = problem.mode == ResizeMode::nearest  ? "nearest"
                     : problem.mode == ResizeMode::linear ? "linear"
                                                          : "cubic";
  if (problem.mode == ResizeMode::nearest) {
    const char* const roundings[] = {"-floor", "-ceil", "-half_down", "-half_up"};
    name += roundings[static_cast<int>(problem.rounding)];
  }
  if (problem.mode == ResizeMode::cubic) name += plain_number(problem.cubic_coefficient);
  if (problem.antialias) name += "-antialias";
  if (problem.exclude_outside && problem.mode == ResizeMode::cubic && !problem.antialias) name += "-exclude_outside";
  const char* const coordinates[] = {"-half_pixel-", "-align_corners-", "-asymmetric-"};
  name += coordinates[static_cast<int>(problem.coordinates)] + extents_name({problem.batch, problem.channels}) + "x" +
          list(problem.input) + "-to" + list(problem.output);
  if (problem.coordinate_unit == 0) name += "-exact_coordinates";
  if (problem.channels_last) name += "-channels_last";
  return name;
}

}  // namespace assay::inline v0
