#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/profile/detail/unit_questions.hpp"
#include "assay/profile/reveal_order.hpp"

namespace assay::inline v0::detail {

/// Sizes of products, as powers of two, that suit a unit: a mask M with M − M = 0 wherever they meet, as large as may
/// be, and a unit that is kept alone, as small as may be.
struct MaskSizes {
  int mask = 0, unit = 0;
};

/// Asks for the sizes. Empty if there are none: the formats are too narrow, or sums do not cancel.
[[nodiscard]] std::optional<MaskSizes> mask_sizes(UnitQuestions& questions);

/// The tree from sums of units with a mask at one term and its negative at another: what is left are the units that did
/// not meet the masks before they canceled. That needs masks that swallow units without a trace. Where rounding leaves
/// one (directed, stochastic), or an accumulator cannot count so far, every unit is asked for alone: it comes out as it
/// went in exactly if it stands outside.
class OrderExamination {
 public:
  OrderExamination(UnitQuestions& asked, MaskSizes sizes)
      : questions_(asked), mask_(power_of_two(sizes.mask)), unit_(power_of_two(sizes.unit)) {}

  /// Above so many terms units are not asked for alone: terms³ answers are too many.
  static constexpr Index most_alone = 128;

  [[nodiscard]] Result<SummationTree> tree() {
    auto counted = reveal_order(questions_.terms, [this](const auto& pairs) { return count(pairs); });
    if (counted || questions_.error || questions_.terms > most_alone) return counted;
    return reveal_order(questions_.terms, [this](const auto& pairs) { return ask_alone(pairs); });
  }

 private:
  using Pairs = std::vector<std::pair<Index, Index>>;

  [[nodiscard]] Result<std::vector<Index>> count(const Pairs& pairs);

  [[nodiscard]] Result<std::vector<Index>> ask_alone(const Pairs& pairs);

  UnitQuestions& questions_;
  double mask_, unit_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/profile/detail/examine_order.ipp"
#endif
