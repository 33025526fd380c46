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
/// active ranks, which rotate from place to place; the others contribute the neutral element, so that what a type of few
/// bits can hold is enough for any number of ranks.
class ReductionPattern {
 public:
  ReductionPattern(const CollectiveProblem& problem, int size)
      : type_(problem.type),
        reduction_(problem.reduction),
        kind_(problem.data),
        policy_(problem.nan_policy),
        seed_(problem.seed),
        size_(size) {
    if (is_integer(type_)) {  // what has no fractions, NaN or roundings
      if (kind_ != CollectiveDataKind::decode) kind_ = CollectiveDataKind::exact;
      if (kind_ == CollectiveDataKind::exact && reduction_ != ReductionOperator::sum) kind_ = CollectiveDataKind::decode;
    }
    if (kind_ == CollectiveDataKind::order_probe && (is_extreme() || reduction_ == ReductionOperator::product))
      kind_ = CollectiveDataKind::random;
    slots_ = digits();
    active_ = by_digits()                                            ? std::min(slots_, size_)
              : kind_ == CollectiveDataKind::order_probe             ? std::min(4, size_)
              : kind_ == CollectiveDataKind::special && is_extreme() ? size_
                                                                     : rounding_ranks();
    groups_ = (size_ + active_ - 1) / active_;
  }

