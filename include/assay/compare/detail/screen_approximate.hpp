#pragma once

#include <cstdint>

#include "assay/compare/approximate_expectation.hpp"
#include "assay/compare/detail/screen_references.hpp"
#include "assay/formats/detail/word_memory.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {

/// A block of a row in single precision. See `ApproximateExpectation`.
template <class T>
struct ApproximateBlock {
  static constexpr Index step = 16;
  const T* actual;
  const float *value, *error;
  ApproximationError off;
  Index elements;  ///< whole steps of 16, at most 64 of them
};

/// What a screen leaves of a block, a bit for each step of 16 elements.
struct ApproximateFindings {
  std::uint64_t doubtful = 0;  ///< sums are added, and no more
  std::uint64_t unsummed = 0;  ///< singles do not hold the step, or others of its 256 elements
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen of outputs of 16 bits against approximate references. With |v − r| ≤ a, an element passes if |out − v| + a is below half the gap of the output's format at the lesser of |out| and |v| − a,
/// and below every record: then out is r, rounded, for certain, and no record of any kind. Limits are lowered by 2⁻²⁰, more than what the few operations on singles round. Where a = 0, as of sums of
/// short numbers, which are full of ties and zeros, out is held against v, rounded, instead, and limits that correct rounding cannot exceed are none. Sums are those of v and e.
template <class T, std::size_t Bytes, bool exact>
struct ScreenApproximate {
  using L = Lanes<Bytes>;
  using Comparison = LaneComparison<T, double>;
  using Block = ApproximateBlock<T>;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using SingleUnsigned = typename Vector<std::uint32_t, Bytes>::Type;
  using References = ScreenReferences<T, Bytes, exact>;
  using Rounding = typename References::Rounding;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr std::size_t lanes = 16;                       ///< logical ones
  static constexpr std::size_t parts = lanes / L::single_count;  ///< vectors that hold them
  static constexpr Index coarse = 256, fine = Block::step;
  static constexpr float least_reference = References::least_reference;
  static constexpr std::uint32_t zeros = exact ? 1 : 0;  ///< taken from bits, it makes 0 the largest of all

  float absolute, gaps, relative, off_absolute, off_relative;

  ASSAY_DETAIL_INLINE void take(const Comparison& comparison, const ApproximationError& off) {
    constexpr double half_ulp = power_of_two(-layout.precision());
    const double ulps = comparison.ulp_record(), share = comparison.relative_record(), farthest = comparison.absolute_record();
    if constexpr (exact) {
      absolute = static_cast<float>(farthest < 0x1p100 ? farthest : 0x1p100);
      if (static_cast<double>(absolute) > farthest) absolute = References::below(farthest);
      gaps = ulps >= 0.5 ? 1 : References::below(ulps * power_of_two(-layout.fraction_bits));
      relative =
          share >= half_ulp / (1 + half_ulp) && min_normal<T>() < static_cast<double>(least_reference) ? 1 : References::below(share);
      off_absolute = off_relative = 0;
    } else {
      absolute = References::below(farthest);
      gaps = References::below((ulps < 0.5 ? ulps : 0.5) * power_of_two(-layout.fraction_bits));
      relative = References::below(share < 0.49 ? share : 0.49);
      off_absolute = static_cast<float>(off.absolute * (1 + 0x1p-20));
      off_relative = static_cast<float>(off.relative * (1 + 0x1p-20));
    }
  }

  struct Sums {
    Single error[parts] = {}, squared_error[parts] = {}, squared_reference[parts] = {}, chance[parts] = {};
    SingleUnsigned least = SingleUnsigned{} - 1;
    SingleBits doubt{};
  };

