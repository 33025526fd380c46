#pragma once

#include "assay/accuracy/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

namespace detail {

/// Calls `visit(positives, negatives)` of each group of equal scores, from the largest.
template <class Visit>
void visit_score_groups(std::span<const double> scores, std::span<const bool> positive, Visit visit) {
  expect(scores.size() == positive.size(), [] { return "scores and labels differ in number"; });
  for (const double score : scores)
    expect(!std::isnan(score), [] { return "a score is NaN; leave the sample out, and tell that it was"; });
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  for (std::size_t i = 0; i < order.size();) {
    const double score = scores[order[i]];
    double positives = 0, negatives = 0;
    for (; i < order.size() && scores[order[i]] == score; ++i) ++(positive[order[i]] ? positives : negatives);
    visit(positives, negatives);
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE double area_under_roc(std::span<const double> scores, std::span<const bool> positive) {
  double above = 0, positives = 0, negatives = 0;
  detail::visit_score_groups(scores, positive, [&](double own, double others) {
    above += others * (positives + own / 2);
    positives += own;
    negatives += others;
  });
  return above / (positives * negatives);
}

ASSAY_DETAIL_HEADER_INLINE double average_precision(std::span<const double> scores, std::span<const bool> positive) {
  double sum = 0, positives = 0, seen = 0;
  detail::visit_score_groups(scores, positive, [&](double own, double others) {
    positives += own;
    seen += own + others;
    sum += own * positives / seen;
  });
  return positives > 0 ? sum / positives : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace assay::inline v0
