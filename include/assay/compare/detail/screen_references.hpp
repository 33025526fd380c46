#pragma once

#include "assay/compare/detail/ahead_of_block.hpp"
#include "assay/compare/detail/lane_work.hpp"
#include "assay/compare/detail/screen_identical.hpp"
#include "assay/compare/detail/screened.hpp"
#include "assay/compare/detail/single_rounding.hpp"
#include "assay/compare/detail/singles_hold.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen of stored values against references in double: passes blocks in which all is certainly accepted and
/// nothing is a record. Differences are taken in double and rounded, with references and bounds, to float32; limits are
/// lowered by more than that. Doubtful: ties, numbers too small, references that round up into the next binade.
/// Where E = 0 the rounded reference passes. Sums and `masked` as in `ScreenSingles`.
template <class T, std::size_t Bytes, bool exact>
struct ScreenReferences {
  using L = Lanes<Bytes>;
  using Rounding = SingleRounding<T, Bytes>;
  using Doubles = LaneWork<T, double, VectorRule::Kind::derived, Bytes>;
  using Comparison = LaneComparison<T, double>;
  using Row = typename Comparison::Row;
  using Real = typename L::Real;
  using Bits = typename L::Bits;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using SingleUnsigned = typename Vector<std::uint32_t, Bytes>::Type;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr std::size_t lanes = 16;                                ///< logical ones
  static constexpr std::size_t parts = lanes / L::single_count;           ///< vectors that hold them
  static constexpr Index coarse = 256, fine = static_cast<Index>(lanes);  ///< elements of a block
  static constexpr float large = ScreenIdentical<T, Bytes>::large;        ///< of a lane's sum of squares
  static constexpr float small = 0x1p-115F;                               ///< of such a sum, if it is not zero
  static constexpr float least_reference = ScreenIdentical<T, Bytes>::least_reference;
  /// Of a sum of chances: beside it what singles lose of the smallest error bounds is nothing.
  static constexpr float small_chance = 0x1p-64F;
  static constexpr double lowered = 1 - 0x1p-20;
  static constexpr double most_ulps = 0x1p42;  ///< of such gaps no reference is as small

  Single absolute{}, ulps{}, relative{}, factor{}, scale{}, allowed_absolute{};
  SingleBits fixed{};  ///< the rule takes limits of its own, and no error bounds
  bool derived = false, no_errors = false;
  alignas(64) double uniform_errors[exact ? 1 : coarse];  ///< written where they are needed only
  SingleBits misrounded{}, inward{}, aside{};             ///< counts
  bool ulps_reached = false, relative_reached = false;    ///< by the records: what correct rounding can make
  double absolute_record = 0;
  ScreenIdentical<T, Bytes> identical;

  static float below(double value) {
    const double bounded = (value < 0x1p100 ? value : 0x1p100) * lowered;
    return bounded < 0x1p-100 ? 0 : static_cast<float>(bounded);
  }

  ASSAY_DETAIL_INLINE void take(const Comparison& comparison) {
    constexpr double half_ulp = power_of_two(-layout.precision());
    const double limit = comparison.relative_record();
    absolute_record = comparison.absolute_record();
    ulps_reached = comparison.ulp_record() >= 0.5;
    relative_reached = limit >= half_ulp / (1 + half_ulp) && min_normal<T>() < static_cast<double>(least_reference);
    absolute = Single{} + below(absolute_record);
    const double in_ulps = comparison.ulp_record() * power_of_two(-layout.fraction_bits);
    ulps = Single{} + below(in_ulps < most_ulps ? in_ulps : most_ulps);
    relative = Single{} + below(limit < 0.49 ? limit : 0.49);
  }
  /// What stands in for the error bounds of rows without an array of them.
  ASSAY_DETAIL_INLINE void take_errors(const ExpectedRow<double>& expected) {
    if (expected.error == nullptr)
      for (double& error : uniform_errors) error = expected.uniform_error;
    no_errors = expected.error == nullptr && expected.uniform_error == 0;
  }
  [[nodiscard]] ASSAY_DETAIL_INLINE const double* errors_of(const Row& row, Index column) const {
    return row.expected.error != nullptr ? row.errors(column) : uniform_errors;
  }
  ASSAY_DETAIL_INLINE void take_ratio(const VectorRule& rule, double plain_ratio) {
    derived = rule.kind == VectorRule::Kind::derived;
    fixed = SingleBits{} - static_cast<std::int32_t>(!derived);
    factor = Single{} + below(derived ? plain_ratio : plain_ratio * rule.relative);
    scale = Single{} + (derived ? 0x1p-20F : 1.0F);
    allowed_absolute = Single{} + below(plain_ratio * rule.absolute);
  }

