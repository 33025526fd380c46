#pragma once

#include "assay/compare/detail/lane_work.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen of stored values against references in double: passes blocks in which everything is certainly accepted and
/// no record of any kind. Differences are taken in double; they, references and error bounds are then rounded to singles,
/// of which twice as many fit a vector, and every limit is lowered by more than those roundings. What singles cannot tell
/// is doubtful: ties, numbers too small for them, references that round up into the next binade. Signs of a fused
/// a·b − c and of a − b are exact, so that all instruction sets doubt the same. Sums as in `ScreenSingles`.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes, bool has_errors>
struct ScreenReferences {
  using L = Lanes<Bytes>;
  using Comparison = LaneComparison<T, Reference>;
  using Row = typename Comparison::Row;
  using Real = typename L::Real;
  using Bits = typename L::Bits;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using SingleUnsigned = typename Vector<std::uint32_t, L::single_bytes>::Type;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr std::size_t lanes = 8;                        ///< logical ones
  static constexpr std::size_t parts = lanes / L::single_count;  ///< vectors that hold them
  static constexpr Index coarse = 128, fine = 16;                ///< elements of a block
  static constexpr float large = max_finite<T>() < 0x1p60 ? 0x1p28F : 0x1p100F;  ///< of a lane's sum of squares
  static constexpr float small = 0x1p-115F;                                      ///< of such a sum, if it is not zero
  static constexpr float least_reference = 0x1p-57F;
  static constexpr double lowered = 1 - 0x1p-20;

  Single absolute{}, ulps{}, relative{}, ratio{}, allowed_relative{}, allowed_absolute{};
  SingleBits misrounded{}, inward{};  ///< counts

  static float below(double value) {
    const double bounded = (value < 0x1p100 ? value : 0x1p100) * lowered;
    return bounded < 0x1p-100 ? 0 : static_cast<float>(bounded);
  }

  ASSAY_DETAIL_INLINE void take(const Comparison& comparison) {
    const double limit = comparison.relative_record();
    absolute = Single{} + below(comparison.absolute_record());
    ulps = Single{} + below(comparison.ulp_record() * power_of_two(-layout.fraction_bits));
    relative = Single{} + below(limit < 0.49 ? limit : 0.49);
  }
  ASSAY_DETAIL_INLINE void take_ratio(const VectorRule& rule, double plain_ratio) {
    ratio = Single{} + below(plain_ratio);
    allowed_relative = Single{} + below(plain_ratio * rule.relative);
    allowed_absolute = Single{} + below(plain_ratio * rule.absolute);
  }

  struct Block {
    SingleBits doubt{}, certain = SingleBits{} - 1;
    SingleUnsigned most_error{}, least_reference = SingleUnsigned{} - 1, least_fraction = SingleUnsigned{} - 1;
    SingleBits misrounded{}, inward{};
    Single largest[parts] = {};
  };
  /// Differences, references and error bounds of a block.
  struct Values {
    alignas(64) float difference[coarse], reference[coarse], error[has_errors ? coarse : 1];
  };

  ASSAY_DETAIL_INLINE static Single& at(float* place) { return *reinterpret_cast<Single*>(place); }
  ASSAY_DETAIL_INLINE static void magnitude(const Single& value, Single& size) { size = Single(SingleBits(value) & INT32_MAX); }
  template <class Stored>
  ASSAY_DETAIL_INLINE static void load_wide(const Stored* from, Real (&values)[L::single_parts]) {
#pragma GCC unroll 2
    for (std::size_t part = 0; part < L::single_parts; ++part) L::load(from + part * L::count, values[part]);
  }

