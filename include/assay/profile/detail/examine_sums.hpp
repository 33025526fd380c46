#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/profile/detail/examine_order.hpp"

namespace assay::inline v0::detail {

/// An addition, and terms by which its operands are chosen: one under each operand; where an operand is a sum, a second
/// one under it; one that is added later.
struct AdditionSite {
  Index addition = -1;
  std::vector<Index> operands;
  Index first = -1, second = -1;  ///< two terms of one operand
  Index other = -1;               ///< a term of another operand
  Index later = -1;               ///< none: this is the last addition
};

/// The additions of a tree to look at.
struct AdditionSites {
  std::optional<AdditionSite> with_products;  ///< in which a product, and if it may be a sum of others, take part
  std::optional<AdditionSite> of_sums;        ///< in which none does
  std::optional<AdditionSite> widest;         ///< with the most operands
  std::optional<AdditionSite> last;

  explicit AdditionSites(const SummationTree& tree);
};

/// What is known of the arithmetic while it is found out.
struct FoundSums {
  int precision = 0;                ///< of the accumulator; 0: unknown
  bool precision_is_least = false;  ///< nothing that is longer came by
  int aligned_bits = -1;
};

/// Precision, alignment and rounding of the additions.
class SumExamination {
 public:
  SumExamination(UnitQuestions& asked, MaskSizes sizes);

  /// Fraction bits below the largest number of a question that can be shown.
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] double one() const { return power_of_two(top_); }
  [[nodiscard]] double below(int bits) const { return power_of_two(top_ - bits); }

  /// How far below 1 a second operand may lie to be in the sum: of the two, where a third operand of the same addition
  /// takes 1 away again (`same`), or a later one does, or, where there is none, as it stands in the output.
  [[nodiscard]] int kept_bits(const AdditionSite& site, bool same);

  /// How operands are cut where they are aligned to `bits`.
  [[nodiscard]] Determined<UnitRounding> cutting(const AdditionSite& site, int bits);

  /// How a sum is rounded to `precision` bits.
  [[nodiscard]] Determined<UnitRounding> rounding(const AdditionSite& site, int precision, int aligned_bits);

  /// The precision where no sum of two terms is longer than alignment leaves it: sums of more are, by the bits that
  /// carries add. Only the last addition can show them.
  [[nodiscard]] FoundSums precision_by_carries(const AdditionSite& last, int aligned_bits);

  /// Repeats every question so often, lest a stochastic rounding be taken for another.
  static constexpr int repetitions = 8;

  /// Asks about `quarters`/4 of a unit 2^−bits beyond a number, with both signs, and sees whether `base` or `base +
  /// grown` comes out.
  template <class Question>
  void see(std::vector<SeenRounding>& seen, int bits, std::initializer_list<unsigned> quarters, Question question,
           double grown, double base, bool odd) {
    std::vector<std::vector<std::pair<Index, double>>> asked;
    for (const unsigned quarter : quarters)
      for (const double sign : {1.0, -1.0})
        for (int repeat = 0; repeat < repetitions; ++repeat) asked.push_back(question(below(bits + 2) * quarter, sign));
    const std::vector<double> answers = questions_.sums(asked);
    std::size_t next = 0;
    for (const unsigned quarter : quarters)
      for (const double sign : {1.0, -1.0})
        for (int repeat = 0; repeat < repetitions; ++repeat) {
          const double answer = sign * answers[next++];
          seen.push_back({odd, quarter, sign < 0, answer == base + grown, answer == base || answer == base + grown});
        }
  }

 private:
  [[nodiscard]] static std::vector<std::pair<Index, double>> with_later(const AdditionSite& site,
                                                                        std::vector<std::pair<Index, double>> asked,
                                                                        double value) {
    if (site.later >= 0) asked.emplace_back(site.later, value);
    return asked;
  }

  UnitQuestions& questions_;
  int top_, depth_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/profile/detail/examine_sums.ipp"
#endif
