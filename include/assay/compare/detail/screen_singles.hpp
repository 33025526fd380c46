#pragma once

#include "assay/compare/detail/lane_work.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen of stored values against stored values: passes blocks in which everything is certainly accepted and no
/// record of any kind. Where |out − r| < |r|/2 the difference of two singles is exact, and the sign of a fused a·b − c is
/// exact, too, so that limits, rounded once to singles, are kept exactly. Codes are integers in the order of the values:
/// their difference tells places, signs and which is nearer zero. Sums of a block are added in eight logical lanes of
/// singles, then to doubles; what would underflow in them makes a block doubtful.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes>
struct ScreenSingles {
  using L = Lanes<Bytes>;
  using Comparison = LaneComparison<T, Reference>;
  using Row = typename Comparison::Row;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using Code = std::conditional_t<sizeof(T) == 2, std::int16_t, std::int32_t>;
  using Codes = typename Vector<Code, L::single_bytes>::Type;
  using Unsigned = typename Vector<std::make_unsigned_t<Code>, L::single_bytes>::Type;
  using LoadCodes = typename Vector<Code, L::single_bytes>::Unaligned;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr std::size_t lanes = 8;                        ///< logical ones
  static constexpr std::size_t parts = lanes / L::single_count;  ///< vectors that hold them
  static constexpr Index coarse = 128, fine = 16;                ///< elements of a block
  static constexpr float large = max_finite<T>() < 0x1p60 ? 0x1p28F : 0x1p100F, small = 0x1p-90F;  ///< of a lane's sum of squares
  static constexpr bool underflows = min_subnormal<T>() < 0x1p-45;

  Single absolute{}, ulps{}, relative{}, allowed_relative{}, allowed_absolute{};
  Code most_places = 0;
  SingleBits equal{}, inward{};  ///< counts

  static float below(double value) {
    const float nearest = static_cast<float>(value < 0x1p100 ? value : 0x1p100);
    return static_cast<double>(nearest) > value ? next_down(nearest) : nearest;
  }

  ASSAY_DETAIL_INLINE void take(const Comparison& comparison) {
    absolute = Single{} + below(comparison.absolute_record());
    ulps = Single{} + below(comparison.ulp_record() * power_of_two(-layout.fraction_bits));
    const double record = comparison.relative_record();
    float limit = below(record);
    // quotients of two 16-bit values lie farther apart than two singles: ties are below the next one
    if (sizeof(T) == 2 && static_cast<double>(limit) < record) limit = next_up(limit);
    relative = Single{} + (limit < 0.49F ? limit : 0.49F);
  }

  /// Sizes at places: so many numbers toward zero are at least half as many gaps of r, so that with n of p places error over
  /// allowed is at most 2n/(n + p).
  ASSAY_DETAIL_INLINE void take_ratio(const VectorRule& rule, double ratio) {
    constexpr double lowered = 1 - 0x1p-20;
    if constexpr (kind == VectorRule::Kind::places) {
      most_places = static_cast<Code>(ratio * rule.places / (2 - ratio) + 0x1p-28);
    } else {
      most_places = static_cast<Code>((1 << layout.fraction_bits) - 1);
      allowed_relative = Single{} + below(ratio * rule.relative * lowered);
      allowed_absolute = Single{} + below(ratio * rule.absolute * lowered);
    }
  }

  struct Block {
    SingleBits doubt{};
    Unsigned most{};
    Codes equal{}, inward{};
    Single largest[parts] = {}, error[parts] = {}, squared_error[parts] = {}, squared_reference[parts] = {};
  };

  ASSAY_DETAIL_INLINE void values(const Single& out, const Single& reference, std::size_t part, Block& block) const {
    ASSAY_DETAIL_NO_CONTRACTION
    constexpr std::int32_t exponents = 0x7f800000;
    const Single difference = out - reference;
    const Single size = Single(SingleBits(difference) & INT32_MAX), reference_size = Single(SingleBits(reference) & INT32_MAX);
    Single gap = Single(SingleBits(reference) & exponents);  // at most the true one
    if constexpr (!underflows) L::at_least(gap, Single{} + static_cast<float>(min_normal<T>()));
    L::multiply_subtract(gap, ulps, size);
    Single share = reference_size;
    L::multiply_subtract(share, relative, size);
    block.doubt |= SingleBits(gap) | SingleBits(share);
    if constexpr (kind == VectorRule::Kind::absolute_relative) {
      const Single over = size - allowed_absolute;
      Single room = reference_size;
      L::multiply_subtract(room, allowed_relative, over);
      block.doubt |= SingleBits(room);
    }
    L::at_least(block.largest[part], size);
    Single square = difference * difference, reference_square = reference * reference;
    L::round_here(square);
    L::round_here(reference_square);
    block.error[part] += difference;
    block.squared_error[part] += square;
    block.squared_reference[part] += reference_square;
    L::keep_in_registers(block.error[part], block.squared_error[part], block.squared_reference[part], block.largest[part], block.doubt);
  }

  ASSAY_DETAIL_INLINE static void codes(const Codes& out, const Codes& reference, Block& block) {
    const Codes places = Codes(Unsigned(out) - Unsigned(reference));
    Codes size = places;
    L::size_of(size);
    block.most = Unsigned(size) > block.most ? Unsigned(size) : block.most;
    block.equal -= Codes(places == 0);
    block.inward += Codes(Unsigned(places) >> (8 * sizeof(Code) - 1));
    L::keep_in_registers(block.most, block.equal, block.inward);
  }