  ASSAY_DETAIL_INLINE void judge(const Single& out, const Single& difference, const Single& reference, const Single& error, Single& largest, Block& block) const {
    ASSAY_DETAIL_NO_CONTRACTION
    constexpr std::int32_t exponents = 0x7f800000;
    Single size, reference_size, out_size;
    magnitude(difference, size);
    magnitude(reference, reference_size);
    magnitude(out, out_size);
    Single nearer = out_size;
    L::at_most(nearer, reference_size);
    L::at_least(nearer, Single{} + static_cast<float>(min_normal<T>()));
    const Single gap = Single(SingleBits(nearer) & exponents);  // between out and its neighbour toward r, or smaller
    Single in_ulps = gap;
    L::multiply_subtract(in_ulps, ulps, size);
    Single share = reference_size;
    L::multiply_subtract(share, relative, size);
    block.doubt |= SingleBits(in_ulps) | SingleBits(share);
    const Single half_gap = gap * static_cast<float>(power_of_two(-layout.fraction_bits - 1));
    const Single within = half_gap - size;
    Single within_size, near_tie = size;
    magnitude(within, within_size);
    L::multiply_subtract(near_tie, Single{} + 0x1p-20F, within_size);
    block.certain &= SingleBits(near_tie);
    const SingleBits beyond = SingleBits(within) >> 31;
    block.misrounded -= beyond;
    block.inward -= beyond & SingleBits(out_size < reference_size);
    if constexpr (kind == VectorRule::Kind::derived) {
      Single excess = size * 0x1p-20F, room = error;
      L::round_here(excess);
      excess -= within;
      L::multiply_subtract(room, ratio, excess);
      block.doubt |= SingleBits(room);
    } else {
      const Single over = size - allowed_absolute;
      Single room = reference_size;
      L::multiply_subtract(room, allowed_relative, over);
      block.doubt |= SingleBits(room);
    }
    L::at_least(largest, size);
    const SingleUnsigned error_bits = SingleUnsigned(error), reference_bits = SingleUnsigned(reference_size), fraction = reference_bits << 9;
    if constexpr (has_errors) block.most_error = error_bits > block.most_error ? error_bits : block.most_error;
    block.least_reference = reference_bits < block.least_reference ? reference_bits : block.least_reference;
    block.least_fraction = fraction < block.least_fraction ? fraction : block.least_fraction;
    L::keep_in_registers(block.doubt, block.certain, block.misrounded, block.inward, block.least_reference, block.least_fraction, largest);
  }

  /// Sixteen elements, `place` of the block.
  ASSAY_DETAIL_INLINE void step(const Row& row, Index column, Index place, Values& values, Block& block) const {
#pragma GCC unroll 1
    for (Index half = 0; half < fine; half += static_cast<Index>(lanes)) {
#pragma GCC unroll 2
      for (std::size_t part = 0; part < parts; ++part) {
        const Index in_block = place + half + static_cast<Index>(part * L::single_count), from = column + in_block;
        Single out{};
        Real wide_out[L::single_parts] = {}, wide[L::single_parts] = {}, difference[L::single_parts] = {};
        L::load_single(row.actual + from, out);
        L::widen(out, wide_out);
        load_wide(row.expected.value + from, wide);
#pragma GCC unroll 2
        for (std::size_t i = 0; i < L::single_parts; ++i) difference[i] = wide_out[i] - wide[i];
        Single& single_difference = at(values.difference + in_block);
        Single& reference = at(values.reference + in_block);
        L::narrow(difference, single_difference);
        L::narrow(wide, reference);
        Single error = Single{} + static_cast<float>(row.expected.uniform_error);
        if constexpr (has_errors) {
          load_wide(row.expected.error + from, wide);
          L::narrow(wide, error);
          at(values.error + in_block) = error;
        }
        judge(out, single_difference, reference, error, block.largest[part], block);
      }
    }
  }

  ASSAY_DETAIL_INLINE bool doubtful(const Block& block) const {
    SingleBits doubt = block.doubt | ~block.certain | SingleBits(block.most_error > 0x71800000U);  // 2^100
    for (std::size_t part = 0; part < parts; ++part) doubt |= SingleBits(block.largest[part] > absolute);
    return L::any_set(doubt);
  }

  /// Passes `coarse` elements unless anything is doubtful.
  ASSAY_DETAIL_INLINE bool pass(const Row& row, Index column, Comparison& comparison) {
    foresee(row, column);
    Block block;
    Values values;
    for (Index place = 0; place < coarse; place += fine) step(row, column, place, values, block);
    return !doubtful(block) && commit(row, column, coarse, values, block, comparison);
  }

  /// Passes what stands before the first doubtful sixteen of up to `coarse` elements, and says how many they are.
  ASSAY_DETAIL_INLINE Index pass_part(const Row& row, Index column, Index end, Comparison& comparison) {
    Block block;
    Values values;
    Index place = 0;
    for (; place + fine <= end - column; place += fine) {
      Block next = block;
      step(row, column, place, values, next);
      if (doubtful(next)) break;
      block = next;
    }
    return place > 0 && commit(row, column, place, values, block, comparison) ? place : 0;
  }

  ASSAY_DETAIL_INLINE void finish(Comparison& comparison, Index) const {
    for (std::size_t lane = 0; lane < L::single_count; ++lane) {
      comparison.misrounded[0] += misrounded[lane];
      comparison.inward[0] += inward[lane];
    }
  }

