#pragma once

#include "assay/collectives/verification/detail/reduction_hypotheses.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE ReductionHypotheses::ReductionHypotheses(const CollectiveData& data, std::uint64_t call,
                                                                    const std::vector<WrongElement>& wrong)
    : data_(data), problem_(data.problem()), call_(call), wrong_(wrong) {
  for (const WrongElement& element : wrong) {
    now_.push_back(terms(call, element.element));
    if (call > 0) before_.push_back(terms(call - 1, element.element));
  }
}

ASSAY_DETAIL_HEADER_INLINE double ReductionHypotheses::share(const ChangedReduction& changed,
                                                             std::size_t sample) const {
  sample = std::min(sample, wrong_.size());
  std::size_t explained = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    if (changed.change == ReductionChange::stale && before_.empty()) return 0;
    explained += explains(changed, now_[i], before_.empty() ? now_[i] : before_[i], wrong_[i].found) ? 1 : 0;
  }
  return sample > 0 ? static_cast<double>(explained) / static_cast<double>(sample) : 0;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<ReductionHypotheses::Term> ReductionHypotheses::terms(std::uint64_t call,
                                                                                             Index element) const {
  const ReductionPattern& pattern = data_.pattern();
  const Index place = data_.place_of(call, of_all, element);
  std::vector<Term> all;
  for (int rank = 0; rank < data_.size(); ++rank) {
    if (!pattern.is_active(rank, place)) continue;
    const std::uint64_t code = pattern.contribution(rank, place);
    all.push_back({rank, code, value_of(problem_.type, code)});
  }
  return all;
}

ASSAY_DETAIL_HEADER_INLINE double ReductionHypotheses::tolerance(const std::vector<Term>& all) const {
  if (data_.is_exact() || integers()) return 0;
  double magnitudes = 0, product = 1;
  for (const Term& term : all) {
    magnitudes += std::fabs(term.value);
    product *= std::fabs(term.value);
  }
  const double scale = problem_.reduction == ReductionOperator::product   ? product
                       : problem_.reduction == ReductionOperator::average ? magnitudes / data_.size()
                                                                          : magnitudes;
  return 2 * (static_cast<double>(all.size()) + 2) * unit_roundoff_of(problem_.type) * scale +
         smallest_number_of(problem_.type) * static_cast<double>(all.size());
}

ASSAY_DETAIL_HEADER_INLINE bool ReductionHypotheses::explains(const ChangedReduction& changed,
                                                              const std::vector<Term>& now,
                                                              const std::vector<Term>& before,
                                                              std::uint64_t found) const {
  const Reduced expected = reduce(std::nullopt, now, before), other = reduce(changed, now, before);
  if (changed.change == ReductionChange::other_type) {
    if (other.code == found || is_integer(changed.type) || is_nan_code(changed.type, found)) return other.code == found;
    const double allowed = static_cast<double>(std::min(data_.size(), 8)) * unit_roundoff_of(changed.type) *
                           std::fabs(value_of(changed.type, other.code));
    return bytes_of(changed.type) > 1 &&
           std::fabs(value_of(changed.type, found) - value_of(changed.type, other.code)) <= allowed;
  }
  if (data_.is_exact() || integers())
    return other.code == found || (!integers() && other.value == 0 && value_of(problem_.type, found) == 0);
  const double allowed = tolerance(now);
  return std::fabs(other.value - value_of(problem_.type, found)) <= allowed &&
         std::fabs(other.value - expected.value) > allowed;
}

