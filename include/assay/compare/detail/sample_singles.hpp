#pragma once

#include "assay/compare/detail/lane_work.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The largest errors of whole steps of a row, of stored values against stored values: in singles, whose roundings are
/// within what a `RecordFloor` is lowered by. Numbers that singles do not hold so well count as 0, or as 2^100.
template <class T, VectorRule::Kind kind, std::size_t Bytes>
struct SampleSingles {
  using L = Lanes<Bytes>;
  using Comparison = LaneComparison<T, T>;
  using Row = typename Comparison::Row;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr Index width = static_cast<Index>(L::single_count), unit = 16;  ///< unit: logical lanes
  static constexpr float least = 0x1p-100F, most = 0x1p100F, least_normal = static_cast<float>(min_normal<T>());
  /// Larger values say nothing: what is allowed of them may end in infinity.
  static constexpr float vast = max_finite<T>() * 0.25 < 0x1p100 ? static_cast<float>(max_finite<T>() * 0.25) : most;

  Single absolute{}, ulps{}, relative{}, ratio{};
  Single rule_absolute{}, rule_relative{};
  SingleBits rule_held{};  ///< by singles
  std::int32_t places = 0;
  bool certain = false;  ///< ratios are: quotients of small integers, which singles keep apart

  ASSAY_DETAIL_INLINE explicit SampleSingles(const VectorRule& rule) {
    if constexpr (kind == VectorRule::Kind::places) {
      places = static_cast<std::int32_t>(rule.places << (23 - layout.fraction_bits));
      rule_held -= static_cast<std::int32_t>(rule.places > 0);
      certain = rule.places <= 512;
    } else {
      const auto held = [](double value) { return value == 0 || (value >= 0x1p-120 && value < 0x1p100); };
      if (!held(rule.absolute) || !held(rule.relative)) return;
      rule_absolute += static_cast<float>(rule.absolute);
      rule_relative += static_cast<float>(rule.relative);
      rule_held -= 1;
    }
  }

  ASSAY_DETAIL_INLINE void sample(const Comparison&, const Row& row, Index at) {
    Single out{}, reference{};
    L::load_single(row.actual + at, out);
    L::load_single(row.values(at), reference);
    const Single difference = out - reference;
    Single size, reference_size;
    magnitude(difference, size);
    magnitude(reference, reference_size);
    const SingleBits ordinary = settled(SingleBits(size + reference_size < vast));
    Single power = Single(SingleBits(reference) & 0x7f800000);
    at_least(power, Single{} + least_normal);
    keep_larger(size, ordinary, absolute);
    keep_larger(size * Single(0x7f000000 - SingleBits(power)), ordinary, ulps);
    keep_larger(size / reference_size, ordinary & settled(SingleBits(reference_size >= least)), relative);
    Single allowed;
    SingleBits held = ordinary & rule_held;
    if constexpr (kind == VectorRule::Kind::places) {
      const SingleBits outward =
          ~((SingleBits(difference) ^ SingleBits(reference)) >> 31);  // all ones: out is farther from zero than r
      const Single room = Single(SingleBits(reference_size) - places + (outward & (2 * places))) - reference_size;
      magnitude(room, allowed);
      held &= settled(SingleBits(reference_size >= 2 * least_normal));
    } else {
      allowed = reference_size * rule_relative + rule_absolute;
      held &= settled(SingleBits(allowed >= reference_size * 0x1p-28F));  // else doubles round r ± allowed
    }
    keep_larger(size / allowed, held & settled(SingleBits(allowed >= least)), ratio);
  }

  ASSAY_DETAIL_INLINE static void keep_larger(const Single& value, const SingleBits& valid, Single& largest) {
    Single counted = Single(SingleBits(value) & valid);
    at_least(counted, largest);
    largest = counted;
  }

  [[nodiscard]] ASSAY_DETAIL_INLINE static double largest_of(const Single& values) {
    float largest = 0;
    for (std::size_t lane = 0; lane < L::single_count; ++lane)
      largest = values[lane] > largest ? values[lane] : largest;
    return static_cast<double>(largest < least ? 0 : largest < most ? largest : most);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