 private:
  ASSAY_DETAIL_INLINE static void foresee(const Row& row, Index column) {
    L::template foresee<coarse>(row.next_actual + column);
    L::template foresee<coarse>(row.next_expected.value + column);
    if (has_errors && row.next_expected.error != nullptr) L::template foresee<coarse>(row.next_expected.error + column);
  }

  /// Adds a block to the sums, unless singles do not hold what they should.
  ASSAY_DETAIL_INLINE bool commit(const Row& row, Index column, Index elements, Values& values, const Block& block, Comparison& comparison) {
    ASSAY_DETAIL_NO_CONTRACTION
    const SingleUnsigned limit = SingleUnsigned(Single{} + least_reference);
    if (L::any_set(SingleBits(block.least_reference < limit) | SingleBits(block.least_fraction == 0)) && !singles_hold(row.expected.value + column, elements)) return false;
    const Single uniform = Single{} + static_cast<float>(row.expected.uniform_error);
    Single error_sum[parts] = {}, squared_error[parts] = {}, squared_reference[parts] = {}, chance[parts] = {};
    for (Index place = 0; place < elements; place += static_cast<Index>(lanes)) {
#pragma GCC unroll 2
      for (std::size_t part = 0; part < parts; ++part) {
        const Index from = place + static_cast<Index>(part * L::single_count);
        const Single difference = at(values.difference + from), reference = at(values.reference + from);
        Single error = uniform, power = Single(SingleBits(reference) & 0x7f800000), square = difference * difference, reference_square = reference * reference;
        if constexpr (has_errors) error = at(values.error + from);
        L::round_here(square);
        L::round_here(reference_square);
        error_sum[part] += difference;
        squared_error[part] += square;
        squared_reference[part] += reference_square;
        L::at_least(power, Single{} + static_cast<float>(min_normal<T>()));
        Single chances = error * Single(0x7f000000 - SingleBits(power));
        L::at_most(chances, Single{} + static_cast<float>(power_of_two(-layout.fraction_bits)));
        L::round_here(chances);
        chance[part] += chances;
      }
    }
    SingleBits wrong{}, faint{};
    for (std::size_t part = 0; part < parts; ++part) {
      wrong |= ~SingleBits(squared_error[part] + squared_reference[part] < large) | (SingleBits(squared_error[part] < small) & SingleBits(block.largest[part] > 0));
      faint |= SingleBits(chance[part] < small);
    }
    if (L::any_set(wrong)) return false;
    if (L::any_set(faint) && !errors_hold(row, column, elements)) return false;
    misrounded += block.misrounded;
    inward += block.inward;
    add_singles<L, parts>(error_sum, comparison.signed_error);
    add_singles<L, parts>(squared_error, comparison.squared_error);
    add_singles<L, parts>(squared_reference, comparison.squared_reference);
    add_singles<L, parts>(chance, comparison.chance);
    return true;
  }

  /// References are zero or far from what is too small for singles, and none rounds up to a power of two.
  ASSAY_DETAIL_INLINE static bool singles_hold(const Reference* expected, Index elements) {
    constexpr std::int64_t fraction = (std::int64_t{1} << 52) - 1, rounds_up = fraction + 1 - (std::int64_t{1} << 28);
    Bits unfit{};
    for (Index from = 0; from < elements; from += static_cast<Index>(L::count)) {
      Real reference{};
      L::load(expected + from, reference);
      const Real size = Real(Bits(reference) & INT64_MAX);
      unfit |= (Bits(size > 0) & Bits(size < Real{} + static_cast<double>(least_reference))) | Bits((Bits(size) & fraction) >= rounds_up);
    }
    return L::signs(unfit) == 0;
  }
  /// Error bounds are zero or far from what is too small for singles.
  ASSAY_DETAIL_INLINE static bool errors_hold(const Row& row, Index column, Index elements) {
    if constexpr (!has_errors) return row.expected.uniform_error == 0 || row.expected.uniform_error >= static_cast<double>(least_reference);
    Bits unfit{};
    for (Index from = column; has_errors && from < column + elements; from += static_cast<Index>(L::count)) {
      Real error{};
      L::load(row.expected.error + from, error);
      unfit |= Bits(error > 0) & Bits(error < Real{} + static_cast<double>(least_reference));
    }
    return L::signs(unfit) == 0;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
