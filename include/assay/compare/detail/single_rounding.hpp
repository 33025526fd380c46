#pragma once

#include "assay/compare/lanes.hpp"
#include "assay/formats/limits.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// How the numbers of a format lie around singles.
template <class T, std::size_t Bytes>
struct SingleRounding {
  using L = Lanes<Bytes>;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  /// Smaller gaps between numbers are taken for it, so that nothing becomes subnormal, over which some processors take
  /// a hundred times as long. References lie far above it, or are 0, where every other output is in doubt: its error
  /// relative to 0 is a record.
  static constexpr float least_gap = min_normal<T>() < 0x1p-100 ? 0x1p-100F : static_cast<float>(min_normal<T>());

  /// 2^⌊log2 |reference|⌋, but no less than `least_gap`.
  ASSAY_DETAIL_INLINE static void binade(const Single& reference, Single& power) {
    power = Single(SingleBits(reference) & 0x7f800000);
    at_least(power, Single{} + least_gap);
  }
  /// The nearest number of the format, ties to even; `power` is the reference's binade.
  ASSAY_DETAIL_INLINE static void round(const Single& reference, const Single& power, Single& rounded) {
    ASSAY_DETAIL_NO_CONTRACTION
    rounded = reference;
    if constexpr (layout.fraction_bits < 23) {
      Single magic = power * static_cast<float>(1.5 * power_of_two(23 - layout.fraction_bits));
      L::round_here(magic);
      rounded += magic;
      L::round_here(rounded);
      rounded -= magic;
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
