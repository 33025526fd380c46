#pragma once

#include "assay/statistics/detail/u_distribution.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<double> exact_u_distribution(std::size_t m, std::size_t n) {
  if (m > n) std::swap(m, n);
  const std::size_t half = m * n / 2;
  std::vector<double> ways(half + 1, 0.0);
  ways[0] = 1;
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t u = half + 1; u-- > n + i;) ways[u] -= ways[u - n - i];
    for (std::size_t u = i; u <= half; ++u) ways[u] += ways[u - i];
  }
  std::vector<double> probabilities(m * n + 1);
  double all = 0;
  for (std::size_t u = 0; u <= m * n; ++u) all += ways[u <= half ? u : m * n - u];
  for (std::size_t u = 0; u <= m * n; ++u) probabilities[u] = ways[u <= half ? u : m * n - u] / all;
  return probabilities;
}

}  // namespace assay::inline v0::detail