  struct Block {
    SingleBits doubt{}, certain = SingleBits{} - 1, beyond_ulps{}, beyond_relative{};
    SingleUnsigned most_error{}, least_reference = SingleUnsigned{} - 1, least_fraction = SingleUnsigned{} - 1;
    SingleBits misrounded{}, inward{}, aside{};
    Single largest[parts] = {};
  };
  /// Differences, references and error bounds of a block.
  struct Values {
    alignas(64) float difference[coarse], reference[coarse], error[exact ? 1 : coarse];
  };

  ASSAY_DETAIL_INLINE static Single& at(float* place) { return *reinterpret_cast<Single*>(place); }
  template <class Stored>
  ASSAY_DETAIL_INLINE static void load_wide(const Stored* from, Real (&values)[L::single_parts]) {
#pragma GCC unroll 2
    for (std::size_t part = 0; part < L::single_parts; ++part) L::load(from + part * L::count, values[part]);
  }

  /// Where E = 0: the reference, which is a single unless singles round as the format does, is rounded itself.
  ASSAY_DETAIL_INLINE void judge_exact(const Single& out, const Single& difference, const Single& reference,
                                       const SingleBits& agreeing, Single& largest, Block& block) const {
    ASSAY_DETAIL_NO_CONTRACTION
    Single size, reference_size, gap, rounded;
    magnitude(difference, size);
    magnitude(reference, reference_size);
    Rounding::binade(reference, gap);
    Rounding::round(reference, gap, rounded);
    Single in_ulps = gap, share = reference_size;
    L::multiply_subtract(in_ulps, ulps, size);
    L::multiply_subtract(share, relative, size);
    block.doubt |= settled(SingleBits(out != rounded));
    block.beyond_ulps |= SingleBits(in_ulps);
    block.beyond_relative |= SingleBits(share);
    at_least(largest, size);
    const SingleUnsigned reference_bits = SingleUnsigned(SingleBits(reference_size) | agreeing),
                         fraction = reference_bits << 9;
    block.least_reference = reference_bits < block.least_reference ? reference_bits : block.least_reference;
    block.least_fraction = fraction < block.least_fraction ? fraction : block.least_fraction;
    L::keep_in_registers(block.doubt, block.beyond_ulps, block.beyond_relative, block.least_reference,
                         block.least_fraction, largest);
  }

  ASSAY_DETAIL_INLINE void judge(const Single& out, const Single& difference, const Single& reference,
                                 const Single& error, const SingleBits& agreeing, Single& largest, Block& block) const {
    ASSAY_DETAIL_NO_CONTRACTION
    constexpr std::int32_t exponents = 0x7f800000;
    Single size, reference_size, out_size;
    magnitude(difference, size);
    magnitude(reference, reference_size);
    magnitude(out, out_size);
    Single nearer = out_size;
    at_most(nearer, reference_size);
    at_least(nearer, Single{} + Rounding::least_gap);
    const Single gap = Single(SingleBits(nearer) & exponents);  // between out and its neighbor toward r, or smaller
    Single in_ulps = gap;
    L::multiply_subtract(in_ulps, ulps, size);
    Single share = reference_size;
    L::multiply_subtract(share, relative, size);
    block.beyond_ulps |= SingleBits(in_ulps);
    block.beyond_relative |= SingleBits(share);
    const Single half_gap = gap * static_cast<float>(power_of_two(-layout.fraction_bits - 1));
    const Single within = half_gap - size;
    Single within_size, near_tie = size;
    magnitude(within, within_size);
    L::multiply_subtract(near_tie, Single{} + 0x1p-20F, within_size);
    if constexpr (layout.fraction_bits < 23)
      block.certain &= SingleBits(near_tie);
    else
      block.certain &= SingleBits(near_tie) | settled(SingleBits(size == 0));  // of gaps too small for singles
    const SingleBits beyond = SingleBits(within) >> 31;
    block.misrounded -= beyond;
    block.inward -= beyond & settled(SingleBits(out_size < reference_size));
    Single excess = size * scale, room = fixed ? reference_size : error;
    L::round_here(excess);
    excess -= fixed ? allowed_absolute : within;
    L::multiply_subtract(room, factor, excess);
    block.doubt |= SingleBits(room);
    at_least(largest, size);
    const SingleUnsigned error_bits = SingleUnsigned(error),
                         reference_bits = SingleUnsigned(SingleBits(reference_size) | agreeing),
                         fraction = reference_bits << 9;
    block.most_error = error_bits > block.most_error ? error_bits : block.most_error;
    block.least_reference = reference_bits < block.least_reference ? reference_bits : block.least_reference;
    block.least_fraction = fraction < block.least_fraction ? fraction : block.least_fraction;
    L::keep_in_registers(block.doubt, block.certain, block.misrounded, block.inward, block.least_reference,
                         block.least_fraction, largest);
  }

