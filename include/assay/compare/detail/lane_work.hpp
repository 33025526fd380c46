#pragma once

#include "assay/compare/detail/lane_comparison.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Adds a part of a block's sums, in the logical lanes of singles, to those of a chunk.
template <class L>
ASSAY_DETAIL_INLINE void add_singles(const typename L::Single& from, std::size_t part, double* to) {
  typename L::Real doubles[L::single_parts];
  L::widen(from, doubles);
#pragma GCC unroll 2
  for (std::size_t half = 0; half < L::single_parts; ++half)
    *reinterpret_cast<typename L::LoadReal*>(to + part * L::single_count + half * L::count) += doubles[half];
}

/// What the screen and the full steps share: constants of the formats, what is of interest in lanes, and the sums.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes>
struct LaneWork : Lanes<Bytes> {
  using Comparison = LaneComparison<T, Reference>;
  using Row = typename Comparison::Row;
  static constexpr std::size_t step = Comparison::step;
  static constexpr bool stored_reference = std::is_same_v<T, Reference>;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr std::int64_t magnitude_bits = INT64_MAX;
  static constexpr std::int64_t exponent_bits = std::int64_t{0x7ff} << 52;
  static constexpr double least_normal = min_normal<T>();
  /// Elements whose values reach it are looked at one by one: nothing that lanes compute overflows.
  static constexpr double vast = max_finite<T>() < 0x1p900 ? max_finite<T>() * 0.25 : 0x1p900;

  /// Pairs of stored values without an error bound are screened as singles, in which their differences are exact.
  static constexpr bool singles = stored_reference && !std::is_same_v<T, double> && kind != VectorRule::Kind::derived;
  /// Derived bounds around stored references, and formats whose gaps are as small as the roundings of double, are
  /// looked at in full.
  static constexpr bool screens = singles || (!stored_reference && !std::is_same_v<T, double>);

  using L = Lanes<Bytes>;
  using Real = typename L::Real;
  using Bits = typename L::Bits;
  static constexpr std::size_t parts = step / L::count;

  /// 2^⌊log2 value⌋ of a positive number, but no less than the format's smallest normal number.
  ASSAY_DETAIL_INLINE static void binade(const Real& size, Real& power) {
    power = Real(Bits(size) & exponent_bits);
    at_least(power, Real{} + least_normal);
  }

  Real absolute{}, ulps{}, relative{}, relative_half{}, ratio{}, ratio_half{}, ratio_least{};
  Bits every_ratio{};

  ASSAY_DETAIL_INLINE void take(const LaneLimits& limits) {
    absolute = Real{} + limits.absolute;
    ulps = (Real{} + (limits.ulps * power_of_two(-layout.fraction_bits)));
    relative = (Real{} + limits.relative);
    relative_half = (Real{} + limits.relative_half);
    ratio = (Real{} + limits.ratio);
    ratio_half = (Real{} + limits.ratio_half);
    ratio_least = (Real{} + limits.ratio_least);
    every_ratio = Bits{} - static_cast<std::int64_t>(limits.every_ratio);
  }

  ASSAY_DETAIL_INLINE static void add(const Real& difference, const Real& reference, const Real& error,
                                      Real& signed_error, Real& squared_error, Real& squared_reference, Real& chance) {
    ASSAY_DETAIL_NO_CONTRACTION
    signed_error += difference;
    Real square = difference * difference, reference_square = reference * reference;
    L::round_here(square);
    L::round_here(reference_square);
    squared_error += square;
    squared_reference += reference_square;
    add_chance(reference, error, chance);
  }
  ASSAY_DETAIL_INLINE static void add_chance(const Real& reference, const Real& error, Real& chance) {
    ASSAY_DETAIL_NO_CONTRACTION
    Real reference_size, power;
    magnitude(reference, reference_size);
    binade(reference_size, power);
    Real share = error * Real((std::int64_t{2046} << 52) - Bits(power));
    at_most(share, Real{} + power_of_two(-layout.fraction_bits));
    chance += share;
  }
  /// The chances of whole steps, in all logical lanes.
  ASSAY_DETAIL_INLINE static void add_chances(const Reference* references, const double* errors, Index elements,
                                              double* chances) {
    constexpr Index lanes = static_cast<Index>(Comparison::sums), count = static_cast<Index>(L::count);
    Real sums[lanes / count];
    for (Index lane = 0; lane < lanes; lane += count)
      sums[lane / count] = *reinterpret_cast<const typename L::LoadReal*>(chances + lane);
    for (Index from = 0; from < elements; from += lanes) {
      for (Index lane = 0; lane < lanes; lane += count) {
        Real reference{}, error{};
        L::load(references + from + lane, reference);
        L::load(errors + from + lane, error);
        add_chance(reference, error, sums[lane / count]);
      }
    }
    for (Index lane = 0; lane < lanes; lane += count)
      *reinterpret_cast<typename L::LoadReal*>(chances + lane) = sums[lane / count];
  }

  /// The sums of all steps, in the lanes of this instruction set.
  struct Sums {
    Real signed_error[parts], squared_error[parts], squared_reference[parts], chance[parts];
    Bits misrounded[parts], inward[parts];
  };
  ASSAY_DETAIL_INLINE static void load(const Comparison& comparison, Sums& sums) {
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t lane = part * L::count;
      sums.signed_error[part] = *reinterpret_cast<const typename L::LoadReal*>(comparison.signed_error + lane);
      sums.squared_error[part] = *reinterpret_cast<const typename L::LoadReal*>(comparison.squared_error + lane);
      sums.squared_reference[part] =
          *reinterpret_cast<const typename L::LoadReal*>(comparison.squared_reference + lane);
      sums.chance[part] = *reinterpret_cast<const typename L::LoadReal*>(comparison.chance + lane);
      sums.misrounded[part] = *reinterpret_cast<const typename L::LoadBits*>(comparison.misrounded + lane);
      sums.inward[part] = *reinterpret_cast<const typename L::LoadBits*>(comparison.inward + lane);
    }
  }
  ASSAY_DETAIL_INLINE static void store(const Sums& sums, Comparison& comparison) {
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t lane = part * L::count;
      *reinterpret_cast<typename L::LoadReal*>(comparison.signed_error + lane) = sums.signed_error[part];
      *reinterpret_cast<typename L::LoadReal*>(comparison.squared_error + lane) = sums.squared_error[part];
      *reinterpret_cast<typename L::LoadReal*>(comparison.squared_reference + lane) = sums.squared_reference[part];
      *reinterpret_cast<typename L::LoadReal*>(comparison.chance + lane) = sums.chance[part];
      *reinterpret_cast<typename L::LoadBits*>(comparison.misrounded + lane) = sums.misrounded[part];
      *reinterpret_cast<typename L::LoadBits*>(comparison.inward + lane) = sums.inward[part];
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
