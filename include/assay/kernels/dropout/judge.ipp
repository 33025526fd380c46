#pragma once

#include "assay/kernels/dropout/judge.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE double binomial_tail_bound(double k, double n, double q) {
  if (n == 0) return 1;
  const double share = k / n;
  if ((q <= 0 && k > 0) || (q >= 1 && k < n)) return 0;
  const double divergence =
      (share > 0 ? share * std::log(share / q) : 0) + (share < 1 ? (1 - share) * std::log((1 - share) / (1 - q)) : 0);
  const double bound = 2 * std::exp(-n * divergence);
  return bound < 1 ? bound : 1;
}

ASSAY_DETAIL_HEADER_INLINE void DropoutMaskTests::run(detail::JudgedOutput& judged) {
  const double q = 1 - problem_.rate, alike = problem_.rate * problem_.rate + q * q;
  std::vector<Count> columns(static_cast<std::size_t>(problem_.columns)),
      strips_counted(static_cast<std::size_t>(strips()));
  for (Index row = 0; row < problem_.rows; ++row) {
    Count own;
    for (Index column = 0; column < problem_.columns; ++column) {
      const unsigned char kept = kept_[static_cast<std::size_t>(row * problem_.columns + column)];
      if (kept > 1) continue;
      own.add(kept);
      columns[static_cast<std::size_t>(column)].add(kept);
    }
    whole_.add(own);
    decide(own, q, "row " + std::to_string(row), "kept", judged);
  }
  decide(whole_, q, "the whole", "kept", judged);
  for (Index column = 0; column < problem_.columns; ++column) {
    const Count& own = columns[static_cast<std::size_t>(column)];
    strips_counted[static_cast<std::size_t>(column / strip)].add(own);
    decide(own, q, "column " + std::to_string(column), "kept", judged);
  }
  for (Index s = 0; s < strips(); ++s)
    decide(strips_counted[static_cast<std::size_t>(s)], q,
           "columns " + std::to_string(s * strip) + " to " +
               std::to_string(std::min((s + 1) * strip, problem_.columns) - 1),
           "kept", judged);
  for (const Index lag : lags_) {
    Count pairs;
    for (Index start = 0; start + lag < size(); start += 2 * lag)
      for (Index i = start; i < start + lag && i + lag < size(); ++i) {
        const unsigned char a = kept_[static_cast<std::size_t>(i)], b = kept_[static_cast<std::size_t>(i + lag)];
        if (a <= 1 && b <= 1) pairs.add(a == b);
      }
    decide(pairs, alike, "pairs of elements " + std::to_string(lag) + " apart", "alike", judged);
  }
}

}  // namespace assay::inline v0
