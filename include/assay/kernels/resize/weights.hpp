#pragma once

#include <cmath>
#include <vector>

#include "assay/kernels/resize/problem.hpp"

namespace assay::inline v0 {

/// One element that an output position reads along one dimension.
struct ResizeTap {
  Index position = 0;
  double weight = 0;            ///< of the tap
  double coordinate_error = 0;  ///< of the weight, as the coordinate is off
  double rounding_error = 0;    ///< of the weight, in units of the accumulator's unit roundoff
};

/// All taps along one dimension: those of output position o are taps[first[o]] to taps[first[o + 1] − 1].
struct ResizeAxis {
  std::vector<ResizeTap> taps;
  std::vector<Index> first{0};
};

/// Keys' cubic of a distance of 0 or more.
[[nodiscard]] inline double keys_cubic(double x, double a) {
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// s of an output position, before it is kept within the borders.
[[nodiscard]] inline double resize_coordinate(const ResizeProblem& problem, int d, Index position) {
  const double n = static_cast<double>(problem.input[d]), m = static_cast<double>(problem.output[d]),
               o = static_cast<double>(position);
  switch (problem.coordinates) {
    case ResizeCoordinates::half_pixel: return ((2 * o + 1) * n - m) / (2 * m);  // one rounding
    case ResizeCoordinates::align_corners: return m > 1 ? o * (n - 1) / (m - 1) : 0;
    case ResizeCoordinates::asymmetric: return o * n / m;
  }
  return 0;
}

/// How far a kernel's coordinate may lie from s: the quotient n/m, the sum o + ½, their product and the difference
/// round, 4 times u·(|s| + ½); 0 where all of these are exact, as they are where the quotient is.
[[nodiscard]] inline double resize_coordinate_error(const ResizeProblem& problem, int d, double s) {
  const bool corners = problem.coordinates == ResizeCoordinates::align_corners;
  const Index n = problem.input[d] - (corners ? 1 : 0), m = problem.output[d] - (corners ? 1 : 0);
  const bool exact = problem.coordinate_unit == 0 || m == 0 || n % m == 0 || (m % n == 0 && (m / n & (m / n - 1)) == 0);
  if (exact && problem.output[d] < (Index{1} << 22) && problem.input[d] < (Index{1} << 22)) return 0;
  return 4 * problem.coordinate_unit * (std::abs(s) + 0.5);
}

/// O(outputs · taps).
[[nodiscard]] ResizeAxis resize_axis(const ResizeProblem& problem, int d);

/// For the gradient: input positions read output positions.
[[nodiscard]] ResizeAxis transposed(const ResizeAxis& axis, Index inputs);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/resize/weights.ipp"
#endif
