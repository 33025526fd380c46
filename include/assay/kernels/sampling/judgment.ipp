#pragma once

#include "assay/kernels/sampling/judgment.hpp"

#include <array>
#include <cmath>
#include <unordered_map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE detail::JudgedOutput SamplingJudge::judge() {
  for (Index row = 0; row < problem_.rows; ++row) judge_row(row);
  if (judged_.violations > 0) return judged_;
  for (Index row = 0; row < problem_.rows; ++row) judge_pairs(row);
  for (Index distance = 1; distance < widest_period; distance *= 2) judge_copies(distance);
  return judged_;
}

ASSAY_DETAIL_HEADER_INLINE void SamplingJudge::judge_row(Index row) {
  const SamplingRow& own = row_at(row);
  const std::string where = "row " + std::to_string(row) + ": ";
  judged_.elements += static_cast<std::uint64_t>(problem_.draws);
  if (own.any_nan) return judge_vocabulary(row, where);
  const std::unordered_map<Index, std::size_t> rank_of = own.ranks();
  const std::size_t end = own.end();
  std::vector<double> counts(own.tokens.size());
  std::vector<std::size_t> ranks;
  for (Index draw = 0; draw < problem_.draws; ++draw) {
    const double token = tokens_.at(row, draw);
    const auto found = rank_of.find(static_cast<Index>(token));
    if (found == rank_of.end() || found->second >= end) {
      judged_.refute(where + "draw " + std::to_string(draw) + " is token " + detail::number(token) + ", which is " +
                     (found == rank_of.end() ? "none, or has no probability"
                                             : "of rank " + std::to_string(found->second) + " where at most " +
                                                   std::to_string(end) + " may be drawn"));
      continue;
    }
    counts[found->second] += 1;
    ranks.push_back(found->second);
  }
  if (ranks.size() != static_cast<std::size_t>(problem_.draws) || ranks.empty()) return;
  drawn_[static_cast<std::size_t>(row)] = std::move(ranks);
  double best = detail::double_of(binary64_layout.infinity_bits());
  if (own.most - own.least > most_cuts)
    best = excess_of_certain(own, counts, where);
  else
    for (std::size_t kept = own.least; kept <= own.most; ++kept)
      best = std::min(best, excess(own, counts, kept, where));
  judged_.ratio = std::max(judged_.ratio, std::min(best, 1.0));
  if (best > 1)
    judged_.refute(where + "the counts of " + std::to_string(problem_.draws) + " draws diverge from the distribution " +
                   detail::number(best) + " times as far as chance allows once in " + detail::number(1 / test_risk));
}

ASSAY_DETAIL_HEADER_INLINE double SamplingJudge::excess(const SamplingRow& row, const Bins& bins,
                                                        const std::string& where) {
  const double rounding = std::log1p(2 * row.relative_error + 0x1p-14);  // 2⁻¹⁴: uniform numbers of 24 bits
  const double least = *std::min_element(bins.expected.begin(), bins.expected.end());
  if (bins.expected.size() > 1 && !(rounding < -std::log(least)))
    undecided_ = where + "logits are so large that rounding may make any token as likely as any other";
  return divergence(bins.observed, bins.expected) /
         (divergence_limit(bins.observed.size(), test_risk) + static_cast<double>(problem_.draws) * rounding);
}

ASSAY_DETAIL_HEADER_INLINE double SamplingJudge::excess_of_certain(const SamplingRow& row,
                                                                   const std::vector<double>& counts,
                                                                   const std::string& where) {
  const std::size_t certain = row.tied(row.least - 1).first;
  const double mass = mass_of(row, 0, certain), greatest = 1 - mass / mass_of(row, 0, row.most),
               least = 1 - mass / mass_of(row, 0, row.least);
  if (greatest > most_uncertain)
    undecided_ = where + "most draws may be of tokens that rounding keeps or cuts off, so that it is left with " +
                 std::to_string(row.least) + " to " + std::to_string(row.most);
  double uncertain = 0;
  for (std::size_t rank = certain; rank < counts.size(); ++rank) uncertain += counts[rank];
  const double share = std::clamp(uncertain / static_cast<double>(problem_.draws), least, greatest);
  Bins bins(problem_.draws);
  for (std::size_t rank = 0; rank < certain; ++rank) bins.add(counts[rank], row.probabilities[rank] / mass);
  for (double& expected : bins.expected) expected *= 1 - share;
  bins.begin();
  bins.observed.back() += uncertain;
  bins.expected.back() += share;
  return excess(row, bins, where);
}

