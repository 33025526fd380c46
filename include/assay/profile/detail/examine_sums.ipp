#pragma once

#include "assay/profile/detail/examine_sums.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE AdditionSites::AdditionSites(const SummationTree& tree) {
  const TreeExtent extent = extent_of(tree);
  std::vector<Index> parent(extent.first.size(), -1);
  for (std::size_t i = 0; i < tree.additions.size(); ++i)
    for (const Index operand : tree.additions[i])
      parent[static_cast<std::size_t>(operand)] = tree.terms + static_cast<Index>(i);
  int best = -1;
  for (Index node = tree.terms; node <= tree.root(); ++node) {
    AdditionSite site;
    site.addition = node;
    bool products = false;
    for (const Index operand : tree.operands_of(node)) {
      site.operands.push_back(extent.first[static_cast<std::size_t>(operand)]);
      products = products || tree.is_term(operand);
      if (site.first < 0 && !tree.is_term(operand)) {
        const auto& below = tree.operands_of(operand);
        site.first = extent.first[static_cast<std::size_t>(below[0])];
        site.second = extent.first[static_cast<std::size_t>(below[1])];
      }
    }
    for (const Index term : site.operands)
      if (site.other < 0 && term != site.first) site.other = term;
    if (site.first < 0) site.first = site.operands[0], site.other = site.operands[1];
    if (const Index above = parent[static_cast<std::size_t>(node)]; above >= 0)
      for (const Index operand : tree.operands_of(above))
        if (operand != node) site.later = extent.first[static_cast<std::size_t>(operand)];
    const int worth = (site.second >= 0 ? 2 : 0) + (site.later >= 0 ? 1 : 0);
    if (products && worth > best) with_products = site, best = worth;
    if (!products && (!of_sums || site.later >= 0)) of_sums = site;
    if (!widest || site.operands.size() > widest->operands.size()) widest = site;
    last = site;
  }
}

ASSAY_DETAIL_HEADER_INLINE SumExamination::SumExamination(UnitQuestions& asked, MaskSizes sizes)
    : questions_(asked), top_(std::min(sizes.mask - 4, asked.c.largest - 5)), depth_(top_ - sizes.unit) {
  // as deep as subnormal numbers go, where those are kept
  for (const int inputs : {asked.a.normal + asked.b.normal, asked.a.subnormal + asked.b.subnormal + 2})
    for (const int output : {asked.c.normal, asked.c.subnormal}) {
      const double least = power_of_two(std::max(inputs, output));
      if (asked.sums({{{0, least}}})[0] == least) depth_ = std::max(depth_, top_ - std::max(inputs, output));
    }
}

ASSAY_DETAIL_HEADER_INLINE int SumExamination::kept_bits(const AdditionSite& site, bool same) {
  const Index away = same ? site.operands[2] : site.later;
  const Index first = same ? site.operands[0] : site.first, other = same ? site.operands[1] : site.other;
  std::vector<std::vector<std::pair<Index, double>>> asked;
  for (int bits = 1; bits <= depth_; ++bits) {
    asked.push_back({{first, one()}, {other, below(bits)}});
    if (away >= 0) asked.back().emplace_back(away, -one());
  }
  const std::vector<double> answers = questions_.sums(asked);
  int kept = 0;
  while (kept < depth_ && answers[static_cast<std::size_t>(kept)] == (away >= 0 ? 0 : one()) + below(kept + 1)) ++kept;
  return kept;
}

ASSAY_DETAIL_HEADER_INLINE Determined<UnitRounding> SumExamination::cutting(const AdditionSite& site, int bits) {
  std::vector<SeenRounding> seen;
  see(
      seen, bits, {1, 2, 3},
      [&](double part, double sign) {
        return std::vector<std::pair<Index, double>>{
            {site.operands[0], sign * one()}, {site.operands[1], sign * part}, {site.operands[2], -sign * one()}};
      },
      below(bits), 0, false);
  return rounding_that_explains(seen);
}

ASSAY_DETAIL_HEADER_INLINE Determined<UnitRounding> SumExamination::rounding(const AdditionSite& site, int precision,
                                                                             int aligned_bits) {
  if (site.later < 0 && questions_.unit.c.layout.precision() < precision)
    return Determined<UnitRounding>::not_determined("the output is too short to show the last addition");
  if (precision + 1 > depth_)
    return Determined<UnitRounding>::not_determined("the formats show " + std::to_string(depth_) +
                                                    " bits, and its roundings lie deeper");
  const double away = site.later >= 0 ? 1 : 0;
  std::vector<SeenRounding> seen;
  if (aligned_bits < 0 || aligned_bits >= precision + 1)
    see(
        seen, precision - 1, {1, 2, 3},
        [&](double part, double sign) {
          return with_later(site, {{site.first, sign * one()}, {site.other, sign * part}}, -sign * one());
        },
        below(precision - 1), one() * (1 - away), false);
  if (site.second >= 0) {  // 1 + odd units, plus 1: a tie that alignment cuts nothing of
    const double unit = below(precision - 1);
    for (const int odd : {0, 1}) {
      const double more = odd == 0 ? unit : 3 * unit;
      see(
          seen, precision - 2, {2},
          [&](double, double sign) {
            return with_later(site,
                              {{site.first, sign * one()}, {site.second, sign * more}, {site.other, sign * one()}},
                              -sign * 2 * one());
          },
          2 * unit, 2 * one() * (1 - away) + (odd != 0 ? 2 * unit : 0), odd != 0);
    }
  }
  if (seen.empty())
    return Determined<UnitRounding>::not_determined(
        "additions of two products alone are rounded where their alignment cuts nothing");
  return rounding_that_explains(seen);
}

ASSAY_DETAIL_HEADER_INLINE FoundSums SumExamination::precision_by_carries(const AdditionSite& last, int aligned_bits) {
  FoundSums found{aligned_bits + 1, true, aligned_bits};
  if (last.second < 0) return found;
  for (int carry = 1; (std::size_t{1} << carry) <= last.operands.size(); ++carry) {
    const int shown = questions_.unit.c.layout.precision();
    if (aligned_bits + carry + 1 > shown) return {aligned_bits + carry, aligned_bits + carry > shown, aligned_bits};
    std::vector<std::pair<Index, double>> asked{{last.first, one()}, {last.second, below(aligned_bits)}};
    const std::size_t more = (std::size_t{1} << carry) - 1;
    for (const Index term : last.operands)
      if (term != last.first && term != last.second && asked.size() < more + 2) asked.emplace_back(term, one());
    const double whole = one() * power_of_two(carry) + below(aligned_bits);
    if (questions_.sums({asked})[0] != whole) return {aligned_bits + carry, false, aligned_bits};
    found.precision = aligned_bits + carry + 1;
  }
  return found;
}

}  // namespace assay::inline v0::detail
