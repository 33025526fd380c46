#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/compare/detail/lane_limits.hpp"
#include "assay/compare/detail/lanes.hpp"
#include "assay/compare/detail/vector_rule.hpp"
#include "assay/compare/expected_row.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {

/// Whether vectors know the rule for these formats: places are counted from stored values only.
template <class T, class Reference>
constexpr bool rule_suits(const VectorRule& rule) {
  return rule.kind != VectorRule::Kind::none && (rule.kind != VectorRule::Kind::places || std::is_same_v<T, Reference>);
}

/// How a vector has a few of its elements looked at one by one. `look(context, column, sums_too)`.
struct LookAt {
  void (*look)(const void* context, Index column, bool sums_too) = nullptr;
  const void* context = nullptr;
};

/// Compares rows of one chunk in steps of eight elements. Every step decides on vectors which elements are certainly
/// accepted, or certainly refuted, and no record of any kind; those it counts, and looks at the others one by one. Sums
/// are added in eight logical lanes, so that they do not depend on the instruction set.
template <LaneFormat T, LaneFormat Reference>
struct LaneComparison {
  static constexpr std::size_t step = 8;

  VectorRule rule;
  bool refinable = false;
  double doubt_ratio = 1;
  PartialComparison* partial = nullptr;
  bool fused = false;  ///< the instruction set has a fused multiply-add
  double signed_error[step] = {}, squared_error[step] = {}, squared_reference[step] = {}, chance[step] = {};  ///< chance: in units of ulp/2^e
  std::int64_t misrounded[step] = {}, inward[step] = {};
  std::uint64_t left_out = 0;   ///< of the sums, seen by vectors
  std::uint64_t seen = 0;
  std::uint64_t looked_at = 0;  ///< one by one

  struct Row {
    const T* actual;
    ExpectedRow<Reference> expected;
    Index group;
    LookAt look_at;
  };
  /// Columns [column, end) of a row, and what is of interest there.
  struct Span {
    Index column, end, first_tile, last_tile;
    LaneLimits limits;
  };

  /// Narrow tiles share a span of so many columns.
  static constexpr Index span_columns = 256;
  Index patience = 1;

  void refresh(const Row& row, Span& span) const {
    const double below_doubt = refinable ? doubt_ratio * (1 - 0x1p-50) : double_of(binary64_layout.infinity_bits());
    span.limits = LaneLimits::of(*partial, row.group, span.first_tile, span.last_tile, below_doubt, fused);
  }
  template <VectorRule::Kind kind>
  void compare_span(InstructionSet set, const Row& row, Span& span);
  template <class OneByOne>
  void compare_row(InstructionSet set, const T* actual, const ExpectedRow<Reference>& expected, Index first_column, Index last_column, Index tile_columns, Index group, const OneByOne& one_by_one);

  /// Adds the lanes' sums to the chunk's.
  void finish() {
    constexpr FloatLayout layout = FormatTraits<T>::layout;
    ErrorStatistics& statistics = partial->statistics;
    statistics.elements += seen - left_out;
    for (std::size_t lane = 0; lane < step; ++lane) {
      statistics.signed_error += signed_error[lane];
      statistics.squared_error += squared_error[lane];
      statistics.squared_reference += squared_reference[lane];
      statistics.expected_misrounded += chance[lane] * power_of_two(layout.fraction_bits);
      statistics.misrounded += static_cast<std::uint64_t>(misrounded[lane]);
      statistics.misrounded_inward += static_cast<std::uint64_t>(inward[lane]);
    }
  }
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

template <class T, class Reference, VectorRule::Kind kind>
struct CompareLanes {
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
  /// Places without singles, and formats whose gaps are as small as the roundings of double, are looked at in full.
  static constexpr bool screens = !std::is_same_v<T, double>;

  template <std::size_t Bytes>
  struct Work : Lanes<Bytes> {
    using L = Lanes<Bytes>;
    using Real = typename L::Real;
    using Bits = typename L::Bits;
    static constexpr std::size_t parts = step / L::count;

