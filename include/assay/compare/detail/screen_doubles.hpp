#pragma once

#include "assay/compare/detail/lane_work.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen on doubles: passes blocks in which everything is certainly accepted and no record of any kind.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes, bool has_errors>
struct ScreenDoubles : LaneWork<T, Reference, kind, Bytes> {
  using Base = LaneWork<T, Reference, kind, Bytes>;
  using L = Lanes<Bytes>;
  using Comparison = typename Base::Comparison;
  using Row = typename Base::Row;
  using Real = typename Base::Real;
  using Bits = typename Base::Bits;
  using Sums = typename Base::Sums;
  using Base::binade, Base::layout, Base::load, Base::magnitude, Base::parts, Base::step, Base::store, Base::stored_reference, Base::vast;
  static constexpr Index coarse = 32, fine = 8;  ///< elements of a block

  Real absolute{}, ulps{}, relative{}, ratio{};
  Sums sums;

  ASSAY_DETAIL_INLINE void take(const Comparison& comparison) {
    const double limit = comparison.relative_record();
    absolute = Real{} + comparison.absolute_record();
    ulps = Real{} + comparison.ulp_record() * power_of_two(-layout.fraction_bits);
    relative = Real{} + (limit < 0.49 ? limit : 0.49) * (1 - 0x1p-50);
    load(comparison, sums);
  }
  ASSAY_DETAIL_INLINE void take_ratio(const VectorRule&, double plain_ratio) { ratio = Real{} + plain_ratio * (1 - 0x1p-40); }
  ASSAY_DETAIL_INLINE void finish(Comparison& comparison, Index) const { store(sums, comparison); }

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
    Real bound = relative * reference_size, in_ulps = ulps * gap;
    L::at_most(bound, in_ulps);
    L::at_most(bound, absolute);
    if constexpr (kind == VectorRule::Kind::absolute_relative) {
      const Real allowed = (reference_size * rule.relative + rule.absolute) * ratio;
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
        const Real room = error * ratio - gap * 0x1p-45;
        clean &= Bits(excess <= room) & Bits(error < Real{} + vast);
      }
    }
  }

  /// Passes `elements`, a multiple of a step, unless anything is doubtful. Reads them twice, the second time from the
  /// cache: screening and adding at once would need more registers than there are.
  template <Index elements = coarse>
  ASSAY_DETAIL_INLINE bool pass(const Row& row, Index column, Comparison& comparison) {
    const T* const actual = row.actual + column;
    const Reference* const expected = row.expected.value + column;
    const double* const errors = has_errors ? row.expected.error + column : nullptr;
    L::template foresee<elements>(row.next_actual + column);
    L::template foresee<elements>(row.next_expected.value + column);
    if constexpr (has_errors) L::template foresee<elements>(row.next_expected.error + column);
    const Real uniform = Real{} + row.expected.uniform_error;
    Bits clean = Bits{} - 1, misrounded{}, inward{};
#pragma GCC unroll 2
    for (Index at = 0; at < elements; at += static_cast<Index>(L::count)) {
      Real out{}, reference{}, error = uniform;
      L::load(actual + at, out);
      L::load(expected + at, reference);
      if constexpr (has_errors) L::load(errors + at, error);
      screen(comparison.rule, out, reference, error, clean, misrounded, inward);
    }
    if (__builtin_expect(L::signs(clean) != (1U << L::count) - 1, 0)) return false;
    sums.misrounded[0] += misrounded;
    sums.inward[0] += inward;
    for (Index at = 0; at < elements; at += static_cast<Index>(step)) {
#pragma GCC unroll 8
      for (std::size_t part = 0; part < parts; ++part) {
        const Index place = at + static_cast<Index>(part * L::count);
        Real out{}, reference{}, error = uniform;
        L::load(actual + place, out);
        L::load(expected + place, reference);
        if constexpr (has_errors) L::load(errors + place, error);
        const Real difference = out - reference;
        Base::add(difference, reference, error, sums.signed_error[part], sums.squared_error[part], sums.squared_reference[part], sums.chance[part]);
      }
    }
    return true;
  }

  ASSAY_DETAIL_INLINE Index pass_part(const Row& row, Index column, Index end, Comparison& comparison) {
    Index at = column;
    while (at + fine <= end && pass<fine>(row, at, comparison)) at += fine;
    return at - column;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
