#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/collectives/verification/collective_problem.hpp"
#include "assay/collectives/verification/detail/element_codes.hpp"
#include "assay/formats/double_double.hpp"

namespace assay::inline v0::detail {

/// What may stand in an element of an output: numbers from `low` to `high`, NaN, or either.
struct Allowed {
  std::uint64_t low = 0, high = 0;
  bool number = true, nan = false;
  bool any_zero = true;  ///< both zeros count as equal
};

/// The numbers that ranks contribute to a reduction, place by place, and what their reduction may be. A place has a few
/// active ranks, which rotate from place to place; the others contribute the neutral element, so that what a type of
/// few bits can hold is enough for any number of ranks.
class ReductionPattern {
 public:
  ReductionPattern(const CollectiveProblem& problem, int size);

  [[nodiscard]] CollectiveDataKind kind() const { return kind_; }
  /// Whether sums are of digits whose multiplicity can be told.
  [[nodiscard]] bool by_digits() const {
    return !is_extreme() && (kind_ == CollectiveDataKind::decode || kind_ == CollectiveDataKind::special ||
                             (kind_ == CollectiveDataKind::exact && !is_affine()));
  }
  [[nodiscard]] bool is_extreme() const {
    return reduction_ == ReductionOperator::minimum || reduction_ == ReductionOperator::maximum;
  }
  [[nodiscard]] bool is_affine() const {
    return kind_ == CollectiveDataKind::exact && is_integer(type_) && reduction_ == ReductionOperator::sum;
  }
  /// Whether every element has one right code.
  [[nodiscard]] bool is_exact() const {
    if (kind_ == CollectiveDataKind::special) return false;
    if (is_extreme()) return true;
    return by_digits() || is_affine() ? reduction_ != ReductionOperator::average || is_integer(type_) : false;
  }
  /// Ranks that contribute anything but the neutral element to a place.
  [[nodiscard]] int active() const { return is_affine() || is_extreme() ? size_ : active_; }
  [[nodiscard]] bool is_active(int rank, Index place) const {
    if (is_affine() || is_extreme()) return true;
    const Index first = first_active(place);
    return by_digits() ? rank >= first && rank < first + members(place) : (rank - first + size_) % size_ < active_;
  }

  /// The factor of a rank in a premultiplied sum.
  [[nodiscard]] double multiplier(int rank) const {
    if (reduction_ != ReductionOperator::premultiplied_sum) return 1;
    if (kind_ == CollectiveDataKind::random || kind_ == CollectiveDataKind::canceling)
      return value_of(type_, code_of(type_, 1.0 / whole_multiplier(rank)));
    return whole_multiplier(rank);
  }

  /// The code that a rank gives. O(slots).
  [[nodiscard]] std::uint64_t contribution(int rank, Index place) const;

  /// What the reduction of all ranks may be. O(slots), or O(active) where bounds are derived; O(size) for random
  /// extremes.
  [[nodiscard]] Allowed allowed(Index place) const;

  /// Whether all results are next to nothing beside what ranks give.
  [[nodiscard]] bool cancels() const {
    return kind_ == CollectiveDataKind::canceling && !is_extreme() && reduction_ != ReductionOperator::product;
  }
  /// Bits, about, by which a result tells one cause of a wrong value from another; 0: values repeat, or nearly so.
  [[nodiscard]] double telling_bits() const;

  /// The mantissa of a rank's digits at a place: the number itself, or the exponent in a product.
  [[nodiscard]] std::int64_t mantissa(int rank, Index place) const {
    if (!is_active(rank, place)) return 0;
    std::int64_t sum = 0;
    for_each_digit(place, [&](Index owner, std::int64_t value) { sum += owner == rank ? value : 0; });
    return sum;
  }
  /// Calls `visit(rank, value)` with each digit at a place, times its power of 4, and whose it is.
  template <class Visit>
  void for_each_digit(Index place, const Visit& visit) const {
    const Index count = members(place), first = first_active(place);
    const std::uint64_t bits = mixed(seed_, static_cast<std::uint64_t>(place), 3);
    const int sign = kind_ == CollectiveDataKind::exact && reduction_ != ReductionOperator::product ? 32 : 63,
              step = sign == 32 ? 1 : 0;
    Index member = place / groups_ % count;
    for (int slot = 0; slot < slots_; ++slot) {
      const std::int64_t digit = (1 + static_cast<std::int64_t>(bits >> slot & 1)) << (2 * slot);
      visit(first + member, has_negative() && (bits >> (sign + step * slot) & 1) != 0 ? -digit : digit);
      if (++member == count) member = 0;
    }
  }

  /// The rank whose number a minimum or maximum must be.
  [[nodiscard]] int winner(Index place) const {
    return static_cast<int>(mixed(seed_, static_cast<std::uint64_t>(place), 4) % static_cast<std::uint64_t>(size_));
  }

 private:
  /// 2 and 3 by turns, and 1 for the last of an odd number: neighbors differ, and not by the factor 2 of what is
  /// doubled.
  [[nodiscard]] int whole_multiplier(Index rank) const {
    return rank > 0 && rank == size_ - 1 && rank % 2 == 0 ? 1 : 2 + static_cast<int>(rank % 2);
  }
  static Allowed exactly(std::uint64_t code) { return {code, code}; }
  [[nodiscard]] int precision() const { return float_layout_of(type_).precision(); }
  [[nodiscard]] bool has_negative() const {
    return is_signed_integer(type_) || !is_integer(type_) || (reduction_ == ReductionOperator::sum);
  }