ASSAY_DETAIL_HEADER_INLINE ReductionHypotheses::Reduced ReductionHypotheses::reduce(
    const std::optional<ChangedReduction>& changed, const std::vector<Term>& now,
    const std::vector<Term>& before) const {
  using enum ReductionChange;
  const ReductionOperator asked = problem_.reduction,
                          used = changed && (changed->change == other_operator || changed->change == other_step)
                                     ? changed->other
                                     : asked;
  const ElementType type = changed && changed->change == other_type ? changed->type : problem_.type;
  const bool of_step = changed && changed->change == other_step;
  const bool divided = (used == ReductionOperator::average || (of_step && asked == ReductionOperator::average)) &&
                       !(changed && changed->change == not_divided);
  const bool multiplied = asked == ReductionOperator::premultiplied_sum && (used == asked || of_step);
  Accumulator sum{type, used, multiplied && type == problem_.type};
  const int size = data_.size(), rank = changed ? changed->rank : -1;
  const auto is = [&](ReductionChange change) { return changed && changed->change == change; };
  const auto in_arc = [&](ReductionChange change, int other) {
    return is(change) && (other - rank + size) % size < changed->length;
  };
  for (const Term& term : now) {
    const bool own = term.rank == rank;
    if ((own && (is(drop) || is(stale))) || in_arc(drop_arc, term.rank) ||
        (is(twice_for_next) && term.rank == (rank + 1) % size))
      continue;
    const double multiplier = data_.pattern().multiplier(own && is(next_multiplier) ? (rank + 1) % size : term.rank);
    if (multiplied && is(other_type)) {  // multiplied first, and then taken for another type
      sum.add({term.rank,
               integers() ? term.code * static_cast<std::uint64_t>(multiplier) & code_mask(problem_.type)
                          : code_of(problem_.type, term.value * multiplier),
               0},
              1);
      continue;
    }
    sum.add(term, multiplier);
    if ((own && (is(twice) || is(twice_for_next))) || in_arc(twice_arc, term.rank))
      sum.add(term, multiplier);  // what a rank sends is multiplied already
  }
  if (is(stale))
    for (const Term& term : before)
      if (term.rank == rank) sum.add(term, data_.pattern().multiplier(rank));
  if ((is(other_operator) || of_step || is(other_type)) &&
      static_cast<int>(now.size()) < size) {  // the ranks that give what changes nothing
    const std::uint64_t neutral = asked == ReductionOperator::product ? code_of_integer(problem_.type, 1) : 0;
    for (auto left = static_cast<std::size_t>(size) - now.size(); left > 0; --left)
      sum.add({-1, neutral, value_of(problem_.type, neutral)}, 1);
  }
  return sum.result(divided ? size : 1);
}

ASSAY_DETAIL_HEADER_INLINE void ReductionHypotheses::Accumulator::add(const Term& term, double multiplier) {
  const bool whole = is_integer(type);
  const std::uint64_t code = whole && multiplied ? term.code * static_cast<std::uint64_t>(multiplier) : term.code;
  const double real = whole ? 0 : value_of(type, term.code) * (multiplied ? multiplier : 1);
  if (empty) {
    bits = code;
    value = real;
  } else if (reduction == ReductionOperator::product) {
    bits *= code;
    value *= real;
  } else if (reduction == ReductionOperator::minimum || reduction == ReductionOperator::maximum) {
    const std::uint64_t given = whole ? code & code_mask(type) : code_of(type, real),
                        held = whole ? bits & code_mask(type) : code_of(type, value);
    const bool lower = order_of(type, given) < order_of(type, held);
    if (lower == (reduction == ReductionOperator::minimum) && given != held) bits = code, value = real;
  } else {
    bits += code;
    value += real;
  }
  empty = false;
}

ASSAY_DETAIL_HEADER_INLINE ReductionHypotheses::Reduced ReductionHypotheses::Accumulator::result(int divisor) const {
  if (empty) return reduction == ReductionOperator::product ? Reduced{code_of_integer(type, 1), 1} : Reduced{};
  if (!is_integer(type)) return {code_of(type, value / divisor), value / divisor};
  const std::uint64_t code = bits & code_mask(type);
  if (divisor == 1) return {code, value_of(type, code)};
  const std::uint64_t quotient = is_signed_integer(type)
                                     ? static_cast<std::uint64_t>(integer_of(type, code) / divisor) & code_mask(type)
                                     : code / static_cast<std::uint64_t>(divisor);
  return {quotient, value_of(type, quotient)};
}

}  // namespace assay::inline v0::detail
