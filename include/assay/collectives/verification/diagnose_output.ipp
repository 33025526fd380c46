#pragma once

#include "assay/collectives/verification/diagnose_output.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Of the elements of a range in which a change would show, the part that is wrong.
ASSAY_DETAIL_HEADER_INLINE double OutputDiagnosis::share_of_shown(const ReductionHypotheses& hypotheses,
                                                                  const ChangedReduction& changed, Index begin,
                                                                  Index length) const {
  int shown = 0, wrong = 0;
  for (std::uint64_t i = 0; i < 192; ++i) {
    const Index at =
        begin + (length <= 192 ? static_cast<Index>(i)
                               : static_cast<Index>(mixed(call_, i, 9) % static_cast<std::uint64_t>(length)));
    if (at >= begin + length) break;
    const WrongElement element = element_at(at);
    if (!hypotheses.shows(changed, element.element)) continue;
    ++shown;
    wrong += fits(element, call_, of_all, element.element) ? 0 : 1;
  }
  return shown > 0 ? static_cast<double>(wrong) / shown : 1;
}

ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_into_reduction() {
  if (problem_.operation == CollectiveOperation::reduce_scatter) {
    for (int other = 0; other < size_; ++other) {
      const Index shift = (other - rank_) * problem_.count;
      const double share = other == rank_ ? 0 : share_of([&](const WrongElement& wrong) {
        return fits(wrong, call_, of_all, wrong.element + shift);
      });
      if (share > 0.8)
        suspect("ranks_permuted", (rank_ + 1) % size_ == other ? rank_ : other, share,
                "the block of " + of_rank(other));
    }
  }
  if (data_.pattern().kind() == CollectiveDataKind::special) {
    const double lost = share_of([&](const WrongElement& wrong) {
      return !is_nan_code(problem_.type, wrong.found) &&
             data_.pattern().allowed(data_.place_of(call_, of_all, wrong.element)).nan;
    });
    const double sign = share_of([&](const WrongElement& wrong) {
      const Allowed right = data_.pattern().allowed(data_.place_of(call_, of_all, wrong.element));
      return value_of(problem_.type, wrong.found) == 0 && right.number && value_of(problem_.type, right.low) == 0;
    });
    const double smallest_normal =
        std::ldexp(smallest_number_of(problem_.type), float_layout_of(problem_.type).precision() - 1);
    const double flushed = share_of([&](const WrongElement& wrong) {
      const Allowed right = data_.pattern().allowed(data_.place_of(call_, of_all, wrong.element));
      const double value = value_of(problem_.type, right.low);
      return value_of(problem_.type, wrong.found) == 0 && right.number && value != 0 &&
             std::fabs(value) < smallest_normal;
    });
    if (flushed > 0.5) suspect("subnormals_flushed", -1, flushed, "zero where a subnormal number is right");
    if (lost > 0.5) suspect("nan_lost", -1, lost, "a number where the reduction with NaN is NaN");
    if (sign > 0.5) suspect("zero_sign_lost", -1, sign, "zero of the other sign");
    if (lost > 0.5 || sign > 0.5 || flushed > 0.5) return;
  }
  const ReductionHypotheses hypotheses(data_, call_, sample_);
  look_for_changes(hypotheses);
  look_for_arithmetic(hypotheses);
  const bool explained = std::any_of(found_.begin(), found_.end(),
                                     [](const CollectiveSuspicion& suspicion) { return suspicion.share >= 0.5; });
  if (explained || chooses() || size_ > 64) return;
  if (!look_for_partial_sums(hypotheses, ReductionChange::drop_arc))
    look_for_partial_sums(hypotheses, ReductionChange::twice_arc);
}

/// What some ranks in a row gave, lost or counted twice within an algorithm: who of them passed it on depends on the
/// algorithm, so all of them are suspected.
ASSAY_DETAIL_HEADER_INLINE bool OutputDiagnosis::look_for_partial_sums(const ReductionHypotheses& hypotheses,
                                                                       ReductionChange change) {
  ChangedReduction most;
  double most_share = 0;
  for (int length = 2; length < size_; ++length)
    for (int rank = 0; rank < size_; ++rank) {
      const ChangedReduction changed{change, rank, length};
      if (hypotheses.share(changed, 6) < 0.3) continue;
      if (const double share = hypotheses.share(changed, sample_.size()); share > most_share)
        most = changed, most_share = share;
    }
  if (most_share < 0.5) return false;
  const bool lost = change == ReductionChange::drop_arc;
  const int last = (most.rank + most.length - 1) % size_;
  const std::string fault = lost ? "chunk_dropped" : "contribution_duplicated";
  const std::string what = "ranks " + std::to_string(most.rank) + " to " + std::to_string(last) +
                           (lost ? " are left out" : " are counted twice") + ": in a ring, what " + of_rank(last) +
                           " sent to " + of_rank((last + 1) % size_) + " at step " + std::to_string(most.length - 1) +
                           (lost ? " was lost" : " was added twice") + "; elsewhere, what another of them sent";
  const double alternatives = static_cast<double>(size_) * size_;
  if (static_cast<std::size_t>(most.length) > most_suspicions / 2) {
    suspect(fault, -1, most_share, what, alternatives, data_.pattern().telling_bits());
    return true;
  }
  for (int i = 0; i < most.length; ++i)
    suspect(fault, (most.rank + i) % size_, most_share, what, alternatives, data_.pattern().telling_bits());
  return true;
}

