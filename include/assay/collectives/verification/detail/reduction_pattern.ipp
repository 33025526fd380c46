#pragma once

#include "assay/collectives/verification/detail/reduction_pattern.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE ReductionPattern::ReductionPattern(const CollectiveProblem& problem, int size)
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

ASSAY_DETAIL_HEADER_INLINE std::uint64_t ReductionPattern::contribution(int rank, Index place) const {
  const auto at = static_cast<std::uint64_t>(place);
  if (is_affine())
    return (mixed(seed_, at, 1) + static_cast<std::uint64_t>(rank) * (mixed(seed_, at, 2) | 1)) & code_mask(type_);
  if (kind_ == CollectiveDataKind::special) return special(rank, place);
  if (is_extreme() && kind_ != CollectiveDataKind::random && kind_ != CollectiveDataKind::canceling)
    return extreme(rank, place);
  if (by_digits()) return by_digit(rank, place);
  if (!is_active(rank, place)) return code_of(type_, is_extreme() || reduction_ != ReductionOperator::product ? 0 : 1);
  if (kind_ == CollectiveDataKind::order_probe) return probe(rank, place);
  return reduction_ == ReductionOperator::product ? code_of(type_, factor(rank, place))
                                                  : code_of(type_, random(rank, place));
}

ASSAY_DETAIL_HEADER_INLINE Allowed ReductionPattern::allowed(Index place) const {
  if (kind_ == CollectiveDataKind::special) return allowed_special(place);
  if (is_affine()) {
    const auto at = static_cast<std::uint64_t>(place), n = static_cast<std::uint64_t>(size_);
    const std::uint64_t pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    return exactly((n * mixed(seed_, at, 1) + pairs * (mixed(seed_, at, 2) | 1)) & code_mask(type_));
  }
  if (is_extreme())
    return exactly(kind_ == CollectiveDataKind::random || kind_ == CollectiveDataKind::canceling
                       ? folded(place)
                       : extreme(winner(place), place));
  return by_digits() ? allowed_digits(place) : allowed_within_bound(place);
}

ASSAY_DETAIL_HEADER_INLINE int ReductionPattern::digits() const {
  if (reduction_ == ReductionOperator::product) {  // of the exponent
    if (is_integer(type_)) return bytes_of(type_) == 1 ? 3 : 5;
    const int exponent_bits = float_layout_of(type_).exponent_bits;
    return exponent_bits >= 11 ? 5 : exponent_bits >= 8 ? 3 : exponent_bits >= 5 ? 2 : 1;
  }
  const bool whole =
      reduction_ == ReductionOperator::sum || (reduction_ == ReductionOperator::average && !is_signed_integer(type_));
  const int room = is_integer(type_) ? bits_of(type_) : precision();
  return std::max(1, std::min(31, (whole ? room : room - 1) / 2));
}

ASSAY_DETAIL_HEADER_INLINE double ReductionPattern::telling_bits() const {
  if (is_extreme()) return std::log2(std::max(size_, 2));  // of a wrong choice: which rank's number it is
  if (kind_ == CollectiveDataKind::order_probe) return 0;
  if (is_affine()) return bits_of(type_);
  if (by_digits() && is_exact()) return 1.5 * slots_;
  const double bits = -std::log2(4 * (active_ + 2) * unit_roundoff_of(type_));  // of the bound that hypotheses have
  // a bound wider than the numbers (of 8 bits), or numbers that are NaN, infinite or lost beside others
  if (bits <= 0 || kind_ == CollectiveDataKind::special) return 0;
  return std::max(0.25, bits);
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t ReductionPattern::power(std::int64_t exponent, bool negative) const {
  if (!is_integer(type_)) return code_of(type_, std::ldexp(negative ? -1.0 : 1.0, static_cast<int>(exponent)));
  std::uint64_t product = 1, base = 5;
  for (auto left = static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent); left > 0; left >>= 1, base *= base)
    if ((left & 1) != 0) product *= base;
  return (negative ? 0 - product : product) & code_mask(type_);
}

ASSAY_DETAIL_HEADER_INLINE Allowed ReductionPattern::allowed_digits(Index place, double unit) const {
  std::int64_t sum = 0, magnitude = 0;
  for_each_digit(place, [&](Index rank, std::int64_t value) {
    sum += reduction_ == ReductionOperator::premultiplied_sum ? whole_multiplier(rank) * value : value;
    magnitude += value < 0 ? -value : value;
  });
  if (reduction_ == ReductionOperator::product) {
    bool negative = false;
    for (Index rank = first_active(place), left = members(place); left > 0; --left, ++rank)
      negative ^= is_negative(rank, place);
    return exactly(power(sum, negative));
  }
  if (reduction_ != ReductionOperator::average)
    return exactly(unit == 1 ? code_of_integer(type_, sum) : code_of(type_, static_cast<double>(sum) * unit));
  if (is_integer(type_)) return exactly(code_of_integer(type_, sum / size_));
  return within(static_cast<double>(sum) * unit / size_, static_cast<double>(magnitude) * unit / size_,
                members(place) + 1, members(place));
}

ASSAY_DETAIL_HEADER_INLINE Allowed ReductionPattern::within(double exact, double magnitudes, int roundings,
                                                            int products) const {
  const double u = unit_roundoff_of(type_), share = roundings * u;
  const double error = (share / (1 - share) * magnitudes + products * smallest_number_of(type_)) * (1 + 0x1p-10) +
                       std::fabs(exact) * 0x1p-52;
  const bool rounds = roundings > 0 || products > 0;
  return {code_of(type_, rounds ? exact - error : exact), code_of(type_, rounds ? exact + error : exact)};
}

