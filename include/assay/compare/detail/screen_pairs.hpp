#pragma once

#include <cstdint>

#include "assay/compare/detail/approximate_sums.hpp"
#include "assay/compare/detail/screen_references.hpp"
#include "assay/core/vector_fused.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen of singles against references in pairs v + w, a off at most: out − v is exact wherever it matters, so
/// that (out − v) − w is known to a. Gaps are those below the lesser of |out| and
/// |v|, or half as large where that is a power of two. Where |w| + a is below half a gap, r rounds to v: then out is misrounded unless it is v. An element passes if its error is below half a gap and a
/// share of E that makes no record. Limits are lowered by 2⁻²⁰, more than what the few operations on singles round, and
/// that share by what E may be off.
template <std::size_t Bytes>
struct ScreenPairs {
  using L = Lanes<Bytes>;
  using Comparison = LaneComparison<float32, double>;
  using Block = ApproximateBlock<float32>;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using SingleUnsigned = typename Vector<std::uint32_t, Bytes>::Type;
  using References = ScreenReferences<float32, Bytes, false>;
  static constexpr std::size_t parts = ApproximateSums<float32, Bytes>::parts;
  static constexpr float smallest = 0x1p-90F;  ///< of |out| and |v|, unless they are 0: nothing on the way is subnormal
  static constexpr float smallest_squares =
      0x1p-69F;  ///< of a lane: squares of errors of 2⁻³³ are, beside them, hardly rounded
  static constexpr std::uint32_t zeros = 1;  ///< taken from bits, it makes 0 the largest of all
  static constexpr double lowered_bound = 1 - 0x1p-16;

  struct Sums : ApproximateSums<float32, Bytes> {
    SingleUnsigned different{}, inward{};      ///< counts
    SingleBits beyond_gap = SingleBits{} - 1;  ///< E is more than a gap, so that any rounding may be wrong
  };

  float absolute, gaps, relative, ratio, off_absolute, off_relative;
  SingleUnsigned misrounded{}, inward{};

  ASSAY_DETAIL_INLINE void take(const Comparison& comparison, const Block& block) {
    const double ulps = comparison.ulp_record(), share = comparison.relative_record();
    absolute = References::below(comparison.absolute_record());
    gaps = References::below((ulps < References::most_ulps ? ulps : References::most_ulps) * 0x1p-23);
    relative = References::below(share < 0.49 ? share : 0.49);
    ratio = References::below(block.plain_ratio * lowered_bound);
    off_absolute = static_cast<float>(block.off.absolute * (1 + 0x1p-20));
    off_relative = static_cast<float>(block.off.relative * (1 + 0x1p-20));
  }

  /// Whether out is not v, and whether it is nearer to 0, of two numbers of one sign.
  ASSAY_DETAIL_INLINE static void count(const Single& size, const Single& value_size, SingleUnsigned& different,
                                        SingleUnsigned& inward) {
    const SingleUnsigned places = SingleUnsigned(size) - SingleUnsigned(value_size);
    SingleUnsigned one = SingleUnsigned{} + 1;
    L::round_here(one);  // g++ would compare with 0 and select
    different += places < one ? places : one;
    inward += places >> 31;
  }

