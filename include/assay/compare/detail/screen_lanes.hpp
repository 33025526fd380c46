#pragma once

#include "assay/compare/detail/lane_work.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen: passes what is certainly accepted and no record of any kind.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes>
struct ScreenLanes : LaneWork<T, Reference, kind, Bytes> {
  using Base = LaneWork<T, Reference, kind, Bytes>;
  using L = Lanes<Bytes>;
  using Comparison = typename Base::Comparison;
  using Row = typename Base::Row;
  using Real = typename Base::Real;
  using Bits = typename Base::Bits;
  using Sums = typename Base::Sums;
  using Base::binade, Base::layout, Base::least_normal, Base::load, Base::magnitude, Base::magnitude_bits, Base::exponent_bits, Base::parts, Base::step, Base::store, Base::stored_reference, Base::vast;
  using Base::absolute, Base::plain_ratio, Base::plain_relative, Base::ulps;

  /// Few operations that prove most elements clean; whatever they doubt, all else looks at. Elements with |out − r| near
  /// |r|/2 or more are doubted, so that both have one sign and neither is special. The gap between out and its neighbour
  /// toward r is that of the binade of the smaller of |out| and |r|, or larger.
  ASSAY_DETAIL_INLINE void screen(const VectorRule& rule, const Real& out, const Real& reference, const Real& error, Bits& clean, Bits& misrounded, Bits& inward) const {
    ASSAY_DETAIL_NO_CONTRACTION
    const Real difference = out - reference;
    Real size, reference_size, out_size, gap;
    magnitude(difference, size);
    magnitude(reference, reference_size);
    magnitude(out, out_size);
    Real nearer = out_size;
    L::at_most(nearer, reference_size);
    binade(nearer, gap);
    Real bound = plain_relative * reference_size, in_ulps = ulps * gap;
    L::at_most(bound, in_ulps);
    L::at_most(bound, absolute);
    if constexpr (kind == VectorRule::Kind::absolute_relative) {
      Real allowed = reference_size * (plain_ratio * rule.relative) + plain_ratio * rule.absolute;
      L::at_most(bound, allowed);
    }
    clean &= Bits(size <= bound) & Bits(reference_size < Real{} + vast);
    const Bits nearer_zero = Bits(out_size < reference_size);
    if constexpr (stored_reference) {
      misrounded -= Bits(size > 0);
      inward -= nearer_zero;
    }
    if constexpr (kind == VectorRule::Kind::derived || !stored_reference) {
      const Real excess = size - gap * power_of_two(-layout.fraction_bits - 1);
      if constexpr (!stored_reference) {
        const Bits beyond = Bits(excess > 0);
        misrounded -= beyond;
        inward -= beyond & nearer_zero;
        clean &= Bits(excess != 0);  // a tie: which of its sides is even is not known here
      }
      if constexpr (kind == VectorRule::Kind::derived) {
        const Real room = error * plain_ratio - gap * 0x1p-45;
        clean &= Bits(excess <= room) & Bits(error < Real{} + vast);
      }
    }
  }

  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  Single single_absolute{}, single_ulps{}, single_relative{}, single_ratio{}, single_allowed_relative{}, single_allowed_absolute{};

  static float single_below(double value) {
    const float nearest = static_cast<float>(value);
    return static_cast<double>(nearest) > value ? next_down(nearest) : nearest;
  }
  ASSAY_DETAIL_INLINE void take_singles(const VectorRule& rule, const LaneLimits& limits) {
    const double ratio_limit = limits.ratio < 1 ? limits.ratio : 1, lowered = 1 - 0x1p-20;
    const bool none = kind == VectorRule::Kind::places && rule.places == 0;
    single_absolute = Single{} + single_below(none && limits.absolute > 0 ? 0 : limits.absolute);
    single_ulps = Single{} + single_below(limits.ulps * power_of_two(-layout.fraction_bits));
    single_relative = Single{} + single_below(limits.relative < 0 ? -1 : (limits.relative < 0.49 ? limits.relative : 0.49) * lowered);
    single_ratio = Single{} + single_below(L::wide ? ratio_limit : ratio_limit * lowered);
    single_allowed_relative = Single{} + single_below(ratio_limit * rule.relative * lowered);
    single_allowed_absolute = Single{} + single_below(ratio_limit * rule.absolute * lowered);
  }

