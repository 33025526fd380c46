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
  double signed_error[step] = {}, squared_error[step] = {}, squared_reference[step] = {}, chance[step] = {};  ///< chance: in units of ulp/2^e
  std::int64_t misrounded[step] = {}, inward[step] = {};
  std::uint64_t left_out = 0;   ///< of the sums, seen by vectors
  std::uint64_t seen = 0;
  std::uint64_t looked_at = 0;  ///< one by one

  struct Row {
    const T* actual;
    ExpectedRow<Reference> expected;
    Index first_column, last_column, tile_columns, group;
    LookAt look_at;
  };

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

  template <std::size_t Bytes>
  struct Work : Lanes<Bytes> {
    using L = Lanes<Bytes>;
    using Real = typename L::Real;
    using Bits = typename L::Bits;
    static constexpr std::size_t parts = step / L::count;

    ASSAY_DETAIL_INLINE static void magnitude(const Real& value, Real& size) {
      size = Real(Bits(value) & magnitude_bits);
    }
    ASSAY_DETAIL_INLINE static void at_least(Real& value, double least) {
      const Real bound = (Real{} + least);
      value = value > bound ? value : bound;
    }
    /// 2^⌊log2 value⌋ of a positive number, but no less than the format's smallest normal number.
    ASSAY_DETAIL_INLINE static void binade(const Real& size, Real& power) {
      power = Real(Bits(size) & exponent_bits);
      at_least(power, least_normal);
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
      at_least(floor, least_normal);
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

    ASSAY_DETAIL_INLINE void compare(Comparison& comparison, const Row& row) {
      ASSAY_DETAIL_NO_CONTRACTION
      Real signed_error[parts], squared_error[parts], squared_reference[parts], chance[parts];
      Bits misrounded[parts], inward[parts];
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t lane = part * L::count;
        signed_error[part] = *reinterpret_cast<const typename L::LoadReal*>(comparison.signed_error + lane);
        squared_error[part] = *reinterpret_cast<const typename L::LoadReal*>(comparison.squared_error + lane);
        squared_reference[part] = *reinterpret_cast<const typename L::LoadReal*>(comparison.squared_reference + lane);
        chance[part] = *reinterpret_cast<const typename L::LoadReal*>(comparison.chance + lane);
        misrounded[part] = Bits{};
        inward[part] = Bits{};
      }
      const VectorRule rule = comparison.rule;
      const bool has_errors = row.expected.error != nullptr;
      const double below_doubt = comparison.refinable ? comparison.doubt_ratio * (1 - 0x1p-50) : double_of(binary64_layout.infinity_bits());
      for (Index column = row.first_column; column < row.last_column;) {
        // a span lies within a tile, or covers some that are narrow
        const Index first_tile = column / row.tile_columns;
        Index end = row.tile_columns >= 64 ? (first_tile + 1) * row.tile_columns : column + 64;
        end = end < row.last_column ? end : row.last_column;
        const Index last_tile = (end - 1) / row.tile_columns;
        LaneLimits limits = LaneLimits::of(*comparison.partial, row.group, first_tile, last_tile, below_doubt, L::wide);
        take(limits);
        for (; column < end; column += static_cast<Index>(step)) {
          const Index left = end - column;
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
              set_aside(comparison, row, column + static_cast<Index>(shift), left - static_cast<Index>(shift), ordinary, limits, out[part], reference[part], error[part], flagged, shift);
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
            misrounded[part] -= differs;
            inward[part] -= Bits(out_size < rounded);
            Bits flags = Bits(size > absolute) | Bits(in_ulps > ulps);
            Real beyond = size;
            L::subtract_product(beyond, relative, reference_size);
            L::subtract_product(beyond, relative_half, reference_size);
            flags |= Bits(beyond > 0) & Bits(reference_size > 0);
            Bits refuted;
            if constexpr (kind == VectorRule::Kind::derived) derived(out[part], out_size, difference, size, reference_size, error[part], differs, flags, refuted);
            else if constexpr (kind == VectorRule::Kind::absolute_relative) absolute_relative(rule, out[part], reference[part], difference, size, reference_size, flags, refuted);
            else places(rule, reference[part], difference, size, reference_size, flags, refuted);
            signed_error[part] += difference;
            Real square = difference * difference, reference_square = reference[part] * reference[part];
            L::round_here(square);
            L::round_here(reference_square);
            squared_error[part] += square;
            squared_reference[part] += reference_square;
            const Real share = error[part] * inverse, whole = (Real{} + power_of_two(-layout.fraction_bits));
            chance[part] += share < whole ? share : whole;
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
              limits = LaneLimits::of(*comparison.partial, row.group, first_tile, last_tile, below_doubt, L::wide);
              take(limits);
            }
          }
        }
        column = end;
      }
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t lane = part * L::count;
        *reinterpret_cast<typename L::LoadReal*>(comparison.signed_error + lane) = signed_error[part];
        *reinterpret_cast<typename L::LoadReal*>(comparison.squared_error + lane) = squared_error[part];
        *reinterpret_cast<typename L::LoadReal*>(comparison.squared_reference + lane) = squared_reference[part];
        *reinterpret_cast<typename L::LoadReal*>(comparison.chance + lane) = chance[part];
        for (std::size_t i = 0; i < L::count; ++i) {
          comparison.misrounded[lane + i] += misrounded[part][i];
          comparison.inward[lane + i] += inward[part][i];
        }
      }
      comparison.seen += static_cast<std::uint64_t>(row.last_column - row.first_column);
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

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row) {
    Work<Bytes> work;
    work.compare(comparison, row);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

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
  const Row row{actual, expected, first_column, last_column, tile_columns, group, {&Context::look, &context}};
  switch (rule.kind) {
    case VectorRule::Kind::none: break;
    case VectorRule::Kind::derived: return run_variant<CompareLanes<T, Reference, VectorRule::Kind::derived>>(set, *this, row);
    case VectorRule::Kind::absolute_relative: return run_variant<CompareLanes<T, Reference, VectorRule::Kind::absolute_relative>>(set, *this, row);
    case VectorRule::Kind::places:
      if constexpr (std::is_same_v<T, Reference>) return run_variant<CompareLanes<T, Reference, VectorRule::Kind::places>>(set, *this, row);
  }
}

}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
