#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <vector>

#include "assay/collectives/stragglers/link_matrix.hpp"

namespace assay::testing {

/// A matrix as `measure_links` would make it of links that take `seconds(from, to)`, with noise that has no mean: 1 +
/// 0.02 |Cauchy|.
inline LinkTimes sampled_links(int size, std::mt19937_64& random, const std::function<double(int, int)>& seconds) {
  LinkTimes times(size, 1 << 20);
  const double error = 0.01 / (2.0 * size * (size - 1));
  const std::size_t samples = detail::samples_for_bounds(error) * 3 / 2;
  std::cauchy_distribution<double> noise(0, 0.02);
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to) {
      if (from == to) continue;
      std::vector<double> own;
      for (std::size_t i = 0; i < samples; ++i) own.push_back(seconds(from, to) * (1 + std::abs(noise(random))));
      const detail::MedianBounds bounds = detail::median_bounds(std::move(own), error);
      times.at(from, to) = {bounds.median, bounds.lower, bounds.upper};
    }
  return times;
}

}  // namespace assay::testing