  /// Digits of base 4 that a sum of the type has room for: so that a sum in which every digit is 2 is exact.
  [[nodiscard]] int digits() const;
  /// Ranks whose numbers are random, so few that the derived bound stays below a quarter.
  [[nodiscard]] int rounding_ranks() const {
    if (is_integer(type_)) return size_;
    const int most =
        static_cast<int>(std::min(0.25 / unit_roundoff_of(type_), 1e6)) + (type_ == ElementType::float8_e5m2 ? 0 : 1);
    return std::min({size_, std::max(2, most), reduction_ == ReductionOperator::product ? 4 : size_});
  }
  [[nodiscard]] Index first_active(Index place) const {
    return by_digits() ? place % groups_ * active_ : place * active_ % size_;
  }
  [[nodiscard]] int members(Index place) const {
    return static_cast<int>(std::min<Index>(active_, size_ - first_active(place)));
  }

  [[nodiscard]] std::uint64_t by_digit(int rank, Index place) const {
    const std::int64_t value = mantissa(rank, place);
    if (reduction_ != ReductionOperator::product) return code_of_integer(type_, value);
    return power(value, is_active(rank, place) && is_negative(rank, place));
  }
  /// Of a factor of a product.
  [[nodiscard]] bool is_negative(Index rank, Index place) const {
    return (mixed(seed_, static_cast<std::uint64_t>(place), 64 + static_cast<std::uint64_t>(rank)) & 1) != 0;
  }
  /// ±2^exponent; of integers ±5^|exponent|.
  [[nodiscard]] std::uint64_t power(std::int64_t exponent, bool negative) const;

  /// Of digits that are multiples of `unit`.
  [[nodiscard]] Allowed allowed_digits(Index place, double unit = 1) const;

  /// Interval of all values that correct kernels may give: |computed − exact| ≤ γ_k·Σ|x|, γ_k = ku/(1 − ku), for any
  /// order of k roundings (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §4.2), and half the
  /// smallest number for each product that may underflow; its ends rounded to the type. A thousandth more covers wider
  /// accumulators whose partial results are rounded to the type.
  [[nodiscard]] Allowed within(double exact, double magnitudes, int roundings, int products) const;
  [[nodiscard]] Allowed allowed_within_bound(Index place) const;

  /// A number below 1 in magnitude with at most p bits, over some binades.
  [[nodiscard]] double random(int rank, Index place) const;
  [[nodiscard]] double factor(int rank, Index place) const {
    const std::uint64_t bits = mixed(seed_, static_cast<std::uint64_t>(place), 64 + static_cast<std::uint64_t>(rank));
    const double value = 0.5 + 1.5 * static_cast<double>(bits >> 11) * 0x1p-53;
    return (bits & 1) != 0 ? -value : value;
  }
  [[nodiscard]] std::uint64_t probe(int rank, Index place) const {
    const Index turn = ((rank - first_active(place) + size_) % size_ + place / size_) % 4;
    const double large = std::ldexp(1.0, std::min(precision() + 3, type_ == ElementType::float8_e4m3fn ? 7 : 60));
    return code_of(type_, turn % 2 == 1 ? 1 : turn == 0 ? large : -large);
  }
  [[nodiscard]] std::uint64_t folded(Index place) const {
    std::uint64_t code = contribution(0, place);
    for (int rank = 1; rank < size_; ++rank) code = reduced(type_, reduction_, code, contribution(rank, place));
    return code;
  }

  /// One rank's number is less (or more) than all others'.
  [[nodiscard]] std::uint64_t extreme(int rank, Index place) const;

  /// Every fourth place: NaN, an infinity, zeros of both signs at one rank, subnormal numbers at all, by turns; ordinary
  /// digits elsewhere.
  [[nodiscard]] int speciality(Index place) const { return place % 4 == 0 ? 1 + static_cast<int>(place / 4 % 4) : 0; }
  /// Multiples of the smallest number, whose sums are as exact as those of integers.
  [[nodiscard]] std::uint64_t subnormal(int rank, Index place) const;
  [[nodiscard]] Allowed allowed_subnormal(Index place) const;
  [[nodiscard]] std::uint64_t special(int rank, Index place) const;
  [[nodiscard]] Allowed allowed_special(Index place) const;
  /// A comparison with NaN is false: what has been found before may be forgotten, so any rank's number may come out.
  void widen_to_all(Allowed& result, Index place) const;
  [[nodiscard]] bool product_is_negative(Index place) const {
    bool negative = false;
    for (int rank = 0; rank < size_; ++rank) negative ^= value_of(type_, special(rank, place)) < 0;
    return negative;
  }

  ElementType type_;
  ReductionOperator reduction_;
  CollectiveDataKind kind_;
  NanReduction policy_;
  std::uint64_t seed_;
  int size_;
  int slots_ = 1, active_ = 1;
  Index groups_ = 1;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/detail/reduction_pattern.ipp"
#endif
