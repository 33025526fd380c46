#pragma once

#include "assay/compare/detail/lane_work.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Full steps: every element is accepted or refuted and counted, or looked at alone.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes>
struct FullLanes : LaneWork<T, Reference, kind, Bytes> {
  using Base = LaneWork<T, Reference, kind, Bytes>;
  using L = Lanes<Bytes>;
  using Comparison = typename Base::Comparison;
  using Row = typename Base::Row;
  using Real = typename Base::Real;
  using Bits = typename Base::Bits;
  using Sums = typename Base::Sums;
  using Base::absolute, Base::every_ratio, Base::ratio, Base::ratio_half, Base::ratio_least, Base::relative,
      Base::relative_half, Base::take, Base::ulps;
  using Base::add, Base::binade, Base::layout, Base::least_normal, Base::load, Base::magnitude_bits,
      Base::exponent_bits, Base::parts, Base::step, Base::store, Base::stored_reference, Base::vast;

  /// Where a remainder of what is as small as `scale` may have become 0, though size > 0 exceeded its limit: doubles
  /// have nothing below their subnormal numbers, and no other format reaches there.
  ASSAY_DETAIL_INLINE static void keep_lost(const Real& size, const Real& scale, const Real& beyond, Bits& flags) {
    if constexpr (std::is_same_v<T, double>)
      flags |= settled(Bits(size > 0)) & settled(Bits(beyond == 0)) & settled(Bits(scale < Real{} + 0x1p-900));
  }

  /// allowed·ratio < size, or what must be looked at in any case.
  ASSAY_DETAIL_INLINE void exceeds_ratio(const Real& size, const Real& allowed, Bits& flags) const {
    Real beyond = size;
    L::subtract_product(beyond, ratio, allowed);
    L::subtract_product(beyond, ratio_half, allowed);
    flags |= settled(Bits(beyond > ratio_least));
    keep_lost(size, allowed, beyond, flags);
  }

  ASSAY_DETAIL_INLINE void derived(const Real& out, const Real& out_size, const Real& difference, const Real& size,
                                   const Real& reference_size, const Real& error, const Bits& differs, Real& excess,
                                   Bits& flags, Bits& refuted) const {
    ASSAY_DETAIL_NO_CONTRACTION
    // the gap between out and its neighbor toward r, half of which rounds to out
    Real floor = out_size;
    at_least(floor, Real{} + least_normal);
    using Unsigned = typename L::Unsigned;
    const Bits crossing = Bits(difference) ^ Bits(out);
    const Bits away = Bits(Unsigned(crossing) >> 63);  // 1: r is farther from zero than out
    const Bits neighbor = Bits(floor) - 1 + away;
    Real gap;
    binade(Real(neighbor), gap);
    Real half_gap = gap * power_of_two(-layout.fraction_bits - 1);
    L::round_here(half_gap);
    excess = size - half_gap;
    const Real room = error - excess;
    const Real unsure = (out_size + reference_size + error) * 0x1p-50;
    const Bits suspicious = settled(Bits(room < unsure)) & differs;
    const Bits certain = settled(Bits(-room > unsure));
    refuted = suspicious & certain;
    flags |= suspicious & ~certain;
  }

  ASSAY_DETAIL_INLINE void absolute_relative(const VectorRule& rule, const Real& out, const Real& reference,
                                             const Real& difference, const Real& size, const Real& reference_size,
                                             Real& room, Bits& flags, Bits& refuted) const {
    ASSAY_DETAIL_NO_CONTRACTION
    Real relative_part = reference_size * rule.relative;
    L::round_here(relative_part);
    const Real allowed = relative_part + rule.absolute;
    const Real upper = reference + allowed, lower = reference - allowed;
    refuted = settled(Bits(out > upper)) | settled(Bits(out < lower));
    const Real above = upper - reference, below = reference - lower;
    room = difference > 0 ? above : below;
    flags |= refuted & ~settled(Bits(size > room * (1 + 0x1p-50)));  // refuted with a ratio that rounds to 1
  }

  ASSAY_DETAIL_INLINE void places(const VectorRule& rule, const Real& reference, const Real& difference,
                                  const Real& size, const Real& reference_size, Real& room, Bits& flags,
                                  Bits& refuted) const {
    if (rule.places == 0) {
      refuted = settled(Bits(size > 0));
      room = Real{};
      return;
    }
    const Bits outward = ~((Bits(difference) ^ Bits(reference)) >> 63);  // all ones: out is farther from zero than r
    using Unsigned = typename L::Unsigned;                               // NaNs may have the largest payload
    const std::uint64_t places = std::uint64_t{rule.places} << (52 - layout.fraction_bits);
    const Bits last = Bits(Unsigned(reference_size) - places + (Unsigned(outward) & (2 * places)));
    const Real room_signed = Real(last) - reference_size;
    magnitude(room_signed, room);
    refuted = settled(Bits(size > room));
    // places of numbers below the normal ones are not the bits of doubles
    flags |= settled(Bits(size > 0)) & (settled(Bits(reference_size < 2 * least_normal)));
  }

