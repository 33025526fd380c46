#pragma once

#include "assay/fleet/population/peer_outliers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {

namespace detail {

/// Student's quantile from the normal one, after Cornish and Fisher.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double student_quantile(double z, double freedom) {
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom * freedom * freedom);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE PeerVerdict compare_peers(const PeerGroup& group, const PeerOptions& options) {
  expect(group.subjects.size() == group.values.size(),
         [] { return std::string("compare_peers: as many subjects as values are expected"); });
  expect(options.false_accusations > 0 && options.minimum_effect >= 0,
         [] { return std::string("compare_peers: accusations are above 0, effects 0 or more"); });
  PeerVerdict verdict;
  std::vector<std::pair<std::uint32_t, double>> measured;
  measured.reserve(group.values.size());
  for (std::size_t i = 0; i < group.values.size(); ++i)
    if (detail::is_peer_value(group.values[i])) measured.emplace_back(group.subjects[i], group.values[i]);
  verdict.left_out = group.values.size() - measured.size();
  std::sort(measured.begin(), measured.end());
  std::vector<std::pair<std::uint32_t, double>> subjects;
  std::vector<double> several;
  for (std::size_t begin = 0; begin < measured.size();) {
    std::size_t end = begin;
    several.clear();
    while (end < measured.size() && measured[end].first == measured[begin].first)
      several.push_back(measured[end++].second);
    subjects.emplace_back(measured[begin].first, several.size() == 1 ? several.front() : median(several));
    begin = end;
  }
  verdict.subjects = subjects.size();
  if (subjects.empty()) return verdict;
  std::vector<double> values;
  values.reserve(subjects.size());
  for (const auto& [subject, value] : subjects) values.push_back(value);
  verdict.median = median(values);
  verdict.deviation = 1.4826 * median_absolute_deviation(values);
  if (subjects.size() < std::max<std::size_t>(options.fewest_peers, 3)) return verdict;
  verdict.decided = true;
  const auto count = static_cast<double>(subjects.size());
  const double tail = std::clamp(options.false_accusations / (2 * count), std::numeric_limits<double>::min(), 0.25);
  const double z = -detail::normal_quantile_of(tail);
  verdict.threshold = detail::student_quantile(z, 0.37 * count);  // the efficiency of the median absolute deviation
  for (const auto& [subject, value] : subjects) {
    const double sign = group.higher_is_better ? 1 : -1, distance = sign * (value - verdict.median);
    const double effect = verdict.median != 0 ? distance / std::abs(verdict.median) : (distance == 0 ? 0 : distance);
    if (std::abs(effect) < options.minimum_effect || effect == 0 ||
        std::abs(distance) <= verdict.threshold * verdict.deviation)
      continue;
    const double deviation = verdict.deviation > 0 ? distance / verdict.deviation : std::copysign(HUGE_VAL, distance);
    (distance < 0 ? verdict.worse : verdict.better).push_back({subject, value, deviation, effect});
  }
  const auto farther = [](const PeerOutlier& a, const PeerOutlier& b) {
    return std::abs(a.effect) != std::abs(b.effect) ? std::abs(a.effect) > std::abs(b.effect) : a.subject < b.subject;
  };
  std::sort(verdict.worse.begin(), verdict.worse.end(), farther);
  std::sort(verdict.better.begin(), verdict.better.end(), farther);
  return verdict;
}

ASSAY_DETAIL_HEADER_INLINE const char* name_of(SwapVerdict verdict) noexcept {
  constexpr const char* names[] = {"part", "place", "contact", "inconclusive"};
  return names[static_cast<std::size_t>(verdict)];
}

ASSAY_DETAIL_HEADER_INLINE SwapVerdict judge_swap(double before, double place_after, double part_after, double limit,
                                                  bool higher_is_better) {
  if (!std::isfinite(before) || !std::isfinite(place_after) || !std::isfinite(part_after) || !std::isfinite(limit))
    return SwapVerdict::inconclusive;
  const auto slow = [&](double value) { return higher_is_better ? value < limit : value > limit; };
  if (!slow(before) || (slow(place_after) && slow(part_after))) return SwapVerdict::inconclusive;
  if (slow(part_after)) return SwapVerdict::part;
  return slow(place_after) ? SwapVerdict::place : SwapVerdict::contact;
}

}  // namespace assay::inline v0
