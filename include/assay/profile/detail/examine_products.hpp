#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/profile/detail/examine_sums.hpp"

namespace assay::inline v0::detail {

/// What is read of inputs, and what becomes of products before they are added.
class ProductExamination {
 public:
  ProductExamination(UnitQuestions& asked, SumExamination& sums, const SummationTree& tree, const FoundSums& found)
      : questions_(asked), sums_(sums), tree_(tree), found_(found) {}

  /// Significand bits that are read, of A and B the fewer, and how the others are rounded away.
  void examine_inputs(NumericProfile& profile, const AdditionSite& site);

  /// Whether products are rounded before they are added, of each term.
  void examine_products(NumericProfile& profile);

  /// Whether 1.5·1.5 = 2.25 counts as 2^1, or as 2^0, the sum of its factors' exponents, where operands are aligned.
  void examine_alignment(NumericProfile& profile, const AdditionSite& widest);

 private:
  /// (left·2^x)·(right·2^y) of the size of 1 in the examination's scale.
  [[nodiscard]] PlacedProduct split(Index term, double left, double right) const {
    const PlacedProduct one = questions_.product(term, sums_.one());
    return {term, left * one.a, right * one.b};
  }
  [[nodiscard]] DotProbe with_long_input(const AdditionSite& site, double value, bool in_b, double sign) const {
    const PlacedProduct one = in_b ? split(site.first, sign, value) : split(site.first, sign * value, 1);
    return questions_.probe({one, questions_.product(site.other, -sign * sums_.one())});
  }
  /// (1 + 2^−high)(1 + times·2^−low) at a term, and minus what it is without its last bits, where the two meet first.
  [[nodiscard]] DotProbe long_product(Index term, int high, int low, int times, double sign) const {
    const double first = power_of_two(-high), second = times * power_of_two(-low);
    return questions_.probe(
        {split(term, sign * (1 + first), 1 + second), split(partner_of(term), -sign * (1 + first + second), 1)});
  }
  [[nodiscard]] Index partner_of(Index term) const;
  [[nodiscard]] Determined<UnitRounding> product_rounding(Index term, int p);

  UnitQuestions& questions_;
  SumExamination& sums_;
  const SummationTree& tree_;
  FoundSums found_;
  int precision_a_ = 1, precision_b_ = 1;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/profile/detail/examine_products.ipp"
#endif