/// One rank's contribution in another way than it should: all ranks of which that fits, since several may.
ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_for_changes(const ReductionHypotheses& hypotheses) {
  struct Named {
    ReductionChange change;
    const char *fault, *effect;
  };
  std::vector<Named> changes{{ReductionChange::drop, "rank_dropped", "is left out"},
                             {ReductionChange::stale, "stale_input", "came in with its input of the call before"}};
  if (!chooses()) {
    changes.push_back({ReductionChange::twice, "contribution_duplicated", "is counted twice"});
    changes.push_back(
        {ReductionChange::twice_for_next, "duplicate_and_drop", "is counted twice, and the next rank not at all"});
  }
  if (problem_.reduction == ReductionOperator::premultiplied_sum)
    changes.push_back(
        {ReductionChange::next_multiplier, "multiplier_of_wrong_rank", "is multiplied by the next rank's multiplier"});
  for (const Named& named : changes) {
    std::vector<std::pair<double, int>> fitting;
    for (int rank = 0; rank < size_; ++rank) {
      const ChangedReduction changed{named.change, rank};
      if (hypotheses.share(changed, 12) < 0.3) continue;
      const double share = hypotheses.share(changed, sample_.size());
      if (share < 0.5) continue;
      if (const double consistent = share * share_of_shown(hypotheses, changed, begin_, length_); consistent >= 0.5)
        fitting.emplace_back(consistent, rank);
    }
    std::sort(fitting.begin(), fitting.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (fitting.size() > 3) fitting.resize(3);  // that they are several is what counts
    for (const auto& [share, rank] : fitting) {
      const ChangedReduction changed{named.change, rank};
      std::string fault = named.fault, what = of_rank(rank) + " " + named.effect;
      int guilty = rank;
      if (named.change == ReductionChange::drop &&
          share_of_shown(hypotheses, changed, parts_.front().at, parts_.front().length) < 0.9)
        fault = "chunk_dropped";
      if (fault == "chunk_dropped" && chooses() && problem_.in_place) {
        fault = "in_place_aliasing";
        what += " there, or its input was overwritten before it was read";
      }
      if (named.change == ReductionChange::twice_for_next && problem_.in_place) {
        fault = "in_place_aliasing";
        guilty = (rank + 1) % size_;
        what = of_rank(guilty) + "'s input was overwritten by that of " + of_rank(rank) + " before it was read";
      }
      suspect(fault, guilty, share, what, static_cast<double>(changes.size()) * size_, data_.pattern().telling_bits());
    }
  }
}

/// What is wrong with the arithmetic, whichever the rank.
ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_for_arithmetic(const ReductionHypotheses& hypotheses) {
  const auto consider = [&](const ChangedReduction& changed, const std::string& fault, const std::string& what) {
    double share = hypotheses.share(changed, sample_.size());
    if (share > 0.5) share *= share_of_shown(hypotheses, changed, begin_, length_);
    if (share > 0.5) suspect(fault, -1, share, what);
  };
  const ReductionOperator asked = problem_.reduction;
  if (asked == ReductionOperator::average)
    consider({ReductionChange::not_divided}, "average_not_divided", "the sum, not divided by the number of ranks");
  for (const ReductionOperator other :
       {ReductionOperator::sum, ReductionOperator::product, ReductionOperator::minimum, ReductionOperator::maximum})
    if (other != asked && (other != ReductionOperator::sum || asked != ReductionOperator::average))
      consider({ReductionChange::other_operator, 0, 1, other}, "wrong_reduction",
               "the " + std::string(name_of(other)) + " instead of the " + std::string(name_of(asked)));
  if (asked == ReductionOperator::average || asked == ReductionOperator::premultiplied_sum)
    for (const ReductionOperator other :
         {ReductionOperator::product, ReductionOperator::minimum, ReductionOperator::maximum})
      consider({ReductionChange::other_step, 0, 1, other}, "wrong_reduction",
               "the " + std::string(name_of(other)) + " between ranks, where sums are due");
  for (const ElementType other : all_element_types)
    if (other != problem_.type && bytes_of(other) == bytes_ &&
        !(is_integer(other) && is_integer(problem_.type) && asked == ReductionOperator::sum))
      consider({ReductionChange::other_type, 0, 1, asked, other}, "type_reinterpreted",
               "reduced as " + std::string(name_of(other)) + " instead of " + std::string(name_of(problem_.type)));
  if (is_integer(problem_.type)) {
    if (asked != ReductionOperator::average) return;
    const double off = share_of([&](const WrongElement& wrong) {
      const std::int64_t expected = integer_of(
                             problem_.type, data_.pattern().allowed(data_.place_of(call_, of_all, wrong.element)).low),
                         found = integer_of(problem_.type, wrong.found);
      return found == expected - (is_signed_integer(problem_.type) ? 1 : -1);
    });
    if (off > 0.8) suspect("average_rounded_down", -1, off, "one unit from the quotient rounded toward zero");
    return;
  }
  const ElementType narrow = problem_.type == ElementType::float64 ? ElementType::float32 : ElementType::bfloat16;
  if (bytes_ <= bytes_of(narrow) && problem_.type != ElementType::float16) return;
  const double representable = share_of([&](const WrongElement& wrong) {
    const double value = value_of(problem_.type, wrong.found), scale = asked == ReductionOperator::average ? size_ : 1;
    const double rounded = value_of(narrow, code_of(narrow, value * scale)),
                 right =
                     value_of(problem_.type, data_.pattern().allowed(data_.place_of(call_, of_all, wrong.element)).low);
    return code_of(problem_.type, rounded / scale) == wrong.found &&
           !(value_of(narrow, code_of(narrow, right * scale)) == right * scale) && std::fabs(value) < 1e30;
  });
  if (representable > 0.9)
    suspect("narrow_accumulator", -1, representable,
            "sums that have no more digits than " + std::string(name_of(narrow)) + " has");
}

}  // namespace assay::inline v0::detail