  template <std::size_t part = 0>
  ASSAY_DETAIL_INLINE void add_step(const Block& block, Index place, Sums& sums, SingleBits& doubt) const {
    const Index from = place + static_cast<Index>(part * L::single_count);
    using Place = typename Vector<float, Bytes>::Unaligned;
    Single out{};
    L::load_single(block.actual + from, out);
    const Single value = *reinterpret_cast<const Place*>(block.value + from), error = *reinterpret_cast<const Place*>(block.error + from);
    const Single difference = out - value;
    Single size, value_size, nearer;
    magnitude(difference, size);
    magnitude(value, value_size);
    magnitude(out, nearer);
    Single reach = size, least_size = value_size;
    if constexpr (!exact) {
      const Single off = off_relative * value_size + off_absolute;
      reach += off;
      least_size -= off;
    }
    at_most(nearer, least_size);
    const SingleUnsigned least = SingleUnsigned(exact ? value_size : nearer) - zeros;
    sums.least = least < sums.least ? least : sums.least;
    if constexpr (exact || min_normal<T>() > static_cast<double>(least_reference)) at_least(nearer, Single{} + Rounding::least_gap);
    const Single gap = Single(SingleBits(nearer) & 0x7f800000);
    L::gather(doubt, SingleBits(gap * gaps - reach), SingleBits(least_size * relative - reach));
    doubt |= SingleBits(absolute - reach);
    if constexpr (exact) {
      Single power, rounded;
      Rounding::binade(value, power);
      Rounding::round(value, power, rounded);
      doubt |= settled(SingleBits(out != rounded));
    }
    sums.error[part] += difference;
    L::add_square(sums.squared_error[part], difference);
    L::add_square(sums.squared_reference[part], value);
    Single chance = error * Single(0x7f000000 - SingleBits(gap));
    at_most(chance, Single{} + static_cast<float>(power_of_two(-layout.fraction_bits)));
    sums.chance[part] += chance;
    if constexpr (part + 1 < parts) add_step<part + 1>(block, place, sums, doubt);
  }
  /// Whether singles hold the sums, which are added then.
  [[nodiscard]] ASSAY_DETAIL_INLINE static bool commit(const Sums& sums, Comparison& comparison) {
    SingleBits wrong = settled(SingleBits(sums.least < SingleUnsigned(Single{} + least_reference) - zeros));
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part)
      wrong |= ~settled(SingleBits(sums.squared_error[part] + sums.squared_reference[part] < References::large));
    if (L::any_set(wrong)) return false;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part) {
      add_singles<L>(sums.error[part], part, comparison.signed_error);
      add_singles<L>(sums.squared_error[part], part, comparison.squared_error);
      add_singles<L>(sums.squared_reference[part], part, comparison.squared_reference);
      add_singles<L>(sums.chance[part], part, comparison.chance);
    }
    return true;
  }

  ASSAY_DETAIL_INLINE void pass(const Block& block, Comparison& comparison, ApproximateFindings& found) const {
    for (Index begin = 0; begin < block.elements; begin += coarse) {
      const Index end = begin + coarse < block.elements ? begin + coarse : block.elements;
      Sums sums;
      SingleBits doubts[coarse / fine];  // of each step
      for (Index place = begin; place < end; place += fine) {
        foresee<fine * sizeof(T), Comparison::look_ahead>(block.actual + place);
        SingleBits doubt{};
        add_step(block, place, sums, doubt);
        doubts[(place - begin) / fine] = doubt;
        sums.doubt |= doubt;
      }
      const Index steps = (end - begin) / fine, first_step = begin / fine;
      std::uint64_t doubtful = 0;
      if (L::any_set(sums.doubt))
        for (Index step = 0; step < steps; ++step) doubtful |= std::uint64_t{L::any_set(doubts[step])} << step;
      // where half of the steps are left what they are judged by may as well be summed
      if (2 * __builtin_popcountll(doubtful) > steps || !commit(sums, comparison))
        found.unsummed |= ((std::uint64_t{1} << steps) - 1) << first_step;
      else
        found.doubtful |= doubtful << first_step;
    }
  }
};

/// Of instruction sets with a fused multiply-add.
template <class T>
struct PassApproximate {
  template <class Screen>
  ASSAY_DETAIL_INLINE static void pass(const ApproximateBlock<T>& block, LaneComparison<T, double>& comparison,
                                       ApproximateFindings& found) {
    Screen screen;
    screen.take(comparison, block.off);
    screen.pass(block, comparison, found);
  }
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const ApproximateBlock<T>& block, LaneComparison<T, double>& comparison, ApproximateFindings& found) {
    if constexpr (Lanes<Bytes>::wide) {
      if (block.off.absolute == 0 && block.off.relative == 0)
        pass<ScreenApproximate<T, Bytes, true>>(block, comparison, found);
      else
        pass<ScreenApproximate<T, Bytes, false>>(block, comparison, found);
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

template <LaneFormat T, LaneFormat Reference>
bool LaneComparison<T, Reference>::takes_approximations() {
  if constexpr (sizeof(T) == 2 && std::is_same_v<Reference, double>) {
    if (rule.kind != VectorRule::Kind::derived || refinable || !fused || !has_maxima()) return false;
    if (ordinary_blocks == 0) return true;
    --ordinary_blocks;
  }
  return false;
}

template <LaneFormat T, LaneFormat Reference>
ApproximateFindings LaneComparison<T, Reference>::pass_approximate(InstructionSet set, const ApproximateBlock<T>& block) {
  ApproximateFindings found;
  run_variant<PassApproximate<T>>(set, block, *this, found);
  const auto left = __builtin_popcountll(found.doubtful | found.unsummed);
  seen += static_cast<std::uint64_t>(block.elements - __builtin_popcountll(found.unsummed) * ApproximateBlock<T>::step);
  if (left * ApproximateBlock<T>::step * 4 > block.elements) {
    ordinary_blocks = approximate_patience;
    approximate_patience = approximate_patience < 32 ? 2 * approximate_patience : 32;
  } else {
    approximate_patience = 1;
  }
  return found;
}

template <LaneFormat T, LaneFormat Reference>
void LaneComparison<T, Reference>::judge_steps(InstructionSet set, const Row& row, Index from) {
  Span span{from, row.end, {}};
  refresh(row, span);
  run_variant<typename CompareLanes<T, Reference, VectorRule::Kind::derived>::Judge>(set, *this, row, span, row.end);
}

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
