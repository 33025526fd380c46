#pragma once

#include <algorithm>
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
  const double n = static_cast<double>(problem.input[d]), m = static_cast<double>(problem.output[d]), o = static_cast<double>(position);
  switch (problem.coordinates) {
    case ResizeCoordinates::half_pixel: return ((2 * o + 1) * n - m) / (2 * m);  // one rounding
    case ResizeCoordinates::align_corners: return m > 1 ? o * (n - 1) / (m - 1) : 0;
    case ResizeCoordinates::asymmetric: return o * n / m;
  }
  return 0;
}

/// How far a kernel's coordinate may lie from s: the quotient n/m, the sum o + ½, their product and the difference round, 4 times u·(|s| + ½); 0 where all
/// of these are exact, as they are where the quotient is.
[[nodiscard]] inline double resize_coordinate_error(const ResizeProblem& problem, int d, double s) {
  const bool corners = problem.coordinates == ResizeCoordinates::align_corners;
  const Index n = problem.input[d] - (corners ? 1 : 0), m = problem.output[d] - (corners ? 1 : 0);
  const bool exact = problem.coordinate_unit == 0 || m == 0 || n % m == 0 || (m % n == 0 && (m / n & (m / n - 1)) == 0);
  if (exact && problem.output[d] < (Index{1} << 22) && problem.input[d] < (Index{1} << 22)) return 0;
  return 4 * problem.coordinate_unit * (std::abs(s) + 0.5);
}

namespace detail {

inline void append_nearest(ResizeAxis& axis, NearestRounding rounding, double s, double error, Index extent) {
  const auto chosen = [&](double at) {
    double rounded = std::floor(at);
    switch (rounding) {
      case NearestRounding::floor: break;
      case NearestRounding::ceil: rounded = std::ceil(at); break;
      case NearestRounding::half_down: rounded = std::ceil(at - 0.5); break;
      case NearestRounding::half_up: rounded = std::floor(at + 0.5); break;
    }
    return std::clamp(static_cast<Index>(rounded), Index{0}, extent - 1);
  };
  const Index own = chosen(s), low = chosen(s - error), high = chosen(s + error);
  for (Index position = low; position <= high; ++position)
    axis.taps.push_back({position, position == own ? 1.0 : 0.0, low == high ? 0.0 : 1.0, 0});
}

/// Every element within the filter's reach of s ± error has a weight, and a weight's error of at most `steepness` times that of the coordinate; in
/// units of u, `roundings` of the largest intermediate results.
inline void append_filtered(ResizeAxis& axis, const ResizeProblem& problem, double s, double error, Index extent) {
  const bool cubic = problem.mode == ResizeMode::cubic;
  const double reach = cubic ? 2 : 1, steepness = cubic ? 1.5 : 1, roundings = cubic ? 24 : 2;
  for (Index position = static_cast<Index>(std::floor(s - error - reach)); position <= static_cast<Index>(std::ceil(s + error + reach));
       ++position) {
    const double distance = std::abs(static_cast<double>(position) - s);
    if (distance > reach + error) continue;  // a weight of 0 stays: whether it spreads a NaN is not determined
    const double weight = cubic ? keys_cubic(distance, problem.cubic_coefficient) : distance < 1 ? 1 - distance : 0;
    axis.taps.push_back({std::clamp(position, Index{0}, extent - 1), weight, steepness * error, weight == 0 && error == 0 ? 0 : roundings});
  }
  if (cubic) return;
  // kernels that move s to the border may read the border's inner neighbour, too, with a weight of 0
  if (s < 0) axis.taps.push_back({std::min(Index{1}, extent - 1), 0, 0, 0});
  if (s > static_cast<double>(extent - 1)) axis.taps.push_back({std::max(extent - 2, Index{0}), 0, 0, 0});
}

/// Normalised weights of a stretched filter: the sum's relative error is at most that of its terms', and the quotient rounds.
inline void append_antialiased(ResizeAxis& axis, const ResizeProblem& problem, double s, double error, double stretch, Index extent) {
  const bool cubic = problem.mode == ResizeMode::cubic;
  const double reach = (cubic ? 2 : 1) * stretch, steepness = (cubic ? 1.5 : 1) / stretch, roundings = cubic ? 24 : 4;
  const double distance_error = error * steepness + problem.coordinate_unit * 4 * (cubic ? 3 : 1);
  const std::size_t first = axis.taps.size();
  double sum = 0, magnitudes = 0;
  const Index low = std::max(Index{0}, static_cast<Index>(std::floor(s - error - reach))),
              high = std::min(extent - 1, static_cast<Index>(std::ceil(s + error + reach)));
  for (Index position = low; position <= high; ++position) {
    const double distance = std::abs(static_cast<double>(position) - s) / stretch;
    const double weight = cubic ? keys_cubic(distance, problem.cubic_coefficient) : distance < 1 ? 1 - distance : 0;
    if (distance * stretch > reach + error) continue;
    axis.taps.push_back({position, weight, distance_error, 0});
    sum += weight;
    magnitudes += std::abs(weight);
  }
  const double terms = static_cast<double>(axis.taps.size() - first);
  for (std::size_t tap = first; tap < axis.taps.size(); ++tap) {
    ResizeTap& own = axis.taps[tap];
    own.weight /= sum;
    own.coordinate_error = (own.coordinate_error + std::abs(own.weight) * terms * distance_error) / sum;
    own.rounding_error = (roundings + std::abs(own.weight) * (terms * (roundings + 1) * magnitudes + 9)) / sum;
  }
}

}  // namespace detail

/// O(outputs · taps).
[[nodiscard]] inline ResizeAxis resize_axis(const ResizeProblem& problem, int d) {
  ResizeAxis axis;
  const Index extent = problem.input[d];
  const double stretch = static_cast<double>(extent) / static_cast<double>(problem.output[d]);
  for (Index o = 0; o < problem.output[d]; ++o) {
    const double s = resize_coordinate(problem, d, o), error = resize_coordinate_error(problem, d, s);
    if (d >= problem.dimensions)
      axis.taps.push_back({0, 1, 0, 0});
    else if (problem.mode == ResizeMode::nearest)
      detail::append_nearest(axis, problem.rounding, s, error, extent);
    else if (problem.antialias)
      detail::append_antialiased(axis, problem, s, error, stretch > 1 ? stretch : 1, extent);
    else
      detail::append_filtered(axis, problem, s, error, extent);
    axis.first.push_back(static_cast<Index>(axis.taps.size()));
  }
  return axis;
}

/// For the gradient: input positions read output positions.
[[nodiscard]] inline ResizeAxis transposed(const ResizeAxis& axis, Index inputs) {
  std::vector<std::vector<ResizeTap>> by_input(static_cast<std::size_t>(inputs));
  for (std::size_t o = 0; o + 1 < axis.first.size(); ++o)
    for (Index t = axis.first[o]; t < axis.first[o + 1]; ++t) {
      ResizeTap tap = axis.taps[static_cast<std::size_t>(t)];
      std::vector<ResizeTap>& own = by_input[static_cast<std::size_t>(tap.position)];
      tap.position = static_cast<Index>(o);
      own.push_back(tap);
    }
  ResizeAxis result;
  for (const std::vector<ResizeTap>& own : by_input) {
    result.taps.insert(result.taps.end(), own.begin(), own.end());
    result.first.push_back(static_cast<Index>(result.taps.size()));
  }
  return result;
}

}  // namespace assay::inline v0