  /// The difference is NaN of what agrees, too, but not of a vast reference that singles take for infinite.
  ASSAY_DETAIL_INLINE static void set_aside(Single& out, Single& difference, Single& reference, SingleBits& agreeing) {
    constexpr std::int32_t infinity = 0x7f800000;
    const SingleBits one_is_nan = settled(SingleBits((SingleBits(out) & INT32_MAX) > infinity)) ^
                                  settled(SingleBits((SingleBits(reference) & INT32_MAX) > infinity));
    agreeing = settled(SingleBits((SingleBits(difference) & INT32_MAX) > infinity)) & ~one_is_nan;
    out = Single(SingleBits(out) & ~agreeing);
    difference = Single(SingleBits(difference) & ~agreeing);
    reference = Single(SingleBits(reference) & ~agreeing);
  }

  /// Sixteen elements, `place` of the block; a constant: g++ keeps arrays in registers.
  template <bool masked, std::size_t part = 0>
  ASSAY_DETAIL_INLINE void step(const Row& row, Index column, Index place, Values& values, Block& block,
                                Bits& unlike) const {
    const Index in_block = place + static_cast<Index>(part * L::single_count), from = column + in_block;
    Single out{};
    Real wide_out[L::single_parts] = {}, wide[L::single_parts] = {}, difference[L::single_parts] = {};
    L::load_single(row.actual + from, out);
    L::widen(out, wide_out);
    load_wide(row.values(from), wide);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < L::single_parts; ++i) difference[i] = wide_out[i] - wide[i];
    Single& single_difference = at(values.difference + in_block);
    Single& reference = at(values.reference + in_block);
    L::narrow(difference, single_difference);
    L::narrow(wide, reference);
    if constexpr (exact) compare_with_singles(wide, reference, unlike);
    SingleBits agreeing{};
    if constexpr (masked) {
      set_aside(out, single_difference, reference, agreeing);
      block.aside -= agreeing;
    }
    if constexpr (exact) {
      judge_exact(out, single_difference, reference, agreeing, block.largest[part], block);
    } else {
      Single& error = at(values.error + in_block);
      load_wide(errors_of(row, column) + in_block, wide);
      L::narrow(wide, error);
      if constexpr (masked) error = Single(SingleBits(error) & ~agreeing);
      judge(out, single_difference, reference, error, agreeing, block.largest[part], block);
    }
    if constexpr (part + 1 < parts) step<masked, part + 1>(row, column, place, values, block, unlike);
  }

  ASSAY_DETAIL_INLINE bool doubtful(const Row& row, Index column, Index elements, const Values& values,
                                    const Block& block, const Bits& unlike) const {
    SingleBits beyond_absolute{};
    for (std::size_t part = 0; part < parts; ++part)
      beyond_absolute |= settled(SingleBits(block.largest[part] > absolute));
    const SingleBits beyond = block.beyond_ulps | block.beyond_relative | beyond_absolute;
    if constexpr (exact) {
      if (__builtin_expect(L::any_set(block.doubt) || L::any_bit(unlike), 0)) return true;
      return L::any_set(beyond) && is_record(values, elements, block, beyond_absolute);
    } else {
      if (!L::any_set(block.doubt | ~block.certain | beyond)) return false;
      return !derived || !correctly_rounded(row, column, elements) ||
             is_record(values, elements, block, beyond_absolute);
    }
  }

  ASSAY_DETAIL_INLINE bool accept(const Row& row, Index column, Index elements, const Values& values,
                                  const Block& block, const Bits& unlike) {
    if (doubtful(row, column, elements, values, block, unlike)) return false;
    misrounded += block.misrounded;
    inward += block.inward;
    return true;
  }

  /// Whether correctly rounded elements that exceed what `take` made of the records may be one.
  ASSAY_DETAIL_INLINE bool is_record(const Values& values, Index elements, const Block& block,
                                     const SingleBits& beyond_absolute) const {
    if ((!ulps_reached && L::any_set(block.beyond_ulps)) || (!relative_reached && L::any_set(block.beyond_relative)))
      return true;
    return L::any_set(beyond_absolute) && !(absolute_record >= half_place_of_largest(values, elements));
  }

  /// Adds to `unlike` what singles lack of the references, where that matters: where the format has as many bits, they
  /// round as it does.
  ASSAY_DETAIL_INLINE static void compare_with_singles(const Real (&wide)[L::single_parts], const Single& singles,
                                                       Bits& unlike) {
    if constexpr (layout.fraction_bits < 23) {
      Real again[L::single_parts] = {};
      L::widen(singles, again);
#pragma GCC unroll 2
      for (std::size_t i = 0; i < L::single_parts; ++i) unlike |= Bits(again[i]) ^ Bits(wide[i]);
    }
  }

  /// Whether everything finite is the reference, rounded, as it is for certain: ties are exact, whatever E is.
  ASSAY_DETAIL_INLINE static bool correctly_rounded(const Row& row, Index column, Index elements) {
    SingleBits wrong{};
    Bits unlike{};
    for (Index place = 0; place < elements; place += static_cast<Index>(L::single_count)) {
      Single out{}, reference{}, power{}, rounded{};
      Real wide[L::single_parts] = {};
      L::load_single(row.actual + column + place, out);
      load_wide(row.values(column + place), wide);
      L::narrow(wide, reference);
      compare_with_singles(wide, reference, unlike);
      Rounding::binade(reference, power);
      Rounding::round(reference, power, rounded);
      wrong |= settled(SingleBits(out != rounded)) & settled(SingleBits((SingleBits(out) & INT32_MAX) < 0x7f800000));
    }
    return !L::any_set(wrong) && !L::any_bit(unlike);
  }

  /// What rounding correctly is off by at most.
  ASSAY_DETAIL_INLINE static double half_place_of_largest(const Values& values, Index elements) {
    Single largest = Single{} + static_cast<float>(min_normal<T>());
    for (Index place = 0; place < elements; place += static_cast<Index>(L::single_count)) {
      Single size;
      magnitude(*reinterpret_cast<const Single*>(values.reference + place), size);
      at_least(largest, size);
    }
    float most = 0;
    for (std::size_t lane = 0; lane < L::single_count; ++lane) most = largest[lane] > most ? largest[lane] : most;
    return unit_in_last_place<T>(most) * 0.5;
  }

  /// Adds the sums of `elements`, at most `coarse` and whole steps, and says whether all of them are passed.
  template <bool masked>
  ASSAY_DETAIL_INLINE Screened pass(const Row& row, Index column, Index elements, Comparison& comparison) {
    if constexpr (exact && !masked)
      if (identical.pass(row, column, elements, comparison)) return Screened::all;
    Block block;
    Values values;
    Bits unlike{};
    const auto ahead = AheadOfBlock<T, double, fine, !exact>::of(row, column);
    for (Index place = 0; place < elements; place += fine) {
      ahead.foresee(place);
      step<masked>(row, column, place, values, block, unlike);
    }
    if (!commit<masked>(row, column, elements, values, block, comparison)) return Screened::nothing;
    return accept(row, column, elements, values, block, unlike) ? Screened::all : Screened::sums;
  }
  /// Whether a step is passed of a block that is not.
  ASSAY_DETAIL_INLINE bool pass_step(const Row& row, Index column, bool /*masked*/) {
    Block block;
    Values values;
    Bits unlike{};
    step<true>(row, column, 0, values, block, unlike);
    return accept(row, column, fine, values, block, unlike);
  }

  ASSAY_DETAIL_INLINE void finish(Comparison& comparison) const {
    for (std::size_t lane = 0; lane < L::single_count; ++lane) {
      comparison.misrounded[0] += misrounded[lane];
      comparison.inward[0] += inward[lane];
      comparison.left_out += static_cast<std::uint64_t>(aside[lane]);
    }
  }

 private:
  struct Sums {
    Single error[parts] = {}, squared_error[parts] = {}, squared_reference[parts] = {}, chance[parts] = {};
  };
  /// One part after the other: registers hold the sums of one.
  template <std::size_t part>
  ASSAY_DETAIL_INLINE static void add(Values& values, Index elements, Sums& sums) {
    ASSAY_DETAIL_NO_CONTRACTION
    for (Index from = static_cast<Index>(part * L::single_count); from < elements; from += static_cast<Index>(lanes)) {
      const Single difference = at(values.difference + from), reference = at(values.reference + from);
      sums.error[part] += difference;
      L::add_square(sums.squared_error[part], difference);
      L::add_square(sums.squared_reference[part], reference);
      if constexpr (!exact) {
        Single power;
        Rounding::binade(reference, power);
        Single chances = at(values.error + from) * Single(0x7f000000 - SingleBits(power));
        at_most(chances, Single{} + static_cast<float>(power_of_two(-layout.fraction_bits)));
        L::round_here(chances);
        sums.chance[part] += chances;
      }
    }
    if constexpr (part + 1 < parts) add<part + 1>(values, elements, sums);
  }

  /// Adds a block to the sums, unless singles do not hold what they should.
  template <bool masked>
  ASSAY_DETAIL_INLINE bool commit(const Row& row, Index column, Index elements, Values& values, const Block& block,
                                  Comparison& comparison) {
    ASSAY_DETAIL_NO_CONTRACTION
    if (__builtin_expect(L::any_set(settled(SingleBits(block.most_error > 0x71800000U))), 0)) return false;  // 2^100
    const SingleUnsigned limit = SingleUnsigned(Single{} + least_reference);
    const bool tiny = L::any_set(
        settled(SingleBits(block.least_reference < limit)));  // or 0, about which the smallest error bounds count
    if ((tiny || L::any_set(settled(SingleBits(block.least_fraction == 0)))) &&
        !singles_hold<L>(row.values(column), elements, least_reference))
      return false;
    Sums sums;
    add<0>(values, elements, sums);
    SingleBits wrong{}, faint{};
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part) {
      wrong |= ~settled(SingleBits(sums.squared_error[part] + sums.squared_reference[part] < large)) |
               (settled(SingleBits(sums.squared_error[part] < small)) & settled(SingleBits(block.largest[part] > 0)));
      faint |= settled(SingleBits(sums.chance[part] < small_chance));
    }
    const bool in_doubles =
        !exact && (tiny || L::any_set(faint)) && !no_errors &&
        !errors_hold<L>(errors_of(row, column), elements, least_reference);  // chances, which singles do not hold
    if (L::any_set(wrong) || (masked && in_doubles)) return false;
    if constexpr (masked) {
      aside += block.aside;
      comparison.masking = L::any_set(SingleBits{} - block.aside);
    }
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part) {
      add_singles<L>(sums.error[part], part, comparison.signed_error);
      add_singles<L>(sums.squared_error[part], part, comparison.squared_error);
      add_singles<L>(sums.squared_reference[part], part, comparison.squared_reference);
      if (!exact && !in_doubles) add_singles<L>(sums.chance[part], part, comparison.chance);
    }
    if (in_doubles) Doubles::add_chances(row.values(column), errors_of(row, column), elements, comparison.chance);
    return true;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