  /// Sixteen elements.
  ASSAY_DETAIL_INLINE void step(const T* actual, const T* expected, Block& block) const {
    if constexpr (std::is_same_v<T, bfloat16>) {
#pragma GCC unroll 2
      for (std::size_t part = 0; part < parts; ++part) {
        const Index place = static_cast<Index>(part * 2 * L::single_count);
        const Codes out = *reinterpret_cast<const LoadCodes*>(actual + place), reference = *reinterpret_cast<const LoadCodes*>(expected + place);
        codes(out, reference, block);
        using Words = typename Vector<std::uint32_t, L::single_bytes>::Type;
        values(Single(Words(out) << 16), Single(Words(reference) << 16), part, block);
        values(Single(Words(out) & 0xffff0000U), Single(Words(reference) & 0xffff0000U), part, block);
      }
    } else {
#pragma GCC unroll 1
      for (Index half = 0; half < 16; half += 8) {
#pragma GCC unroll 2
        for (std::size_t part = 0; part < parts; ++part) {
          const Index place = half + static_cast<Index>(part * L::single_count);
          Single out{}, reference{};
          L::load_single(actual + place, out);
          L::load_single(expected + place, reference);
          values(out, reference, part, block);
          if constexpr (sizeof(T) == 4) codes(Codes(out), Codes(reference), block);
        }
      }
      if constexpr (sizeof(T) == 2) {
#pragma GCC unroll 2
        for (std::size_t part = 0; part < parts; ++part) {
          const Index place = static_cast<Index>(part * 2 * L::single_count);
          const Codes out = *reinterpret_cast<const LoadCodes*>(actual + place), reference = *reinterpret_cast<const LoadCodes*>(expected + place);
          codes(out, reference, block);
        }
      }
    }
  }

  /// Passes `coarse` elements unless anything is doubtful.
  ASSAY_DETAIL_INLINE bool pass(const Row& row, Index column, Comparison& comparison) {
    const T* const actual = row.actual + column;
    const T* const expected = row.expected.value + column;
    L::template foresee<coarse>(row.next_actual + column);
    L::template foresee<coarse>(row.next_expected.value + column);
    Block block;
    for (Index at = 0; at < coarse; at += fine) {
      step(actual + at, expected + at, block);
    }
    return !doubtful(block) && commit(block, expected, coarse, comparison);
  }

  /// Passes what stands before the first doubtful sixteen of up to `coarse` elements, and says how many they are.
  ASSAY_DETAIL_INLINE Index pass_part(const Row& row, Index column, Index end, Comparison& comparison) {
    const T* const actual = row.actual + column;
    const T* const expected = row.expected.value + column;
    Block block;
    Index at = 0;
    for (; at + fine <= end - column; at += fine) {
      Block next = block;
      step(actual + at, expected + at, next);
      if (doubtful(next)) break;
      block = next;
    }
    return at > 0 && commit(block, expected, at, comparison) ? at : 0;
  }

  ASSAY_DETAIL_INLINE void finish(Comparison& comparison, Index passed) const {
    std::int64_t equals = 0;
    for (std::size_t lane = 0; lane < L::single_count; ++lane) {
      equals += equal[lane];
      comparison.inward[0] += inward[lane];
    }
    comparison.misrounded[0] += passed - equals;
  }

 private:
  ASSAY_DETAIL_INLINE bool doubtful(const Block& block) const {
    const Codes far = Codes(block.most > static_cast<std::make_unsigned_t<Code>>(most_places));
    SingleBits doubt = block.doubt | SingleBits(far);
    if constexpr (sizeof(Code) == 2) doubt |= SingleBits(far) << 16;
    for (std::size_t part = 0; part < parts; ++part) {
      doubt |= SingleBits(block.largest[part] > absolute) | ~SingleBits(block.squared_error[part] + block.squared_reference[part] < large);
      if constexpr (underflows) doubt |= SingleBits(block.squared_error[part] < small) & SingleBits(block.largest[part] > 0);
    }
    return L::any_set(doubt);
  }

  /// Adds a block to the sums, unless squares in it underflow.
  ASSAY_DETAIL_INLINE bool commit(const Block& block, const T* expected, Index elements, Comparison& comparison) {
    if constexpr (underflows) {
      SingleBits faint{};
      for (std::size_t part = 0; part < parts; ++part) faint |= SingleBits(block.squared_reference[part] < small);
      if (__builtin_expect(L::any_set(faint), 0) && !zeros_or_normal(expected, elements)) return false;
    }
    if constexpr (sizeof(Code) == 4) {
      equal += block.equal;
      inward += block.inward;
    } else {
      equal += (SingleBits(block.equal) & 0xffff) + (SingleBits(block.equal) >> 16);
      inward += (SingleBits(block.inward) & 0xffff) + (SingleBits(block.inward) >> 16);
    }
    add_singles<L, parts>(block.error, comparison.signed_error);
    add_singles<L, parts>(block.squared_error, comparison.squared_error);
    add_singles<L, parts>(block.squared_reference, comparison.squared_reference);
    return true;
  }
  /// No square of a value that is not zero underflows.
  ASSAY_DETAIL_INLINE static bool zeros_or_normal(const T* expected, Index elements) {
    SingleBits tiny{};
    for (Index at = 0; at < elements; at += static_cast<Index>(L::single_count)) {
      Single reference{};
      L::load_single(expected + at, reference);
      const Single size = Single(SingleBits(reference) & INT32_MAX);
      tiny |= SingleBits(size > 0) & SingleBits(size < 0x1p-60F);
    }
    return !L::any_set(tiny);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