  template <std::size_t part = 0>
  ASSAY_DETAIL_INLINE void add_step(const Block& block, Index place, Sums& sums, SingleBits& doubt) const {
    ASSAY_DETAIL_NO_CONTRACTION
    using Place = typename Vector<float, Bytes>::Unaligned;
    const Index from = place + static_cast<Index>(part * L::single_count);
    const Single out = *reinterpret_cast<const Place*>(block.actual + from),
                 value = *reinterpret_cast<const Place*>(block.value + from),
                 rest = *reinterpret_cast<const Place*>(block.rest + from),
                 error = *reinterpret_cast<const Place*>(block.error + from);
    const Single difference = (out - value) - rest;
    Single size, out_size, value_size, rest_size;
    magnitude(difference, size);
    magnitude(out, out_size);
    magnitude(value, value_size);
    magnitude(rest, rest_size);
    Single nearer = out_size;
    at_most(nearer, value_size);
    const SingleBits below = SingleBits(nearer) - 1;
    sums.least = SingleUnsigned(below) < sums.least ? SingleUnsigned(below) : sums.least;
    const Single gap = Single(below & 0x7f800000);  // infinite beside 0, of which only 0 makes no relative error
    Single off = Single{} + off_absolute;
    add_product(off, Single{} + off_relative, value_size);
    const Single reach = size + off, half_gap = gap * static_cast<float>(0x1p-24 * (1 - 0x1p-20));
    Single in_gaps = gap, share = value_size, room = half_gap;
    L::multiply_subtract(in_gaps, Single{} + gaps, reach);
    L::multiply_subtract(share, Single{} + relative, reach);
    add_product(room, error, Single{} + ratio);
    SingleBits beyond = SingleBits(room - reach);
    L::gather(beyond, SingleBits(in_gaps), SingleBits(share));
    L::gather(beyond, SingleBits(absolute - reach), SingleBits(half_gap - (rest_size + off)));
    doubt |= beyond;
    count(out_size, value_size, sums.different, sums.inward);
    sums.error[part] += difference;
    L::add_square(sums.squared_error[part], difference);
    L::add_square(sums.squared_reference[part], value);
    Single within_gap = Single(SingleBits(value_size) & 0x7f800000);
    L::multiply_subtract(within_gap, Single{} + 0x1p-23F, error);
    sums.beyond_gap &= SingleBits(within_gap);
    if constexpr (part + 1 < parts) add_step<part + 1>(block, place, sums, doubt);
  }

  /// Chances of misrounding: sure ones, or one by one. Beside v = 2^k, r may be in the binade below: such blocks are to
  /// be summed beside r.
  ASSAY_DETAIL_INLINE void complete(const Block& block, Index begin, Index end, Sums& sums, SingleBits*) const {
    if (!L::any_set(~sums.beyond_gap)) {
#pragma GCC unroll 4
      for (std::size_t part = 0; part < parts; ++part)
        sums.chance[part] = Single{} + static_cast<float>((end - begin) / Sums::fine) * 0x1p-23F;
      return;
    }
    for (Index place = begin; place < end; place += Sums::fine) add_chances(block, place, sums);
  }
  template <std::size_t part = 0>
  ASSAY_DETAIL_INLINE static void add_chances(const Block& block, Index place, Sums& sums) {
    using Place = typename Vector<float, Bytes>::Unaligned;
    const Index from = place + static_cast<Index>(part * L::single_count);
    const Single value = *reinterpret_cast<const Place*>(block.value + from),
                 error = *reinterpret_cast<const Place*>(block.error + from);
    Single chance = error * Single(0x7f000000 - (SingleBits(value) & 0x7f800000));
    at_most(chance, Single{} + 0x1p-23F);
    sums.chance[part] += chance;
    const SingleBits power_of_two = settled(SingleBits(value) << 9 == 0) & settled(SingleBits(value) << 1 != 0);
    sums.least &= ~SingleUnsigned(power_of_two);
    if constexpr (part + 1 < parts) add_chances<part + 1>(block, place, sums);
  }

  /// Counts what was misrounded, but for what is doubtful.
  ASSAY_DETAIL_INLINE void keep(const Block& block, Index begin, std::uint64_t doubtful, const Sums& sums) {
    misrounded += sums.different;
    inward += sums.inward;
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      const Index place = begin + __builtin_ctzll(doubtful) * Sums::fine;
      SingleUnsigned different{}, nearer{};
      for (Index at = place; at < place + Sums::fine; at += static_cast<Index>(L::single_count)) {
        Single out_size, value_size;
        using Place = typename Vector<float, Bytes>::Unaligned;
        const Single out = *reinterpret_cast<const Place*>(block.actual + at),
                     value = *reinterpret_cast<const Place*>(block.value + at);
        magnitude(out, out_size);
        magnitude(value, value_size);
        count(out_size, value_size, different, nearer);
      }
      misrounded -= different;
      inward -= nearer;
    }
  }

  ASSAY_DETAIL_INLINE void finish(Comparison& comparison) const {
    for (std::size_t lane = 0; lane < L::single_count; ++lane) {
      comparison.misrounded[0] += misrounded[lane];
      comparison.inward[0] += inward[lane];
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
