#pragma once

#include "assay/profile/detail/examine_products.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void ProductExamination::examine_inputs(NumericProfile& profile, const AdditionSite& site) {
  const int visible =
      std::min({found_.precision - 1, found_.aligned_bits < 0 ? 1000 : found_.aligned_bits, sums_.depth() - 2});
  int fewest = 1000, longest = 0;
  bool of_b = false;
  for (const bool b : {false, true}) {
    const int stored = (b ? questions_.unit.b : questions_.unit.a).layout.fraction_bits,
              most = std::min(stored, visible);
    std::vector<DotProbe> asked;
    for (int bits = 1; bits <= most; ++bits) asked.push_back(with_long_input(site, 1 + power_of_two(-bits), b, 1));
    const std::vector<double> answers = questions_.answers(asked);
    int read = 0;
    while (read < most && answers[static_cast<std::size_t>(read)] == sums_.below(read + 1)) ++read;
    longest = std::max(longest, stored);
    if (read == most && most == stored) continue;
    if (read + 1 < fewest) of_b = b;
    fewest = std::min(fewest, read + 1);
  }
  if (fewest > longest) {
    precision_a_ = questions_.unit.a.layout.precision();
    precision_b_ = questions_.unit.b.layout.precision();
    profile.input_precision = {0, "every stored bit is read"};
    profile.input_rounding = Determined<UnitRounding>::not_determined("nothing is rounded");
    return;
  }
  precision_a_ = std::min(questions_.unit.a.layout.precision(), fewest);
  precision_b_ = std::min(questions_.unit.b.layout.precision(), fewest);
  if (fewest > visible) {
    profile.input_precision = {0, "as far as sums of " + std::to_string(found_.precision) + " bits show"};
    profile.input_rounding = Determined<UnitRounding>::not_determined("nothing is seen to be rounded");
    return;
  }
  profile.input_precision = fewest;
  std::vector<SeenRounding> seen;
  const double unit = power_of_two(1 - fewest);
  for (const unsigned quarter : {1U, 2U, 3U})
    for (const int odd : {0, 1})
      for (const double sign : {1.0, -1.0})
        for (int repeat = 0; repeat < SumExamination::repetitions; ++repeat) {
          if (fewest + 2 > (of_b ? questions_.unit.b : questions_.unit.a).layout.precision()) continue;
          const double answer =
              sign * questions_.answers({with_long_input(site, 1 + odd * unit + quarter * unit / 4, of_b, sign)})[0] /
              sums_.one();
          seen.push_back({odd != 0, quarter, sign < 0, answer == (odd + 1) * unit,
                          answer == odd * unit || answer == (odd + 1) * unit});
        }
  profile.input_rounding = seen.empty()
                               ? Determined<UnitRounding>::not_determined("the stored format is too short to show it")
                               : rounding_that_explains(seen);
}

ASSAY_DETAIL_HEADER_INLINE void ProductExamination::examine_products(NumericProfile& profile) {
  const int p = found_.precision, high = (p + 1) / 2, low = p - high;
  const bool fit = precision_a_ + precision_b_ <= p || high > std::min(precision_a_, precision_b_) - 1;
  if (fit || (found_.aligned_bits >= 0 && found_.aligned_bits < p)) {
    profile.products = {UnitProducts::exact, fit ? "a product of two inputs fits the accumulator"
                                                 : "or cut where additions cut all their operands"};
    profile.product_rounding = Determined<UnitRounding>::not_determined("products are not rounded");
    return;
  }
  std::vector<DotProbe> asked;
  for (Index term = 0; term < tree_.terms; ++term) asked.push_back(long_product(term, high, low, 1, 1));
  const std::vector<double> answers = questions_.answers(asked);
  std::vector<Index> rounded, begin_chains;
  for (Index term = 0; term < tree_.terms; ++term)
    if (answers[static_cast<std::size_t>(term)] != sums_.below(p)) rounded.push_back(term);
  for (const auto& operands : tree_.additions)
    if (operands.size() == 2 && tree_.is_term(operands[0]) && tree_.is_term(operands[1]))
      begin_chains.push_back(operands[profile.order && (*profile.order).chain == SummationChain::descending ? 1 : 0]);
  std::sort(begin_chains.begin(), begin_chains.end());
  const auto not_rounded = Determined<UnitRounding>::not_determined("products are not rounded");
  if (rounded.empty()) {
    profile.products = UnitProducts::exact;
    profile.product_rounding = not_rounded;
  } else if (static_cast<Index>(rounded.size()) == tree_.terms) {
    profile.products = UnitProducts::rounded;
    profile.product_rounding = product_rounding(0, p);
  } else if (rounded == begin_chains) {
    profile.products = {UnitProducts::fused, "multiply and add are one operation"};
    profile.product_rounding = not_rounded;
  } else {
    std::string some;
    for (std::size_t i = 0; i < rounded.size() && i < 8; ++i) some += (i == 0 ? "" : ", ") + std::to_string(rounded[i]);
    profile.products = Determined<UnitProducts>::not_determined(
        std::to_string(rounded.size()) + " of " + std::to_string(tree_.terms) +
        " products are rounded, among them of the terms " + some + ", and this is no pattern of fused multiply-add");
    profile.product_rounding = product_rounding(rounded.front(), p);
  }
}

ASSAY_DETAIL_HEADER_INLINE void ProductExamination::examine_alignment(NumericProfile& profile,
                                                                      const AdditionSite& widest) {
  if (found_.aligned_bits < 0 || found_.aligned_bits + 1 > sums_.depth()) {
    profile.aligned_by_factors = Determined<bool>::not_determined("nothing is seen to be cut by alignment");
    return;
  }
  const auto& operands = widest.operands;
  if (operands.size() < 4) {
    profile.aligned_by_factors =
        Determined<bool>::not_determined("no addition takes three products besides the sum so far");
    return;
  }
  const auto factors = [&](Index term, double sign) { return split(term, sign * 1.5, 1.5); };
  const std::size_t last = operands.size() - 1;  // the sum so far is the first operand
  const std::vector<double> answers = questions_.answers({questions_.probe(
      {factors(operands[last - 2], 1), questions_.product(operands[last - 1], sums_.below(found_.aligned_bits)),
       factors(operands[last], -1)})});
  profile.aligned_by_factors = answers[0] != 0;
}

ASSAY_DETAIL_HEADER_INLINE Index ProductExamination::partner_of(Index term) const {
  for (const auto& operands : tree_.additions)
    if (std::find(operands.begin(), operands.end(), term) != operands.end()) {
      Index other = operands[0] == term ? operands[1] : operands[0];
      while (!tree_.is_term(other)) other = tree_.operands_of(other)[0];
      return other;
    }
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE Determined<UnitRounding> ProductExamination::product_rounding(Index term, int p) {
  const int high = (p + 1) / 2;
  struct Asked {
    int low, times;
    unsigned quarter;
  };
  std::vector<SeenRounding> seen;
  for (const Asked& asked : {Asked{p + 1 - high, 1, 1}, Asked{p - high, 1, 2}, Asked{p + 1 - high, 3, 3}})
    for (const double sign : {1.0, -1.0})
      for (int repeat = 0; repeat < SumExamination::repetitions; ++repeat) {
        const double answer = sign * questions_.answers({long_product(term, high, asked.low, asked.times, sign)})[0];
        seen.push_back({false, asked.quarter, sign < 0, answer == sums_.below(p - 1),
                        answer == 0 || answer == sums_.below(p - 1)});
      }
  return rounding_that_explains(seen);
}

}  // namespace assay::inline v0::detail