    ASSAY_DETAIL_INLINE static void magnitude(const Real& value, Real& size) {
      size = Real(Bits(value) & magnitude_bits);
    }
    /// 2^⌊log2 value⌋ of a positive number, but no less than the format's smallest normal number.
    ASSAY_DETAIL_INLINE static void binade(const Real& size, Real& power) {
      power = Real(Bits(size) & exponent_bits);
      L::at_least(power, Real{} + least_normal);
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

    // for the screen: what is below all of these is accepted and no record of any kind
    Real plain_relative{}, plain_ratio{};

    ASSAY_DETAIL_INLINE void take_screen(const LaneLimits& limits) {
      const double relative_limit = limits.relative < 0.49 ? limits.relative : 0.49, ratio_limit = limits.ratio < 1 ? limits.ratio : 1;
      plain_relative = Real{} + (limits.relative < 0 ? -1.0 : relative_limit * (1 - 0x1p-50));
      plain_ratio = Real{} + ratio_limit * (1 - 0x1p-40);
    }

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
      Real bound = plain_relative * reference_size, in_ulps = ulps * gap;
      L::at_most(bound, in_ulps);
      L::at_most(bound, absolute);
      if constexpr (kind == VectorRule::Kind::absolute_relative) {
        Real allowed = reference_size * (plain_ratio * rule.relative) + plain_ratio * rule.absolute;
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
          const Real room = error * plain_ratio - gap * 0x1p-45;
          clean &= Bits(excess <= room) & Bits(error < Real{} + vast);
        }
      }
    }

    /// allowed·ratio < size, or what must be looked at in any case.
    ASSAY_DETAIL_INLINE void exceeds_ratio(const Real& size, const Real& allowed, Bits& flags) const {
      Real beyond = size;
      L::subtract_product(beyond, ratio, allowed);
      L::subtract_product(beyond, ratio_half, allowed);
      flags |= Bits(beyond > ratio_least) | every_ratio;
    }

    ASSAY_DETAIL_INLINE void derived(const Real& out, const Real& out_size, const Real& difference, const Real& size, const Real& reference_size, const Real& error, const Bits& differs,
                                     Bits& flags, Bits& refuted) const {
      ASSAY_DETAIL_NO_CONTRACTION
      // the gap between out and its neighbour toward r, half of which rounds to out
      Real floor = out_size;
      L::at_least(floor, Real{} + least_normal);
      using Unsigned = typename L::Unsigned;
      const Bits crossing = Bits(difference) ^ Bits(out);
      const Bits away = Bits(Unsigned(crossing) >> 63);  // 1: r is farther from zero than out
      const Bits neighbour = Bits(floor) - 1 + away;
      Real gap;
      binade(Real(neighbour), gap);
      Real half_gap = gap * power_of_two(-layout.fraction_bits - 1);
      L::round_here(half_gap);
      const Real excess = size - half_gap;
      const Real room = error - excess;
      const Real unsure = (out_size + reference_size + error) * 0x1p-50;
      const Bits suspicious = Bits(room < unsure) & differs;
      exceeds_ratio(excess, error, flags);
      const Bits certain = Bits(-room > unsure);
      refuted = suspicious & certain;
      flags |= suspicious & ~certain;
    }

    ASSAY_DETAIL_INLINE void absolute_relative(const VectorRule& rule, const Real& out, const Real& reference, const Real& difference, const Real& size, const Real& reference_size, Bits& flags,
                                               Bits& refuted) const {
      ASSAY_DETAIL_NO_CONTRACTION
      Real relative_part = reference_size * rule.relative;
      L::round_here(relative_part);
      const Real allowed = relative_part + rule.absolute;
      const Real upper = reference + allowed, lower = reference - allowed;
      refuted = Bits(out > upper) | Bits(out < lower);
      const Real above = upper - reference, below = reference - lower;
      const Real room = difference > 0 ? above : below;
      exceeds_ratio(size, room, flags);
      flags |= refuted & ~Bits(size > room * (1 + 0x1p-50));  // refuted with a ratio that rounds to 1
    }

    ASSAY_DETAIL_INLINE void places(const VectorRule& rule, const Real& reference, const Real& difference, const Real& size, const Real& reference_size, Bits& flags, Bits& refuted) const {
      if (rule.places == 0) {
        refuted = Bits(size > 0);
        const Real none{};
        exceeds_ratio(size, none, flags);
        return;
      }
      const Bits outward = ~((Bits(difference) ^ Bits(reference)) >> 63);  // all ones: out is farther from zero than r
      const std::int64_t places = static_cast<std::int64_t>(rule.places) << (52 - layout.fraction_bits);
      const Bits last = Bits(reference_size) - places + (outward & (2 * places));
      const Real room_signed = Real(last) - reference_size;
      Real room;
      magnitude(room_signed, room);
      refuted = Bits(size > room);
      exceeds_ratio(size, room, flags);
      // places of numbers below the normal ones are not the bits of doubles
      flags |= Bits(size > 0) & (Bits(reference_size < 2 * least_normal));
    }

