#pragma once

#include "assay/formats/classify.hpp"
#include "assay/formats/limits.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0::detail {

/// A sum as it is taken, and what tells whether kernels that add in another order may give another infinity, or NaN.
struct SignedSum {
  double finite = 0;  ///< of the finite terms
  /// Magnitudes of the finite terms above and below 0.
  double positive = 0, negative = 0;
  double special = 0;      ///< of the infinities and NaNs
  bool all_finite = true;  ///< no term is NaN or infinite

  /// One term more.
  ASSAY_FUNCTION void add(double term) {
    if (is_finite(term)) {
      finite += term;
      (term > 0 ? positive : negative) += absolute(term);
    } else {
      special += term;
      all_finite = false;
    }
  }
  /// Σx in double.
  [[nodiscard]] ASSAY_FUNCTION double value() const { return all_finite ? finite : special; }
  /// Σ|x| of the finite terms.
  [[nodiscard]] ASSAY_FUNCTION double magnitudes() const { return positive + negative; }

  /// The sum where a term is not finite: NaN or an infinity in any order, unless the finite terms of the other sign, by
  /// rounding raised to at most `raised` times their sum, may exceed `largest`: the two infinities then make NaN.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of_specials(double raised, double largest) const {
    const double opposite = special > 0 ? negative : positive;
    if (is_nan(special) || opposite == 0 || opposite * raised <= largest) return {special, 0};
    return {0, double_of(binary64_layout.infinity_bits())};
  }
};

}  // namespace assay::inline v0::detail
