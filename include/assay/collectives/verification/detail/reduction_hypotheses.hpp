#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/collectives/verification/collective_data.hpp"

namespace assay::inline v0::detail {

/// How a reduction may have gone wrong.
enum class ReductionChange {
  drop,             ///< without a rank
  twice,            ///< a rank twice
  twice_for_next,   ///< a rank twice, and the next not at all
  stale,            ///< a rank's elements of the call before
  next_multiplier,  ///< a rank's elements times the next rank's multiplier
  drop_arc,         ///< without some ranks in a row, `length` of them
  twice_arc,        ///< some ranks in a row twice
  not_divided,      ///< the sum for the average
  other_operator,   ///< `other` instead
  other_step,       ///< `other` between ranks, with the multipliers or the divisor of what was asked
  other_type        ///< codes taken for those of `type`
};

struct ChangedReduction {
  ReductionChange change = ReductionChange::drop;
  int rank = 0, length = 1;
  ReductionOperator other = ReductionOperator::sum;
  ElementType type = ElementType::float32;
};

/// An element of an output that is not what it should be: where it is in the streams, and what was found there.
struct WrongElement {
  Index at = 0;       ///< in the output
  Index element = 0;  ///< in the stream
  int source = of_all;
  std::uint64_t found = 0;
};

/// Recomputes elements of a reduction with changes, to see which change explains what was found.
class ReductionHypotheses {
 public:
  ReductionHypotheses(const CollectiveData& data, std::uint64_t call, const std::vector<WrongElement>& wrong);

  /// The part of the first `sample` wrong elements that a change explains.
  [[nodiscard]] double share(const ChangedReduction& changed, std::size_t sample) const;

  /// Whether a change would show at an element of the stream at all.
  [[nodiscard]] bool shows(const ChangedReduction& changed, Index element) const {
    const std::vector<Term> terms_now = terms(call_, element),
                            terms_before = call_ > 0 ? terms(call_ - 1, element) : terms_now;
    const Reduced plain = reduce(std::nullopt, terms_now, terms_before),
                  other = reduce(changed, terms_now, terms_before);
    if (data_.is_exact() || integers() || changed.change == ReductionChange::other_type)
      return !data_.allows(call_, element, other.code);
    return !(std::fabs(plain.value - other.value) <= tolerance(terms_now));
  }

 private:
  struct Term {
    int rank = 0;
    std::uint64_t code = 0;
    double value = 0;
  };
  struct Reduced {
    std::uint64_t code = 0;
    double value = 0;
  };

  [[nodiscard]] bool integers() const { return is_integer(problem_.type); }
  [[nodiscard]] std::vector<Term> terms(std::uint64_t call, Index element) const;
  [[nodiscard]] double tolerance(const std::vector<Term>& all) const;

  [[nodiscard]] bool explains(const ChangedReduction& changed, const std::vector<Term>& now,
                              const std::vector<Term>& before, std::uint64_t found) const;

  [[nodiscard]] Reduced reduce(const std::optional<ChangedReduction>& changed, const std::vector<Term>& now,
                               const std::vector<Term>& before) const;

  /// In arithmetic wide enough that what is exact in the type is exact.
  struct Accumulator {
    ElementType type;
    ReductionOperator reduction;
    bool multiplied;
    bool empty = true;
    std::uint64_t bits = 0;
    double value = 0;

    void add(const Term& term, double multiplier);
    [[nodiscard]] Reduced result(int divisor) const;
  };

  const CollectiveData& data_;
  const CollectiveProblem& problem_;
  std::uint64_t call_;
  const std::vector<WrongElement>& wrong_;
  std::vector<std::vector<Term>> now_, before_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/detail/reduction_hypotheses.ipp"
#endif
