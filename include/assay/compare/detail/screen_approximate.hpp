#pragma once

#include <cstdint>

#include "assay/compare/detail/approximate_sums.hpp"
#include "assay/compare/detail/screen_references.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// How references in single precision are off.
enum class Off { nowhere, relatively, anyhow };

/// The screen of outputs of 16 bits against approximate references. With |v − r| ≤ a, an element passes if |out − v| +
/// a is below half the gap of the output's format at |v| − a, and below every record: outputs below that binade are
/// half a gap or more away from it, so out is in it, or the power of two above, and is r, rounded, for certain, and no
/// record of any kind. Limits are lowered by 2⁻²⁰, more than what the few operations on singles round. What exceeds the
/// record of absolute errors is sought in 256 elements at once. Where a = 0, as of sums of short numbers, which are
/// full of ties and zeros, out is held against v, rounded, instead, and limits that correct rounding cannot exceed are
/// none. Sums are those of v and e.
///
/// Where a ≤ |v|·2^−(p+3), of p digits, the gap at v does as well. Only where |v| is less than a above a power of two
/// is r below that: the only output that near is this power, and it is r, rounded, as a is an eighth of the gap there
/// at most, which is no record of errors in gaps if that is larger.
template <class T, std::size_t Bytes, Off off>
struct ScreenApproximate {
  static constexpr bool exact = off == Off::nowhere;
  using L = Lanes<Bytes>;
  using Comparison = LaneComparison<T, double>;
  using Block = ApproximateBlock<T>;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using SingleUnsigned = typename Vector<std::uint32_t, Bytes>::Type;
  using References = ScreenReferences<T, Bytes, exact>;
  using Rounding = typename References::Rounding;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  using Sums = ApproximateSums<T, Bytes>;
  static constexpr std::size_t parts = Sums::parts;
  static constexpr float smallest = References::least_reference, smallest_squares = 0;
  static constexpr std::uint32_t zeros = exact ? 1 : 0;  ///< taken from bits, it makes 0 the largest of all

  float absolute, gaps, relative, off_absolute, off_relative;

  [[nodiscard]] ASSAY_DETAIL_INLINE static bool suits(const Comparison& comparison, const ApproximationError& by) {
    if constexpr (exact) return by.absolute == 0 && by.relative == 0;
    return off == Off::anyhow || (by.absolute == 0 && by.relative <= power_of_two(-layout.precision() - 3) &&
                                  comparison.ulp_record() >= 0.25);
  }
  ASSAY_DETAIL_INLINE void take(const Comparison& comparison, const Block& block) {
    constexpr double half_ulp = power_of_two(-layout.precision());
    const double ulps = comparison.ulp_record(), share = comparison.relative_record(),
                 farthest = comparison.absolute_record();
    if constexpr (exact) {
      absolute = static_cast<float>(farthest < 0x1p100 ? farthest : 0x1p100);
      if (static_cast<double>(absolute) > farthest) absolute = References::below(farthest);
      gaps = ulps >= 0.5 ? 1 : References::below(ulps * power_of_two(-layout.fraction_bits));
      relative = share >= half_ulp / (1 + half_ulp) && min_normal<T>() < static_cast<double>(smallest)
                     ? 1
                     : References::below(share);
      off_absolute = off_relative = 0;
    } else {
      absolute = References::below(farthest);
      gaps = References::below((ulps < 0.5 ? ulps : 0.5) * power_of_two(-layout.fraction_bits));
      relative =
          References::below((share < 0.49 ? share : 0.49) * (off == Off::relatively ? 1 - block.off.relative : 1));
      off_absolute = static_cast<float>(block.off.absolute * (1 + 0x1p-20));
      off_relative = static_cast<float>(block.off.relative * (1 + 0x1p-20));
    }
  }

  template <std::size_t part = 0>
  ASSAY_DETAIL_INLINE void add_step(const Block& block, Index place, Sums& sums, SingleBits& doubt) const {
    const Index from = place + static_cast<Index>(part * L::single_count);
    using Place = typename Vector<float, Bytes>::Unaligned;
    Single out{};
    L::load_single(block.actual + from, out);
    const Single value = *reinterpret_cast<const Place*>(block.value + from),
                 error = *reinterpret_cast<const Place*>(block.error + from);
    const Single difference = out - value;
    Single size, value_size;
    magnitude(difference, size);
    magnitude(value, value_size);
    Single reach = size, least_size = value_size, nearer = value_size;
    if constexpr (exact) {
      magnitude(out, nearer);
      at_most(nearer, value_size);
    } else if constexpr (off == Off::relatively) {
      reach += off_relative * value_size;
    } else {
      const Single farthest = off_relative * value_size + off_absolute;
      reach += farthest;
      least_size -= farthest;
      nearer = least_size;
    }
    const SingleUnsigned least = SingleUnsigned(least_size) - zeros;
    sums.least = least < sums.least ? least : sums.least;
    at_least(sums.farthest, reach);
    if constexpr (exact || min_normal<T>() > static_cast<double>(smallest))
      at_least(nearer, Single{} + Rounding::least_gap);
    const Single gap = Single(SingleBits(nearer) & 0x7f800000);
    L::gather(doubt, SingleBits(gap * gaps - reach), SingleBits(least_size * relative - reach));
    if constexpr (exact) {
      Single power, rounded;
      Rounding::binade(value, power);
      Rounding::round(value, power, rounded);
      doubt |= settled(SingleBits(out != rounded));
    }
    sums.error[part] += difference;
    L::add_square(sums.squared_error[part], difference);
    L::add_square(sums.squared_reference[part], value);
    Single binade = gap;
    if constexpr (exact) {
      binade = Single(SingleBits(value_size) & 0x7f800000);
      at_least(binade, Single{} + static_cast<float>(min_normal<T>()));
    }
    Single chance = error * Single(0x7f000000 - SingleBits(binade));
    at_most(chance, Single{} + static_cast<float>(power_of_two(-layout.fraction_bits)));
    sums.chance[part] += chance;
    if constexpr (part + 1 < parts) add_step<part + 1>(block, place, sums, doubt);
  }
  ASSAY_DETAIL_INLINE void complete(const Block& block, Index begin, Index end, Sums& sums, SingleBits* doubts) const {
    if (!L::any_set(SingleBits(absolute - sums.farthest))) return;
    for (Index place = begin; place < end; place += Sums::fine, ++doubts) {
      for (Index from = place; from < place + Sums::fine; from += static_cast<Index>(L::single_count)) {
        Single out{}, size, value_size;
        L::load_single(block.actual + from, out);
        const Single value = *reinterpret_cast<const typename Vector<float, Bytes>::Unaligned*>(block.value + from),
                     difference = out - value;
        magnitude(difference, size);
        magnitude(value, value_size);
        *doubts |= SingleBits(absolute - (size + (off_relative * value_size + off_absolute)));
      }
      sums.doubt |= *doubts;
    }
  }
  ASSAY_DETAIL_INLINE void keep(const Block&, Index, std::uint64_t, const Sums&) const {}
  ASSAY_DETAIL_INLINE void finish(Comparison&) const {}
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