  [[nodiscard]] CollectiveDataKind kind() const { return kind_; }
  /// Whether sums are of digits whose multiplicity can be told.
  [[nodiscard]] bool by_digits() const {
    return !is_extreme() && (kind_ == CollectiveDataKind::decode || kind_ == CollectiveDataKind::special ||
                             (kind_ == CollectiveDataKind::exact && !is_affine()));
  }
  [[nodiscard]] bool is_extreme() const { return reduction_ == ReductionOperator::minimum || reduction_ == ReductionOperator::maximum; }
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
    if (kind_ == CollectiveDataKind::random || kind_ == CollectiveDataKind::cancelling)
      return value_of(type_, code_of(type_, 1.0 / whole_multiplier(rank)));
    return whole_multiplier(rank);
  }

  /// The code that a rank gives. O(slots).
  [[nodiscard]] std::uint64_t contribution(int rank, Index place) const {
    const auto at = static_cast<std::uint64_t>(place);
    if (is_affine()) return (mixed(seed_, at, 1) + static_cast<std::uint64_t>(rank) * (mixed(seed_, at, 2) | 1)) & code_mask(type_);
    if (kind_ == CollectiveDataKind::special) return special(rank, place);
    if (is_extreme() && kind_ != CollectiveDataKind::random && kind_ != CollectiveDataKind::cancelling) return extreme(rank, place);
    if (by_digits()) return by_digit(rank, place);
    if (!is_active(rank, place)) return code_of(type_, is_extreme() || reduction_ != ReductionOperator::product ? 0 : 1);
    if (kind_ == CollectiveDataKind::order_probe) return probe(rank, place);
    return reduction_ == ReductionOperator::product ? code_of(type_, factor(rank, place)) : code_of(type_, random(rank, place));
  }

  /// What the reduction of all ranks may be. O(slots), or O(active) where bounds are derived; O(size) for random extremes.
  [[nodiscard]] Allowed allowed(Index place) const {
    if (kind_ == CollectiveDataKind::special) return allowed_special(place);
    if (is_affine()) {
      const auto at = static_cast<std::uint64_t>(place), n = static_cast<std::uint64_t>(size_);
      const std::uint64_t pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
      return exactly((n * mixed(seed_, at, 1) + pairs * (mixed(seed_, at, 2) | 1)) & code_mask(type_));
    }
    if (is_extreme())
      return exactly(kind_ == CollectiveDataKind::random || kind_ == CollectiveDataKind::cancelling ? folded(place)
                                                                                                    : extreme(winner(place), place));
    return by_digits() ? allowed_digits(place) : allowed_within_bound(place);
  }

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
    const int sign = kind_ == CollectiveDataKind::exact && reduction_ != ReductionOperator::product ? 32 : 63, step = sign == 32 ? 1 : 0;
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
  /// 2 and 3 by turns, and 1 for the last of an odd number: neighbours differ, and not by the factor 2 of what is doubled.
  [[nodiscard]] int whole_multiplier(Index rank) const {
    return rank > 0 && rank == size_ - 1 && rank % 2 == 0 ? 1 : 2 + static_cast<int>(rank % 2);
  }
  static Allowed exactly(std::uint64_t code) { return {code, code}; }
  [[nodiscard]] int precision() const { return float_layout_of(type_).precision(); }
  [[nodiscard]] bool has_negative() const {
    return is_signed_integer(type_) || !is_integer(type_) || (reduction_ == ReductionOperator::sum);
  }

  /// Digits of base 4 that a sum of the type has room for: so that a sum in which every digit is 2 is exact.
  [[nodiscard]] int digits() const {
    if (reduction_ == ReductionOperator::product) {  // of the exponent
      if (is_integer(type_)) return bytes_of(type_) == 1 ? 3 : 5;
      const int exponent_bits = float_layout_of(type_).exponent_bits;
      return exponent_bits >= 11 ? 5 : exponent_bits >= 8 ? 3 : exponent_bits >= 5 ? 2 : 1;
    }
    const bool whole = reduction_ == ReductionOperator::sum || (reduction_ == ReductionOperator::average && !is_signed_integer(type_));
    const int room = is_integer(type_) ? bits_of(type_) : precision();
    return std::max(1, std::min(31, (whole ? room : room - 1) / 2));
  }
  /// Ranks whose numbers are random, so few that the derived bound stays below a quarter.
  [[nodiscard]] int rounding_ranks() const {
    if (is_integer(type_)) return size_;
    const int most = static_cast<int>(std::min(0.25 / unit_roundoff_of(type_), 1e6)) + (type_ == ElementType::float8_e5m2 ? 0 : 1);
    return std::min({size_, std::max(2, most), reduction_ == ReductionOperator::product ? 4 : size_});
  }
  [[nodiscard]] Index first_active(Index place) const { return by_digits() ? place % groups_ * active_ : place * active_ % size_; }
  [[nodiscard]] int members(Index place) const { return static_cast<int>(std::min<Index>(active_, size_ - first_active(place))); }

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
  [[nodiscard]] std::uint64_t power(std::int64_t exponent, bool negative) const {
    if (!is_integer(type_)) return code_of(type_, std::ldexp(negative ? -1.0 : 1.0, static_cast<int>(exponent)));
    std::uint64_t product = 1, base = 5;
    for (auto left = static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent); left > 0; left >>= 1, base *= base)
      if ((left & 1) != 0) product *= base;
    return (negative ? 0 - product : product) & code_mask(type_);
  }

  [[nodiscard]] Allowed allowed_digits(Index place) const {
    std::int64_t sum = 0, magnitude = 0;
    for_each_digit(place, [&](Index rank, std::int64_t value) {
      sum += reduction_ == ReductionOperator::premultiplied_sum ? whole_multiplier(rank) * value : value;
      magnitude += value < 0 ? -value : value;
    });
    if (reduction_ == ReductionOperator::product) {
      bool negative = false;
      for (Index rank = first_active(place), left = members(place); left > 0; --left, ++rank) negative ^= is_negative(rank, place);
      return exactly(power(sum, negative));
    }
    if (reduction_ != ReductionOperator::average) return exactly(code_of_integer(type_, sum));
    if (is_integer(type_)) return exactly(code_of_integer(type_, sum / size_));
    return within(static_cast<double>(sum) / size_, static_cast<double>(magnitude) / size_, members(place) + 1, members(place));
  }

  /// Interval of all values that correct kernels may give: |computed − exact| ≤ γ_k·Σ|x|, γ_k = ku/(1 − ku), for any order
  /// of k roundings (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §4.2), and half the smallest number
  /// for each product that may underflow; its ends rounded to the type. A thousandth more covers wider accumulators whose
  /// partial results are rounded to the type.
  [[nodiscard]] Allowed within(double exact, double magnitudes, int roundings, int products) const {
    const double u = unit_roundoff_of(type_), share = roundings * u;
    const double error =
        (share / (1 - share) * magnitudes + products * smallest_number_of(type_)) * (1 + 0x1p-10) + std::fabs(exact) * 0x1p-52;
    const bool rounds = roundings > 0 || products > 0;
    return {code_of(type_, rounds ? exact - error : exact), code_of(type_, rounds ? exact + error : exact)};
  }
  [[nodiscard]] Allowed allowed_within_bound(Index place) const {
    double sum = 0, low = 0, magnitudes = 0, product = 1;
    for (int i = 0; i < active_; ++i) {
      const int rank = static_cast<int>((first_active(place) + i) % size_);
      const double value = value_of(type_, contribution(rank, place)), term = value * multiplier(rank);
      const DoubleDouble partial = two_sum(sum, term);
      sum = partial.high;
      low += partial.low;
      magnitudes += std::fabs(term);
      product *= value;
    }
    if (reduction_ == ReductionOperator::product) return within(product, std::fabs(product), active_ - 1, 0);
    if (reduction_ == ReductionOperator::average) return within((sum + low) / size_, magnitudes / size_, active_ + 1, active_ + 1);
    const bool scaled = reduction_ == ReductionOperator::premultiplied_sum;
    return within(sum + low, magnitudes, active_ - 1 + (scaled ? 1 : 0), scaled ? active_ : 0);
  }

  /// A number below 1 in magnitude with at most p bits, over some binades.
  [[nodiscard]] double random(int rank, Index place) const {
    const bool second = kind_ == CollectiveDataKind::cancelling && rank % 2 == 1 && is_active(rank - 1, place);
    const std::uint64_t bits = mixed(seed_, static_cast<std::uint64_t>(place), 64 + static_cast<std::uint64_t>(second ? rank - 1 : rank));
    const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
    const double value = ((bits & 1) != 0 ? -1 : 1) * (0.5 + unit / 2) *
                         (kind_ == CollectiveDataKind::cancelling ? 1.0 : 1.0 / static_cast<double>(1 << (bits >> 1 & 3)));
    return second ? -value * (1 - 4 * unit_roundoff_of(type_)) : value;
  }
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
  [[nodiscard]] std::uint64_t extreme(int rank, Index place) const {
    const auto at = static_cast<std::uint64_t>(place);
    const int bits = is_integer(type_) ? std::min(bits_of(type_), 60) : std::min(precision() + 1, 24);
    const std::int64_t half = std::int64_t{1} << (bits - 2), quarter = half / 2;
    std::int64_t value = static_cast<std::int64_t>(mixed(seed_, at, 6) % static_cast<std::uint64_t>(2 * half)) - half;
    if (rank != winner(place))
      value += 1 + static_cast<std::int64_t>(mixed(seed_, at, 64 + static_cast<std::uint64_t>(rank)) % static_cast<std::uint64_t>(quarter));
    if (is_integer(type_) && !is_signed_integer(type_)) value += half;
    if (reduction_ == ReductionOperator::maximum) value = is_integer(type_) && !is_signed_integer(type_) ? 3 * half - value : -value;
    return code_of_integer(type_, value);
  }

  /// Every fourth place: NaN, an infinity, zeros of both signs at one rank, by turns; ordinary digits elsewhere.
  [[nodiscard]] int speciality(Index place) const { return place % 4 == 0 ? 1 + static_cast<int>(place / 4 % 3) : 0; }
  [[nodiscard]] std::uint64_t special(int rank, Index place) const {
    const FloatLayout layout = float_layout_of(type_);
    const int what = speciality(place);
    const bool chosen = rank == winner(place);
    if (what == 1 && chosen) return layout.nan_bits();
    if (what == 2 && chosen && layout.has_infinity())
      return layout.infinity_bits() | (reduction_ == ReductionOperator::minimum ? layout.sign_mask() : 0);
    if (what == 3 && is_extreme()) return chosen == (reduction_ == ReductionOperator::minimum) ? layout.sign_mask() : 0;
    return is_extreme() ? extreme(rank, place) : by_digit(rank, place);
  }
  [[nodiscard]] Allowed allowed_special(Index place) const {
    const FloatLayout layout = float_layout_of(type_);
    const int what = speciality(place);
    Allowed result;
    if (is_extreme()) {
      result = exactly(special(winner(place), place));
      if (what == 1) {
        std::uint64_t rest = 0;
        bool found = false;
        for (int rank = 0; rank < size_; ++rank) {
          if (rank == winner(place)) continue;
          const std::uint64_t code = special(rank, place);
          rest = found ? reduced(type_, reduction_, rest, code) : code;
          found = true;
        }
        result = exactly(rest);
        result.nan = policy_ != NanReduction::ignored || !found;
        result.number = policy_ != NanReduction::propagated && found;
        if (result.nan && result.number) {  // MPI_MIN and the like compare with <: which survives depends on the order
          result.low = reduced(type_, ReductionOperator::minimum, rest, rest);
          widen_to_all(result, place);
        }
      }
      if (what == 3) {
        result = exactly(size_ == 1 ? special(0, place) : reduction_ == ReductionOperator::minimum ? layout.sign_mask() : 0);
        result.any_zero = policy_ == NanReduction::any;
      }
      return result;
    }
    if (what == 1) return {0, 0, false, true};
    if (what == 2 && layout.has_infinity()) {
      const bool negative_product = reduction_ == ReductionOperator::product;
      Allowed infinite = exactly(layout.infinity_bits());
      if (negative_product) infinite = exactly(layout.infinity_bits() | (product_is_negative(place) ? layout.sign_mask() : 0));
      return infinite;
    }
    return allowed_digits(place);
  }
  /// A comparison with NaN is false: what has been found before may be forgotten, so any rank's number may come out.
  void widen_to_all(Allowed& result, Index place) const {
    for (int rank = 0; rank < size_; ++rank) {
      if (rank == winner(place)) continue;
      const std::uint64_t code = special(rank, place);
      if (order_of(type_, code) < order_of(type_, result.low)) result.low = code;
      if (order_of(type_, code) > order_of(type_, result.high)) result.high = code;
    }
  }
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
