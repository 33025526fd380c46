#pragma once

#include "assay/compare/detail/lane_work.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen of outputs that select, or move: passes blocks that are their references to the bit, and adds the one sum
/// that this leaves, in the order and the roundings of `ScreenReferences`. Where it was in vain it is asked less often.
template <class T, std::size_t Bytes>
struct ScreenIdentical {
  using L = Lanes<Bytes>;
  using Comparison = LaneComparison<T, double>;
  using Real = typename L::Real;
  using Bits = typename L::Bits;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using SingleUnsigned = typename Vector<std::uint32_t, Bytes>::Type;
  static constexpr std::size_t lanes = 16;                                       ///< logical ones
  static constexpr std::size_t parts = lanes / L::single_count;                  ///< vectors that hold them
  static constexpr float large = max_finite<T>() < 0x1p60 ? 0x1p28F : 0x1p100F;  ///< of a lane's sum of squares
  static constexpr float least_reference = 0x1p-57F;                             ///< whose square singles hold; or 0
  static constexpr Index most_patience = 32;

  Index patience = 1, ordinary_blocks = 0;  ///< that are not looked at

  /// `elements`: whole steps of `lanes`. Adds nothing if false.
  ASSAY_DETAIL_INLINE bool pass(const typename Comparison::Row& row, Index column, Index elements,
                                Comparison& comparison) {
    ASSAY_DETAIL_NO_CONTRACTION
    if (ordinary_blocks > 0) return --ordinary_blocks, false;
    Bits unlike{};
    SingleUnsigned least = SingleUnsigned{} - 1;
    Single squared_reference[parts] = {};
    for (Index place = 0; place < elements; place += static_cast<Index>(lanes)) {
#pragma GCC unroll 4
      for (std::size_t part = 0; part < parts; ++part) {
        const Index from = column + place + static_cast<Index>(part * L::single_count);
        Single out{};
        Real wide_out[L::single_parts] = {};
        L::load_single(row.actual + from, out);
        L::widen(out, wide_out);
#pragma GCC unroll 2
        for (std::size_t i = 0; i < L::single_parts; ++i) {
          Real wide{};
          L::load(row.values(from + static_cast<Index>(i * L::count)), wide);
          unlike |= Bits(wide_out[i]) ^ Bits(wide);
        }
        const SingleUnsigned without_sign = SingleUnsigned(out) * 2 - 1;  // the largest of all where it is 0
        least = without_sign < least ? without_sign : least;
        L::add_square(squared_reference[part], out);
      }
    }
    SingleBits unfit = settled(SingleBits(least < SingleUnsigned(Single{} + least_reference) * 2 - 1));
    for (std::size_t part = 0; part < parts; ++part) unfit |= ~settled(SingleBits(squared_reference[part] < large));
    if (L::any_set(unfit) || L::any_bit(unlike)) {
      patience = patience < most_patience ? 2 * patience : most_patience;
      ordinary_blocks = patience;
      return false;
    }
    patience = 1;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part)
      add_singles<L>(squared_reference[part], part, comparison.squared_reference);
    return true;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