ASSAY_DETAIL_HEADER_INLINE Allowed ReductionPattern::allowed_within_bound(Index place) const {
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
  if (reduction_ == ReductionOperator::average)
    return within((sum + low) / size_, magnitudes / size_, active_ + 1, active_ + 1);
  const bool scaled = reduction_ == ReductionOperator::premultiplied_sum;
  return within(sum + low, magnitudes, active_ - 1 + (scaled ? 1 : 0), scaled ? active_ : 0);
}

ASSAY_DETAIL_HEADER_INLINE double ReductionPattern::random(int rank, Index place) const {
  const bool second = kind_ == CollectiveDataKind::canceling && rank % 2 == 1 && is_active(rank - 1, place);
  const std::uint64_t bits =
      mixed(seed_, static_cast<std::uint64_t>(place), 64 + static_cast<std::uint64_t>(second ? rank - 1 : rank));
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
  const double value = ((bits & 1) != 0 ? -1 : 1) * (0.5 + unit / 2) *
                       (kind_ == CollectiveDataKind::canceling ? 1.0 : 1.0 / static_cast<double>(1 << (bits >> 1 & 3)));
  return second ? -value * (1 - 4 * unit_roundoff_of(type_)) : value;
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t ReductionPattern::extreme(int rank, Index place) const {
  const auto at = static_cast<std::uint64_t>(place);
  const int bits = is_integer(type_) ? std::min(bits_of(type_), 60) : std::min(precision() + 1, 24);
  const std::int64_t half = std::int64_t{1} << (bits - 2), quarter = half / 2;
  std::int64_t value = static_cast<std::int64_t>(mixed(seed_, at, 6) % static_cast<std::uint64_t>(2 * half)) - half;
  if (rank != winner(place))
    value += 1 + static_cast<std::int64_t>(mixed(seed_, at, 64 + static_cast<std::uint64_t>(rank)) %
                                           static_cast<std::uint64_t>(quarter));
  if (is_integer(type_) && !is_signed_integer(type_)) value += half;
  if (reduction_ == ReductionOperator::maximum)
    value = is_integer(type_) && !is_signed_integer(type_) ? 3 * half - value : -value;
  return code_of_integer(type_, value);
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t ReductionPattern::special(int rank, Index place) const {
  const FloatLayout layout = float_layout_of(type_);
  const int what = speciality(place);
  const bool chosen = rank == winner(place);
  if (what == 1 && chosen) return layout.nan_bits();
  if (what == 2 && chosen && layout.has_infinity())
    return layout.infinity_bits() | (reduction_ == ReductionOperator::minimum ? layout.sign_mask() : 0);
  if (what == 4) return subnormal(rank, place);
  if (what == 3 && is_extreme()) return chosen == (reduction_ == ReductionOperator::minimum) ? layout.sign_mask() : 0;
  return is_extreme() ? extreme(rank, place) : by_digit(rank, place);
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t ReductionPattern::subnormal(int rank, Index place) const {
  if (!is_extreme() && reduction_ != ReductionOperator::product)
    return code_of(type_, static_cast<double>(mantissa(rank, place)) * smallest_number_of(type_));
  const bool chosen = rank == winner(place);
  if (reduction_ == ReductionOperator::product && !chosen) return code_of(type_, 1);
  // codes below that of the first normal number, which has no more than the lowest bit of the exponent
  const std::uint64_t normal = std::uint64_t{1} << (precision() - 1),
                      bits = mixed(seed_, static_cast<std::uint64_t>(place), 8);
  const std::uint64_t code = 1 + bits % std::max<std::uint64_t>(normal - 1, 1);
  const bool negative = is_extreme() && chosen == (reduction_ == ReductionOperator::minimum);
  return code | (negative ? float_layout_of(type_).sign_mask() : 0);
}

ASSAY_DETAIL_HEADER_INLINE Allowed ReductionPattern::allowed_subnormal(Index place) const {
  if (is_extreme() || reduction_ == ReductionOperator::product) return exactly(subnormal(winner(place), place));
  return allowed_digits(place, smallest_number_of(type_));
}

ASSAY_DETAIL_HEADER_INLINE Allowed ReductionPattern::allowed_special(Index place) const {
  const FloatLayout layout = float_layout_of(type_);
  const int what = speciality(place);
  if (what == 4) return allowed_subnormal(place);
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
      result = exactly(size_ == 1                                 ? special(0, place)
                       : reduction_ == ReductionOperator::minimum ? layout.sign_mask()
                                                                  : 0);
      result.any_zero = policy_ == NanReduction::any;
    }
    return result;
  }
  if (what == 1) return {0, 0, false, true};
  if (what == 2 && layout.has_infinity()) {
    const bool negative_product = reduction_ == ReductionOperator::product;
    Allowed infinite = exactly(layout.infinity_bits());
    if (negative_product)
      infinite = exactly(layout.infinity_bits() | (product_is_negative(place) ? layout.sign_mask() : 0));
    return infinite;
  }
  return allowed_digits(place);
}

ASSAY_DETAIL_HEADER_INLINE void ReductionPattern::widen_to_all(Allowed& result, Index place) const {
  for (int rank = 0; rank < size_; ++rank) {
    if (rank == winner(place)) continue;
    const std::uint64_t code = special(rank, place);
    if (order_of(type_, code) < order_of(type_, result.low)) result.low = code;
    if (order_of(type_, code) > order_of(type_, result.high)) result.high = code;
  }
}

}  // namespace assay::inline v0::detail