    template <bool with_chance = true>
    ASSAY_DETAIL_INLINE static void add(const Real& difference, const Real& reference, const Real& error, Real& signed_error, Real& squared_error, Real& squared_reference,
                                        Real& chance) {
      ASSAY_DETAIL_NO_CONTRACTION
      signed_error += difference;
      Real square = difference * difference, reference_square = reference * reference;
      L::round_here(square);
      L::round_here(reference_square);
      squared_error += square;
      squared_reference += reference_square;
      if constexpr (!with_chance) return;
      Real reference_size, power;
      magnitude(reference, reference_size);
      binade(reference_size, power);
      Real share = error * Real((std::int64_t{2046} << 52) - Bits(power));
      L::at_most(share, Real{} + power_of_two(-layout.fraction_bits));
      chance += share;
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
        sums.squared_reference[part] = *reinterpret_cast<const typename L::LoadReal*>(comparison.squared_reference + lane);
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

    using Single = typename L::Single;
    using SingleBits = typename L::SingleBits;
    Single single_absolute{}, single_ulps{}, single_relative{}, single_ratio{}, single_allowed_relative{}, single_allowed_absolute{};

    static float single_below(double value) {
      const float nearest = static_cast<float>(value);
      return static_cast<double>(nearest) > value ? next_down(nearest) : nearest;
    }
    ASSAY_DETAIL_INLINE void take_singles(const VectorRule& rule, const LaneLimits& limits) {
      const double ratio_limit = limits.ratio < 1 ? limits.ratio : 1, lowered = 1 - 0x1p-20;
      const bool none = kind == VectorRule::Kind::places && rule.places == 0;
      single_absolute = Single{} + single_below(none && limits.absolute > 0 ? 0 : limits.absolute);
      single_ulps = Single{} + single_below(limits.ulps * power_of_two(-layout.fraction_bits));
      single_relative = Single{} + single_below(limits.relative < 0 ? -1 : (limits.relative < 0.49 ? limits.relative : 0.49) * lowered);
      single_ratio = Single{} + single_below(L::wide ? ratio_limit : ratio_limit * lowered);
      single_allowed_relative = Single{} + single_below(ratio_limit * rule.relative * lowered);
      single_allowed_absolute = Single{} + single_below(ratio_limit * rule.absolute * lowered);
    }

    /// `screen` on singles. Where |out − r| < |r|/2 the difference is exact.
    ASSAY_DETAIL_INLINE void screen_singles(const VectorRule& rule, const Single& out, const Single& reference, SingleBits& clean, SingleBits& misrounded, SingleBits& inward) const {
      constexpr std::int32_t magnitude_mask = INT32_MAX, exponent_mask = 0x7f800000;
      constexpr float small = 0x1p-60F, large = static_cast<float>(vast);
      const Single difference = out - reference;
      const Single size = Single(SingleBits(difference) & magnitude_mask), out_size = Single(SingleBits(out) & magnitude_mask);
      const Single reference_size = Single(SingleBits(reference) & magnitude_mask);
      Single gap = Single(SingleBits(reference_size) & exponent_mask);
      L::at_least(gap, Single{} + static_cast<float>(least_normal));
      Single bound = single_relative * reference_size, in_ulps = single_ulps * gap;
      L::at_most(bound, in_ulps);
      L::at_most(bound, single_absolute);
      if constexpr (kind == VectorRule::Kind::absolute_relative) {
        const Single allowed = reference_size * single_allowed_relative + single_allowed_absolute;
        L::at_most(bound, allowed);
      }
      const SingleBits differs = SingleBits(size > 0);
      clean &= SingleBits(size <= bound) & SingleBits(reference_size < Single{} + large);
      if constexpr (least_normal < 0x1p-60) clean &= ~(differs & SingleBits(reference_size < Single{} + small));  // products might be subnormal
      if constexpr (kind == VectorRule::Kind::places) {
        const std::int32_t places = static_cast<std::int32_t>(rule.places) << (23 - layout.fraction_bits);
        const SingleBits outward = ~((SingleBits(difference) ^ SingleBits(reference)) >> 31);
        const SingleBits last = SingleBits(reference_size) - places + (outward & (2 * places));
        const Single room = Single(SingleBits(Single(last) - reference_size) & magnitude_mask);
        Single beyond = size;
        L::subtract_product(beyond, single_ratio, room);
        clean &= ~(differs & SingleBits(beyond > 0));
        if constexpr (least_normal >= 0x1p-60) clean &= ~(differs & SingleBits(reference_size < Single{} + static_cast<float>(2 * least_normal)));
      }
      misrounded -= differs;
      inward -= SingleBits(out_size < reference_size);
    }

    /// Passes blocks of so many steps that are clean, up to the first that is not. Reads a block twice, the second time
    /// from the cache: screening and adding at once would need more registers than there are.
    template <bool has_errors, bool as_singles, Index steps>
    ASSAY_DETAIL_INLINE void pass_clean(const VectorRule& rule, const Row& row, typename Comparison::Span& span, Sums& sums) const {
      const T* const actual = row.actual;
      const Reference* const expected = row.expected.value;
      const double* const errors = row.expected.error;
      const Real uniform = Real{} + row.expected.uniform_error;
      constexpr Index block = steps * static_cast<Index>(step);
      [[maybe_unused]] typename Lanes<L::single_bytes>::Unsigned single_counts[2] = {};
      Index column = span.column;
      for (; column + block <= span.end; column += block) {
        if constexpr (as_singles) {
          SingleBits clean = SingleBits{} - 1, misrounded{}, inward{};
          for (Index at = column; at < column + block; at += static_cast<Index>(L::single_count)) {
            Single out{}, reference{};
            L::load_single(actual + at, out);
            L::load_single(expected + at, reference);
            screen_singles(rule, out, reference, clean, misrounded, inward);
          }
          if (__builtin_expect(!L::all_set(clean), 0)) break;
          const auto pairs_misrounded = typename Lanes<L::single_bytes>::Unsigned(misrounded), pairs_inward = typename Lanes<L::single_bytes>::Unsigned(inward);
          single_counts[0] += (pairs_misrounded >> 32) + (pairs_misrounded & 0xffffffffU);
          single_counts[1] += (pairs_inward >> 32) + (pairs_inward & 0xffffffffU);
        } else {
          Bits clean = Bits{} - 1, misrounded{}, inward{};
          for (Index at = column; at < column + block; at += static_cast<Index>(L::count)) {
            Real out{}, reference{}, error = uniform;
            L::load(actual + at, out);
            L::load(expected + at, reference);
            if constexpr (has_errors) L::load(errors + at, error);
            screen(rule, out, reference, error, clean, misrounded, inward);
          }
          if (__builtin_expect(L::signs(clean) != (1U << L::count) - 1, 0)) break;
          sums.misrounded[0] += misrounded;
          sums.inward[0] += inward;
        }
        for (Index at = column; at < column + block; at += static_cast<Index>(step)) {
#pragma GCC unroll 8
          for (std::size_t part = 0; part < parts; ++part) {
            const Index place = at + static_cast<Index>(part * L::count);
            Real out{}, reference{}, error = uniform;
            L::load(actual + place, out);
            L::load(expected + place, reference);
            if constexpr (has_errors) L::load(errors + place, error);
            const Real difference = out - reference;
            add<!as_singles>(difference, reference, error, sums.signed_error[part], sums.squared_error[part], sums.squared_reference[part], sums.chance[part]);
          }
        }
      }
      span.column = column;
      if constexpr (as_singles) {
        for (std::size_t lane = 0; lane < L::single_count / 2; ++lane) {
          sums.misrounded[0][0] += static_cast<std::int64_t>(single_counts[0][lane]);
          sums.inward[0][0] += static_cast<std::int64_t>(single_counts[1][lane]);
        }
      }
    }

    /// Looks at everything in steps [span.column, stop).
    ASSAY_DETAIL_INLINE void compare(Comparison& comparison, const Row& row, typename Comparison::Span& span, Index stop) {
      ASSAY_DETAIL_NO_CONTRACTION
      Sums sums;
      load(comparison, sums);
      const VectorRule rule = comparison.rule;
      const bool has_errors = row.expected.error != nullptr;
      take(span.limits);
      Index column = span.column;
      for (; column < stop; column += static_cast<Index>(step)) {
          const Index left = stop - column;
          Real out[parts], reference[parts], error[parts];
          if (left >= static_cast<Index>(step)) {
#pragma GCC unroll 8
            for (std::size_t part = 0; part < parts; ++part) {
              const Index at = column + static_cast<Index>(part * L::count);
              L::load(row.actual + at, out[part]);
              L::load(row.expected.value + at, reference[part]);
              if (has_errors) L::load(row.expected.error + at, error[part]);
              else error[part] = (Real{} + row.expected.uniform_error);
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
            const Bits ordinary = Bits(size + reference_size + error[part] < (Real{} + vast)) & Bits(error[part] >= 0);
            const unsigned odd = ~L::signs(ordinary) & ((1U << L::count) - 1);
            if (__builtin_expect(odd != 0, 0)) {
              set_aside(comparison, row, column + static_cast<Index>(shift), left - static_cast<Index>(shift), ordinary, span.limits, out[part], reference[part], error[part], flagged, shift);
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
              differs = Bits(out[part] != reference[part]);
            } else {
              const Real magic = power * (1.5 * power_of_two(52 - layout.fraction_bits));
              rounded = (reference_size + magic) - magic;
              differs = Bits(out[part] != Real(Bits(rounded) | (Bits(reference[part]) & INT64_MIN)));
            }
            sums.misrounded[part] -= differs;
            sums.inward[part] -= Bits(out_size < rounded);
            Bits flags = Bits(size > absolute) | Bits(in_ulps > ulps);
            Real beyond = size;
            L::subtract_product(beyond, relative, reference_size);
            L::subtract_product(beyond, relative_half, reference_size);
            flags |= Bits(beyond > 0) & Bits(reference_size > 0);
            Bits refuted;
            if constexpr (kind == VectorRule::Kind::derived) derived(out[part], out_size, difference, size, reference_size, error[part], differs, flags, refuted);
            else if constexpr (kind == VectorRule::Kind::absolute_relative) absolute_relative(rule, out[part], reference[part], difference, size, reference_size, flags, refuted);
            else places(rule, reference[part], difference, size, reference_size, flags, refuted);
            add(difference, reference[part], error[part], sums.signed_error[part], sums.squared_error[part], sums.squared_reference[part], sums.chance[part]);
            Bits interesting = flags | refuted;
            if (__builtin_expect(L::signs(interesting) != 0, 0)) {
              flagged |= (L::signs(flags) & ~odd) << shift;
              refuted_bits |= (L::signs(refuted) & ~odd) << shift;
            }
          }
          if (__builtin_expect((flagged | refuted_bits | left_out) != 0, 0)) {
            const unsigned valid = left >= static_cast<Index>(step) ? 0xffU : (1U << left) - 1;
            flagged &= valid;
            comparison.partial->violations += static_cast<std::uint64_t>(__builtin_popcount(refuted_bits & ~flagged & valid));
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
      store(sums, comparison);
    }

    /// Fewer elements than a step, and zeros behind them.
    ASSAY_DETAIL_INLINE static void load_rest(const Row& row, Index column, Index left, Real* out, Real* reference, Real* error) {
      for (std::size_t part = 0; part < parts; ++part) {
        out[part] = reference[part] = error[part] = Real{};
        for (std::size_t lane = 0; lane < L::count; ++lane) {
          const Index offset = static_cast<Index>(part * L::count + lane);
          if (offset >= left) continue;
          out[part][lane] = decode(row.actual[column + offset]);
          reference[part][lane] = decode(row.expected.value[column + offset]);
          error[part][lane] = row.expected.error != nullptr ? row.expected.error[column + offset] : row.expected.uniform_error;
        }
      }
    }

    /// Elements that are not finite, or vast, leave the vector as zeros: what can be counted is, the rest is flagged.
    ASSAY_DETAIL_INLINE static void set_aside(Comparison& comparison, const Row&, Index, Index left, const Bits& ordinary, const LaneLimits& limits, Real& out, Real& reference, Real& error,
                                              unsigned& flagged, unsigned shift) {
      const Bits out_bits = Bits(out), reference_bits = Bits(reference), error_bits = Bits(error);
      const Bits out_size = out_bits & magnitude_bits, reference_size = reference_bits & magnitude_bits, error_size = error_bits & magnitude_bits;
      const Bits infinity = (Bits{} + exponent_bits);
      const Bits agree = (Bits(out_size > infinity) & Bits(reference_size > infinity)) | (Bits(out_bits == reference_bits) & Bits(out_size == infinity));
      Real reference_value;
      magnitude(reference, reference_value);
      const Bits in_range = Bits(reference_value < (Real{} + vast));
      const Bits bounded = Bits(error >= 0) & Bits(error < (Real{} + vast));
      const Bits nan_unexpected = Bits(out_size > infinity) & in_range & bounded;
      Bits undetermined{};
      if constexpr (kind == VectorRule::Kind::derived) {
        if (!comparison.refinable) undetermined = Bits(error_size >= infinity) & in_range;
      }
      const unsigned lanes = left >= static_cast<Index>(L::count) ? (1U << L::count) - 1 : left <= 0 ? 0 : (1U << left) - 1;
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

  /// The steps of a span one by one in full, up to `stop`.
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row, typename Comparison::Span& span, const Index& stop) {
    Work<Bytes> work;
    work.compare(comparison, row, span, stop);
  }

  /// The steps of a span as long as they are clean.
  struct Screen {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row, typename Comparison::Span& span) {
      Work<Bytes> work;
      work.take(span.limits);
      work.take_screen(span.limits);
      typename Work<Bytes>::Sums sums;
      Work<Bytes>::load(comparison, sums);
      const VectorRule rule = comparison.rule;
      if constexpr (singles) {
        work.take_singles(rule, span.limits);
        work.template pass_clean<false, true, 4>(rule, row, span, sums);
        work.template pass_clean<false, true, 1>(rule, row, span, sums);
      } else if (row.expected.error != nullptr) {
        work.template pass_clean<true, false, 4>(rule, row, span, sums);
        work.template pass_clean<true, false, 1>(rule, row, span, sums);
      } else {
        work.template pass_clean<false, false, 4>(rule, row, span, sums);
        work.template pass_clean<false, false, 1>(rule, row, span, sums);
      }
      Work<Bytes>::store(sums, comparison);
    }
  };
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

template <LaneFormat T, LaneFormat Reference>
template <VectorRule::Kind kind>
void LaneComparison<T, Reference>::compare_span(InstructionSet set, const Row& row, Span& span) {
  using Full = CompareLanes<T, Reference, kind>;
  const bool screening = Full::screens && (!Full::singles || (row.expected.error == nullptr && row.expected.uniform_error == 0)) && (kind != VectorRule::Kind::absolute_relative || std::is_same_v<T, Reference> || rule.relative >= 0x1p-30);
  while (span.column < span.end) {
    if constexpr (Full::screens) {
      const Index before = span.column;
      if (screening) run_variant<typename Full::Screen>(set, *this, row, span);
      patience = span.column > before || !screening ? 1 : patience < 64 ? 2 * patience : 64;  // where much is doubtful the screen is asked less often
      if (span.column == span.end) break;
    }
    const Index wished = screening ? span.column + static_cast<Index>(step) * patience : span.end;
    const Index stop = wished < span.end ? wished : span.end;
    run_variant<Full>(set, *this, row, span, stop);
  }
}

template <LaneFormat T, LaneFormat Reference>
template <class OneByOne>
void LaneComparison<T, Reference>::compare_row(InstructionSet set, const T* actual, const ExpectedRow<Reference>& expected, Index first_column, Index last_column, Index tile_columns, Index group,
                                               const OneByOne& one_by_one) {
  struct Context {
    const OneByOne& one_by_one;
    const T* actual;
    // never inlined: within a variant the compiler might contract what the element-wise path does not
    __attribute__((noinline)) static void look(const void* context, Index column, bool sums_too) {
      const Context& self = *static_cast<const Context*>(context);
      self.one_by_one(column, self.actual[column], sums_too);
    }
  };
  const Context context{one_by_one, actual};
  const Row row{actual, expected, group, {&Context::look, &context}};
  const Index tiles = tile_columns < span_columns ? span_columns / tile_columns : 1;
  for (Index column = first_column; column < last_column;) {
    Span span{column, (column / tile_columns + tiles) * tile_columns, column / tile_columns, 0, {}};
    span.end = span.end < last_column ? span.end : last_column;
    span.last_tile = (span.end - 1) / tile_columns;
    column = span.end;
    refresh(row, span);
    switch (rule.kind) {
      case VectorRule::Kind::none: break;
      case VectorRule::Kind::derived: compare_span<VectorRule::Kind::derived>(set, row, span); break;
      case VectorRule::Kind::absolute_relative: compare_span<VectorRule::Kind::absolute_relative>(set, row, span); break;
      case VectorRule::Kind::places:
        if constexpr (std::is_same_v<T, Reference>) compare_span<VectorRule::Kind::places>(set, row, span);
        break;
    }
  }
  seen += static_cast<std::uint64_t>(last_column - first_column);
}

}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