  /// What is refuted, what must be looked at, and the error and what is allowed of it.
  ASSAY_DETAIL_INLINE void judge(const VectorRule& rule, const Real& out, const Real& out_size, const Real& reference,
                                 const Real& difference, const Real& size, const Real& reference_size,
                                 const Real& error, const Bits& differs, Real& excess, Real& allowed, Bits& flags,
                                 Bits& refuted) const {
    excess = size;
    allowed = error;
    if constexpr (kind == VectorRule::Kind::derived)
      derived(out, out_size, difference, size, reference_size, error, differs, excess, flags, refuted);
    else if constexpr (kind == VectorRule::Kind::absolute_relative)
      absolute_relative(rule, out, reference, difference, size, reference_size, allowed, flags, refuted);
    else
      places(rule, reference, difference, size, reference_size, allowed, flags, refuted);
  }

  /// Looks at everything in steps [span.column, stop). Where `summed`, they are whole, a screen has added all sums, and
  /// what is not finite agrees.
  template <bool summed>
  ASSAY_DETAIL_INLINE void compare(Comparison& comparison, const Row& row, typename Comparison::Span& span,
                                   Index stop) {
    ASSAY_DETAIL_NO_CONTRACTION
    Sums sums{};
    if constexpr (!summed) load(comparison, sums);
    const VectorRule rule = comparison.rule;
    const bool has_errors = row.expected.error != nullptr;
    take(span.limits);
    Index column = span.column;
    Bits violating{}, misrounded{}, inward{};
    for (; column < stop; column += static_cast<Index>(step)) {
      const Index left = stop - column;
      Real out[parts], reference[parts], error[parts];
      if (summed || left >= static_cast<Index>(step)) {
#pragma GCC unroll 8
        for (std::size_t part = 0; part < parts; ++part) {
          const Index at = column + static_cast<Index>(part * L::count);
          L::load(row.actual + at, out[part]);
          L::load(row.values(at), reference[part]);
          if (has_errors)
            L::load(row.errors(at), error[part]);
          else
            error[part] = (Real{} + row.expected.uniform_error);
        }
      } else {
        load_rest(row, column, left, out, reference, error);
      }
      unsigned flagged = 0, refuted_bits = 0, left_out = 0;
#pragma GCC unroll 8
      for (std::size_t part = 0; part < parts; ++part) {
        const unsigned shift = static_cast<unsigned>(part * L::count);
        Real difference = out[part] - reference[part], size, reference_size, out_size;
        magnitude(difference, size);
        magnitude(reference[part], reference_size);
        magnitude(out[part], out_size);
        const Bits ordinary =
            settled(Bits(size + reference_size + error[part] < (Real{} + vast))) & settled(Bits(error[part] >= 0));
        const unsigned odd = summed ? 0 : ~L::signs(ordinary) & ((1U << L::count) - 1);
        if (__builtin_expect(odd != 0, 0)) {
          set_aside(comparison, row, column + static_cast<Index>(shift), left - static_cast<Index>(shift), ordinary,
                    span.limits, out[part], reference[part], error[part], flagged, shift);
          left_out |= odd << shift;
          difference = out[part] - reference[part];
          magnitude(difference, size);
          magnitude(reference[part], reference_size);
          magnitude(out[part], out_size);
        }
        Real power, rounded = reference_size;
        binade(reference_size, power);
        const Real inverse = Real((std::int64_t{2046} << 52) - Bits(power));
        const Real in_ulps = size * inverse;  // in units of 2^fraction_bits
        Bits differs;
        if constexpr (stored_reference || std::is_same_v<T, double>) {
          differs = settled(Bits(out[part] != reference[part]));
        } else {
          const Real magic = power * (1.5 * power_of_two(52 - layout.fraction_bits));
          rounded = (reference_size + magic) - magic;
          differs = settled(Bits(out[part] != Real(Bits(rounded) | (Bits(reference[part]) & INT64_MIN))));
        }
        if constexpr (summed) differs &= settled(Bits(size >= 0));  // no comparison is true of NaN
        (summed ? misrounded : sums.misrounded[part]) -= differs;
        (summed ? inward : sums.inward[part]) -= Bits(out_size < rounded);
        Bits flags = settled(Bits(size > absolute)) | settled(Bits(in_ulps > ulps));
        Real beyond = size;
        L::subtract_product(beyond, relative, reference_size);
        L::subtract_product(beyond, relative_half, reference_size);
        flags |= settled(Bits(beyond > 0)) & settled(Bits(reference_size > 0));
        keep_lost(size, reference_size, beyond, flags);
        Real excess, allowed;
        Bits refuted;
        judge(rule, out[part], out_size, reference[part], difference, size, reference_size, error[part], differs,
              excess, allowed, flags, refuted);
        exceeds_ratio(excess, allowed, flags);
        if constexpr (!summed) flags |= every_ratio;
        if constexpr (!summed)
          add(difference, reference[part], error[part], sums.signed_error[part], sums.squared_error[part],
              sums.squared_reference[part], sums.chance[part]);
        Bits interesting = flags;
        if constexpr (summed)
          violating -= refuted & ~flags;
        else
          interesting |= refuted;
        if (__builtin_expect(L::signs(interesting) != 0, 0)) {
          flagged |= (L::signs(flags) & ~odd) << shift;
          if constexpr (!summed) refuted_bits |= (L::signs(refuted) & ~odd) << shift;
        }
      }
      if (__builtin_expect((flagged | refuted_bits | left_out) != 0, 0)) {
        const unsigned valid = summed || left >= static_cast<Index>(step) ? 0xffU : (1U << left) - 1;
        flagged &= valid;
        comparison.partial->violations +=
            static_cast<std::uint64_t>(__builtin_popcount(refuted_bits & ~flagged & valid));
        comparison.left_out += static_cast<std::uint64_t>(__builtin_popcount(left_out & valid));
        if (flagged != 0) {
          comparison.looked_at += static_cast<std::uint64_t>(__builtin_popcount(flagged));
          for (unsigned rest = flagged; rest != 0; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            row.look_at.look(row.look_at.context, column + lane, (left_out >> lane & 1) != 0);
          }
          comparison.refresh(row, span);
          take(span.limits);
        }
      }
    }
    span.column = stop;
    if constexpr (!summed) {
      store(sums, comparison);
      return;
    }
    for (std::size_t lane = 0; lane < L::count; ++lane) {
      comparison.partial->violations += static_cast<std::uint64_t>(violating[lane]);
      comparison.misrounded[0] += misrounded[lane];
      comparison.inward[0] += inward[lane];
    }
  }