ASSAY_DETAIL_HEADER_INLINE double SamplingJudge::excess(const SamplingRow& row, const std::vector<double>& counts,
                                                        std::size_t kept, const std::string& where) {
  const auto [first, last] = row.tied(kept - 1);
  const bool free_choice = kept < last;  // which of the tied ones are kept is the kernel's choice: they make one bin
  const double mass = mass_of(row, 0, kept);
  Bins bins(problem_.draws);
  std::size_t distinct = 0;
  for (std::size_t rank = 0; rank < first; ++rank) bins.add(counts[rank], row.probabilities[rank] / mass);
  if (free_choice) {
    bins.begin();
    for (std::size_t rank = first; rank < last; ++rank) {
      bins.observed.back() += counts[rank];
      distinct += counts[rank] > 0 ? 1 : 0;
    }
    bins.expected.back() += mass_of(row, first, kept) / mass;
  }
  for (std::size_t rank = last; rank < counts.size(); ++rank)
    if (counts[rank] > 0) return detail::double_of(binary64_layout.infinity_bits());
  if (distinct > kept - first) return detail::double_of(binary64_layout.infinity_bits());
  return excess(row, bins, where);
}

ASSAY_DETAIL_HEADER_INLINE void SamplingJudge::judge_pairs(Index row) {
  const auto own = classes(row);
  if (!own.second) return;
  std::vector<double> first, second;
  for (std::size_t draw = 0; draw + 1 < own.first.size(); draw += 2) {
    first.push_back(own.first[draw]);
    second.push_back(own.first[draw + 1]);
  }
  judge_independence(first, second, "row " + std::to_string(row) + ": consecutive draws");
  if (row + 1 == problem_.rows) return;
  if (const auto next = classes(row + 1); next.second)
    judge_independence(own.first, next.first, "draws of row " + std::to_string(row) + " and the next");
}

ASSAY_DETAIL_HEADER_INLINE std::pair<std::vector<double>, bool> SamplingJudge::classes(Index row) const {
  const SamplingRow& own = row_at(row);
  const double mass = mass_of(own, 0, own.most);
  double below = 0;
  std::size_t split = 0;
  while (split < own.most && below + own.probabilities[split] / 2 < mass / 2) below += own.probabilities[split++];
  std::vector<double> members;
  for (const std::size_t rank : drawn_[static_cast<std::size_t>(row)]) members.push_back(rank >= split ? 1 : 0);
  const bool telling = below > 0.1 * mass && below < 0.9 * mass && members.size() >= 256;
  return {std::move(members), telling};
}

ASSAY_DETAIL_HEADER_INLINE void SamplingJudge::judge_independence(const std::vector<double>& first,
                                                                  const std::vector<double>& second,
                                                                  const std::string& what) {
  std::vector<double> table(4), product(4);
  double share_first = 0, share_second = 0;
  const double pairs = static_cast<double>(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    table[static_cast<std::size_t>(2 * first[i] + second[i])] += 1;
    share_first += first[i] / pairs;
    share_second += second[i] / pairs;
  }
  for (std::size_t cell = 0; cell < 4; ++cell)
    product[cell] = (cell / 2 == 1 ? share_first : 1 - share_first) * (cell % 2 == 1 ? share_second : 1 - share_second);
  const double ratio = divergence(table, product) / divergence_limit(4, test_risk);
  judged_.ratio = std::max(judged_.ratio, std::min(ratio, 1.0));
  if (ratio > 1) {
    draws_depend_ = true;
    judged_.refute(what + " depend on each other: their counts diverge " + detail::number(ratio) +
                   " times as far from independence as chance allows");
  }
}

ASSAY_DETAIL_HEADER_INLINE void SamplingJudge::judge_copies(Index distance) {
  struct Lane {
    bool alike = true;
    double chance = 0;  ///< its logarithm
  };
  std::array<Lane, static_cast<std::size_t>(widest_period)> lanes;
  const auto lane_at = [&](Index place) -> Lane& { return lanes[static_cast<std::size_t>(place % widest_period)]; };
  for (Index row = 0; row < problem_.rows; ++row) {
    const auto& draws = drawn_[static_cast<std::size_t>(row)];
    const double chance = std::log(chance_of_equals(row_at(row)));
    for (Index draw = distance; draw < static_cast<Index>(draws.size()); ++draw) {
      Lane& lane = lane_at(row * problem_.draws + draw);
      lane.alike =
          lane.alike && draws[static_cast<std::size_t>(draw)] == draws[static_cast<std::size_t>(draw - distance)];
      lane.chance += chance;
    }
  }
  const double limit = std::log(test_risk / static_cast<double>(2 * widest_period));
  std::string copies;  // by the narrowest period that they have
  for (Index period = widest_period; period >= least_period; period /= 2)
    for (Index lane = 0; lane < period; ++lane) {
      Lane& own = lane_at(lane);
      if (period < widest_period) {
        own.alike = own.alike && lane_at(lane + period).alike;
        own.chance += lane_at(lane + period).chance;
      }
      if (!own.alike || !(own.chance < limit)) continue;
      copies = "draws " + std::to_string(lane) + " of every " + std::to_string(period) + " are copies of those " +
               std::to_string(distance) + " before them, all of them";
    }
  if (copies.empty()) return;
  draws_depend_ = true;
  judged_.refute(copies);
}

}  // namespace assay::inline v0
