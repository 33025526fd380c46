#pragma once

#include <cstdint>

#include "assay/compare/detail/approximate_block.hpp"
#include "assay/compare/detail/lane_work.hpp"
#include "assay/compare/detail/screen_identical.hpp"
#include "assay/formats/word_memory.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What screens of approximate references sum in 256 elements, in sixteen logical lanes, and what is to be known of all
/// of them.
template <class T, std::size_t Bytes>
struct ApproximateSums {
  using L = Lanes<Bytes>;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using SingleUnsigned = typename Vector<std::uint32_t, Bytes>::Type;
  static constexpr std::size_t lanes = 16;                       ///< logical ones
  static constexpr std::size_t parts = lanes / L::single_count;  ///< vectors that hold them
  static constexpr Index coarse = 256, fine = ApproximateBlock<T>::step;

  Single error[parts] = {}, squared_error[parts] = {}, squared_reference[parts] = {}, chance[parts] = {};
  SingleUnsigned least = SingleUnsigned{} - 1;  ///< of what must not be too small, as bits
  Single farthest{};                            ///< the largest error that may be, if the screen asks
  SingleBits doubt{};

  /// Whether singles hold the sums, which are added then: all is at least `smallest`, its bits lessened by `zeros`, and
  /// every lane's squares are.
  [[nodiscard]] ASSAY_DETAIL_INLINE bool commit(float smallest, std::uint32_t zeros, float smallest_squares,
                                                LaneComparison<T, double>& comparison) const {
    SingleBits wrong = settled(SingleBits(least < SingleUnsigned(Single{} + smallest) - zeros));
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part)
      wrong |= ~settled(SingleBits(squared_error[part] + squared_reference[part] < ScreenIdentical<T, Bytes>::large)) |
               settled(SingleBits(squared_reference[part] < smallest_squares));
    if (L::any_set(wrong)) return false;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part) {
      add_singles<L>(error[part], part, comparison.signed_error);
      add_singles<L>(squared_error[part], part, comparison.squared_error);
      add_singles<L>(squared_reference[part], part, comparison.squared_reference);
      add_singles<L>(chance[part], part, comparison.chance);
    }
    return true;
  }
};

/// Screens a block in steps of 16 elements. `screen.add_step(block, place, sums, doubt)` sums a step and doubts it,
/// `screen.complete(block, begin, end, sums, doubts)` adds what is left of 256, and doubts steps that it did not;
/// `screen.keep(block, begin, doubtful, sums)` is told of 256 elements whose sums are kept.
template <class T, std::size_t Bytes, class Screen>
ASSAY_DETAIL_INLINE void screen_steps(Screen& screen, const ApproximateBlock<T>& block,
                                      LaneComparison<T, double>& comparison, ApproximateFindings& found) {
  using Sums = typename Screen::Sums;
  constexpr Index coarse = Sums::coarse, fine = Sums::fine;
  constexpr std::size_t look_ahead =
      4096;  // bytes: as far as the references' inputs are asked for, see `PairedElements`
  for (Index begin = 0; begin < block.elements; begin += coarse) {
    const Index end = begin + coarse < block.elements ? begin + coarse : block.elements;
    Sums sums;
    typename Sums::SingleBits doubts[coarse / fine];  // of each step
    for (Index place = begin; place < end; place += fine) {
      foresee<fine * sizeof(T), look_ahead>(block.actual + place);
      typename Sums::SingleBits doubt{};
      screen.add_step(block, place, sums, doubt);
      doubts[(place - begin) / fine] = doubt;
      sums.doubt |= doubt;
    }
    screen.complete(block, begin, end, sums, doubts);
    const Index steps = (end - begin) / fine, first_step = begin / fine;
    std::uint64_t doubtful = 0;
    if (Lanes<Bytes>::any_set(sums.doubt))
      for (Index step = 0; step < steps; ++step) doubtful |= std::uint64_t{Lanes<Bytes>::any_set(doubts[step])} << step;
    // where half of the steps are left what they are judged by may as well be summed
    if (2 * __builtin_popcountll(doubtful) > steps ||
        !sums.commit(Screen::smallest, Screen::zeros, Screen::smallest_squares, comparison)) {
      found.unsummed |= ((std::uint64_t{1} << steps) - 1) << first_step;
    } else {
      found.doubtful |= doubtful << first_step;
      screen.keep(block, begin, doubtful, sums);
    }
  }
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
