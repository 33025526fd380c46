#pragma once

#include "assay/statistics/mann_whitney.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE RankedPair ranked(std::span<const double> x, std::span<const double> y) {
  std::vector<double> a(x.begin(), x.end()), b(y.begin(), y.end());
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  RankedPair pair;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const double value = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
    const std::size_t below = j, first = i;
    while (i < a.size() && a[i] == value) ++i;
    while (j < b.size() && b[j] == value) ++j;
    pair.u += static_cast<double>(i - first) * (static_cast<double>(below) + static_cast<double>(j - below) / 2);
    const std::size_t group = (i - first) + (j - below);
    const auto t = static_cast<double>(group);
    pair.ties += t * t * t - t;
    pair.groups.push_back(group);
  }
  return pair;
}

/// Whether the exact distribution with ties costs no more than some 10 ms.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool exact_ties_are_cheap(std::size_t m, std::size_t n) noexcept {
  return m <= 60 && n <= 60 && (m + n) * m * m * n <= 4000000;
}

/// P(2U = v), v from 0 to 2mn, given the groups: which elements of each group belong to x is drawn. A group of t with c
/// elements of x, above b elements of y, adds c(2b + (t−c)) to 2U in C(t, c) ways. O((m+n)·m·mn).
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<double> tied_u_distribution(std::size_t m, std::size_t n,
                                                                                 std::span<const std::size_t> groups) {
  const std::size_t width = 2 * m * n + 1;
  std::vector<std::vector<double>> ways(m + 1, std::vector<double>(width, 0.0));  // [elements of x so far][2U so far]
  ways[0][0] = 1;
  std::size_t placed = 0;
  for (const std::size_t group : groups) {
    std::vector<std::vector<double>> next(m + 1, std::vector<double>(width, 0.0));
    double choices = 1;
    for (std::size_t c = 0; c <= group; choices *= static_cast<double>(group - c) / static_cast<double>(c + 1), ++c)
      for (std::size_t i = 0; i + c <= m && i <= placed; ++i) {
        const std::size_t below = placed - i;
        if (below > n || below + group - c > n) continue;
        const std::size_t gain = c * (2 * below + (group - c));
        for (std::size_t v = 0; v + gain < width; ++v)
          if (ways[i][v] != 0) next[i + c][v + gain] += choices * ways[i][v];
      }
    ways = std::move(next);
    placed += group;
  }
  double scale = 0;
  for (const double count : ways[m]) scale += count;
  for (double& count : ways[m]) count /= scale;
  return ways[m];
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE MannWhitney mann_whitney(std::span<const double> x, std::span<const double> y) {
  detail::expect_samples(x, 1, "mann_whitney()");
  detail::expect_samples(y, 1, "mann_whitney()");
  const detail::RankedPair pair = detail::ranked(x, y);
  const std::size_t m = x.size(), n = y.size();
  MannWhitney test;
  test.u = pair.u;
  test.exact = pair.ties == 0 ? detail::exact_u_is_cheap(m, n) : detail::exact_ties_are_cheap(m, n);
  if (test.exact) {
    const bool tied = pair.ties != 0;
    const std::vector<double> distribution =
        tied ? detail::tied_u_distribution(m, n, pair.groups) : detail::exact_u_distribution(m, n);
    const auto at = static_cast<std::size_t>(tied ? 2 * pair.u : pair.u);
    test.p_less = test.p_greater = 0;
    for (std::size_t v = 0; v <= at; ++v) test.p_less += distribution[v];
    for (std::size_t v = distribution.size(); v-- > at;) test.p_greater += distribution[v];
  } else {
    const double deviation = detail::u_deviation(m, n, pair.ties),
                 pairs = static_cast<double>(m) * static_cast<double>(n);
    test.p_less = detail::normal_u_at_most(pair.u, m, n, deviation);
    test.p_greater = detail::normal_u_at_most(pairs - pair.u, m, n, deviation);
  }
  test.p_less = std::min(test.p_less, 1.0);
  test.p_greater = std::min(test.p_greater, 1.0);
  test.p_two_sided = std::min(2 * std::min(test.p_less, test.p_greater), 1.0);
  return test;
}

}  // namespace assay::inline v0
