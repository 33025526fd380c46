#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace assay::testing {

/// The average number of runs until a chart alarms, without simulation, after Brook, Evans, Biometrika 59 (1972): the
/// range of the chart's statistic is cut into states, `move(from, to)` is the probability to go from the middle of one
/// into another, and (I − P)·L = 1. Gaussian elimination.
template <class Move>
double average_run_length(std::size_t states, std::size_t begin, const Move& move) {
  std::vector<std::vector<double>> rows(states, std::vector<double>(states + 1, 1.0));
  for (std::size_t i = 0; i < states; ++i)
    for (std::size_t j = 0; j < states; ++j) rows[i][j] = (i == j ? 1.0 : 0.0) - move(i, j);
  for (std::size_t pivot = 0; pivot < states; ++pivot) {
    std::size_t best = pivot;
    for (std::size_t i = pivot; i < states; ++i)
      if (std::abs(rows[i][pivot]) > std::abs(rows[best][pivot])) best = i;
    std::swap(rows[pivot], rows[best]);
    for (std::size_t i = 0; i < states; ++i) {
      if (i == pivot) continue;
      const double factor = rows[i][pivot] / rows[pivot][pivot];
      for (std::size_t j = pivot; j <= states; ++j) rows[i][j] -= factor * rows[pivot][j];
    }
  }
  return rows[begin][states] / rows[begin][begin];
}

}  // namespace assay::testing
