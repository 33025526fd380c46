#pragma once

#include "assay/kernels/resize/weights.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void append_nearest(ResizeAxis& axis, NearestRounding rounding, double s, double error,
                                               Index extent) {
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

/// Every element within the filter's reach of s ± error has a weight, and a weight's error of at most `steepness` times
/// that of the coordinate; in units of u, `roundings` of the largest intermediate results.
ASSAY_DETAIL_HEADER_INLINE void append_filtered(ResizeAxis& axis, const ResizeProblem& problem, double s, double error,
                                                Index extent) {
  const bool cubic = problem.mode == ResizeMode::cubic;
  const double reach = cubic ? 2 : 1, steepness = cubic ? 1.5 : 1, roundings = cubic ? 24 : 2;
  for (Index position = static_cast<Index>(std::floor(s - error - reach));
       position <= static_cast<Index>(std::ceil(s + error + reach)); ++position) {
    const double distance = std::abs(static_cast<double>(position) - s);
    if (distance > reach + error) continue;  // a weight of 0 stays: whether it spreads a NaN is not determined
    const double weight = cubic ? keys_cubic(distance, problem.cubic_coefficient) : distance < 1 ? 1 - distance : 0;
    axis.taps.push_back({std::clamp(position, Index{0}, extent - 1), weight, steepness * error,
                         weight == 0 && error == 0 ? 0 : roundings});
  }
  if (cubic) return;
  // kernels that move s to the border may read the border's inner neighbor, too, with a weight of 0
  if (s < 0) axis.taps.push_back({std::min(Index{1}, extent - 1), 0, 0, 0});
  if (s > static_cast<double>(extent - 1)) axis.taps.push_back({std::max(extent - 2, Index{0}), 0, 0, 0});
}

/// Normalized weights of a stretched filter: the sum's relative error is at most that of its terms', and the quotient
/// rounds.
ASSAY_DETAIL_HEADER_INLINE void append_antialiased(ResizeAxis& axis, const ResizeProblem& problem, double s,
                                                   double error, double stretch, Index extent) {
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

ASSAY_DETAIL_HEADER_INLINE ResizeAxis resize_axis(const ResizeProblem& problem, int d) {
  ResizeAxis axis;
  const Index extent = problem.input[d];
  const double stretch = static_cast<double>(extent) / static_cast<double>(problem.output[d]);
  for (Index o = 0; o < problem.output[d]; ++o) {
    const double s = resize_coordinate(problem, d, o), error = resize_coordinate_error(problem, d, s);
    if (d >= problem.dimensions)
      axis.taps.push_back({0, 1, 0, 0});
    else if (problem.mode == ResizeMode::nearest)
      detail::append_nearest(axis, problem.rounding, s, error, extent);
    else if (problem.exclude_outside && problem.mode == ResizeMode::cubic && !problem.antialias)
      detail::append_antialiased(axis, problem, s, error, 1, extent);
    else if (problem.antialias)
      detail::append_antialiased(axis, problem, s, error, stretch > 1 ? stretch : 1, extent);
    else
      detail::append_filtered(axis, problem, s, error, extent);
    axis.first.push_back(static_cast<Index>(axis.taps.size()));
  }
  return axis;
}

ASSAY_DETAIL_HEADER_INLINE ResizeAxis transposed(const ResizeAxis& axis, Index inputs) {
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