  /// Fewer elements than a step, and zeros behind them.
  ASSAY_DETAIL_INLINE static void load_rest(const Row& row, Index column, Index left, Real* out, Real* reference,
                                            Real* error) {
    for (std::size_t part = 0; part < parts; ++part) {
      out[part] = reference[part] = error[part] = Real{};
      for (std::size_t lane = 0; lane < L::count; ++lane) {
        const Index offset = static_cast<Index>(part * L::count + lane);
        if (offset >= left) continue;
        out[part][lane] = decode(row.actual[column + offset]);
        reference[part][lane] = decode(*row.values(column + offset));
        error[part][lane] = row.expected.error != nullptr ? *row.errors(column + offset) : row.expected.uniform_error;
      }
    }
  }

  /// Elements that are not finite, or vast, leave the vector as zeros: what can be counted is, the rest is flagged.
  ASSAY_DETAIL_INLINE static void set_aside(Comparison& comparison, const Row&, Index, Index left, const Bits& ordinary,
                                            const LaneLimits& limits, Real& out, Real& reference, Real& error,
                                            unsigned& flagged, unsigned shift) {
    const Bits out_bits = Bits(out), reference_bits = Bits(reference), error_bits = Bits(error);
    const Bits out_size = out_bits & magnitude_bits, reference_size = reference_bits & magnitude_bits,
               error_size = error_bits & magnitude_bits;
    const Bits infinity = (Bits{} + exponent_bits);
    const Bits agree = (settled(Bits(out_size > infinity)) & settled(Bits(reference_size > infinity))) |
                       (settled(Bits(out_bits == reference_bits)) & settled(Bits(out_size == infinity)));
    Real reference_value;
    magnitude(reference, reference_value);
    const Bits in_range = settled(Bits(reference_value < (Real{} + vast)));
    const Bits bounded = settled(Bits(error >= 0)) & settled(Bits(error < (Real{} + vast)));
    const Bits nan_unexpected = settled(Bits(out_size > infinity)) & in_range & bounded;
    Bits undetermined{};
    if constexpr (kind == VectorRule::Kind::derived) {
      if (!comparison.refinable) undetermined = settled(Bits(error_size >= infinity)) & in_range;
    }
    const unsigned lanes = left >= static_cast<Index>(L::count) ? (1U << L::count) - 1
                           : left <= 0                          ? 0
                                                                : (1U << left) - 1;
    const unsigned odd = ~L::signs(ordinary) & lanes;
    unsigned settled = odd & L::signs(undetermined);
    comparison.partial->undetermined += static_cast<std::uint64_t>(__builtin_popcount(settled));
    if (!limits.every_ratio) settled |= odd & L::signs(agree);
    if (!limits.every_infinite_ratio) {
      const unsigned wrong = odd & ~settled & L::signs(nan_unexpected);
      comparison.partial->violations += static_cast<std::uint64_t>(__builtin_popcount(wrong));
      comparison.partial->nan_unexpected += static_cast<std::uint64_t>(__builtin_popcount(wrong));
      settled |= wrong;
    }
    flagged |= (odd & ~settled) << shift;
    out = Real(out_bits & ordinary);
    reference = Real(reference_bits & ordinary);
    error = Real(error_bits & ordinary);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