  /// `screen` on singles. Where |out − r| < |r|/2 the difference is exact.
  ASSAY_DETAIL_INLINE void screen_singles(const VectorRule& rule, const Single& out, const Single& reference, SingleBits& clean, SingleBits& misrounded, SingleBits& inward) const {
    constexpr std::int32_t magnitude_mask = INT32_MAX, exponent_mask = 0x7f800000;
    constexpr float small = 0x1p-60F, large = static_cast<float>(vast);
    const Single difference = out - reference;
    const Single size = Single(SingleBits(difference) & magnitude_mask), out_size = Single(SingleBits(out) & magnitude_mask);
    const Single reference_size = Single(SingleBits(reference) & magnitude_mask);
    Single gap = Single(SingleBits(reference_size) & exponent_mask);
    L::at_least(gap, Single{} + static_cast<float>(least_normal));
    Single bound = single_relative * reference_size, in_ulps = single_ulps * gap;
    L::at_most(bound, in_ulps);
    L::at_most(bound, single_absolute);
    if constexpr (kind == VectorRule::Kind::absolute_relative) {
      const Single allowed = reference_size * single_allowed_relative + single_allowed_absolute;
      L::at_most(bound, allowed);
    }
    const SingleBits differs = SingleBits(size > 0);
    clean &= SingleBits(size <= bound) & SingleBits(reference_size < Single{} + large);
    if constexpr (least_normal < 0x1p-60) clean &= ~(differs & SingleBits(reference_size < Single{} + small));  // products might be subnormal
    if constexpr (kind == VectorRule::Kind::places) {
      const std::int32_t places = static_cast<std::int32_t>(rule.places) << (23 - layout.fraction_bits);
      const SingleBits outward = ~((SingleBits(difference) ^ SingleBits(reference)) >> 31);
      const SingleBits last = SingleBits(reference_size) - places + (outward & (2 * places));
      const Single room = Single(SingleBits(Single(last) - reference_size) & magnitude_mask);
      Single beyond = size;
      L::subtract_product(beyond, single_ratio, room);
      clean &= ~(differs & SingleBits(beyond > 0));
      if constexpr (least_normal >= 0x1p-60) clean &= ~(differs & SingleBits(reference_size < Single{} + static_cast<float>(2 * least_normal)));
    }
    misrounded -= differs;
    inward -= SingleBits(out_size < reference_size);
  }

  /// Passes blocks of so many steps that are clean, up to the first that is not. Reads a block twice, the second time
  /// from the cache: screening and adding at once would need more registers than there are.
  template <bool has_errors, bool as_singles, Index steps>
  ASSAY_DETAIL_INLINE void pass_clean(const VectorRule& rule, const Row& row, typename Comparison::Span& span, Sums& sums) const {
    const T* const actual = row.actual;
    const Reference* const expected = row.expected.value;
    const double* const errors = row.expected.error;
    const Real uniform = Real{} + row.expected.uniform_error;
    constexpr Index block = steps * static_cast<Index>(step);
    [[maybe_unused]] typename Lanes<L::single_bytes>::Unsigned single_counts[2] = {};
    Index column = span.column;
    for (; column + block <= span.end; column += block) {
      if constexpr (as_singles) {
        SingleBits clean = SingleBits{} - 1, misrounded{}, inward{};
        for (Index at = column; at < column + block; at += static_cast<Index>(L::single_count)) {
          Single out{}, reference{};
          L::load_single(actual + at, out);
          L::load_single(expected + at, reference);
          screen_singles(rule, out, reference, clean, misrounded, inward);
        }
        if (__builtin_expect(!L::all_set(clean), 0)) break;
        const auto pairs_misrounded = typename Lanes<L::single_bytes>::Unsigned(misrounded), pairs_inward = typename Lanes<L::single_bytes>::Unsigned(inward);
        single_counts[0] += (pairs_misrounded >> 32) + (pairs_misrounded & 0xffffffffU);
        single_counts[1] += (pairs_inward >> 32) + (pairs_inward & 0xffffffffU);
      } else {
        Bits clean = Bits{} - 1, misrounded{}, inward{};
        for (Index at = column; at < column + block; at += static_cast<Index>(L::count)) {
          Real out{}, reference{}, error = uniform;
          L::load(actual + at, out);
          L::load(expected + at, reference);
          if constexpr (has_errors) L::load(errors + at, error);
          screen(rule, out, reference, error, clean, misrounded, inward);
        }
        if (__builtin_expect(L::signs(clean) != (1U << L::count) - 1, 0)) break;
        sums.misrounded[0] += misrounded;
        sums.inward[0] += inward;
      }
      for (Index at = column; at < column + block; at += static_cast<Index>(step)) {
#pragma GCC unroll 8
        for (std::size_t part = 0; part < parts; ++part) {
          const Index place = at + static_cast<Index>(part * L::count);
          Real out{}, reference{}, error = uniform;
          L::load(actual + place, out);
          L::load(expected + place, reference);
          if constexpr (has_errors) L::load(errors + place, error);
          const Real difference = out - reference;
          Base::template add<!as_singles>(difference, reference, error, sums.signed_error[part], sums.squared_error[part], sums.squared_reference[part], sums.chance[part]);
        }
      }
    }
    span.column = column;
    if constexpr (as_singles) {
      for (std::size_t lane = 0; lane < L::single_count / 2; ++lane) {
        sums.misrounded[0][0] += static_cast<std::int64_t>(single_counts[0][lane]);
        sums.inward[0][0] += static_cast<std::int64_t>(single_counts[1][lane]);
      }
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
