#pragma once

#include "assay/compare/detail/ahead_of_block.hpp"
#include "assay/compare/detail/lane_work.hpp"
#include "assay/compare/detail/screened.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The screen of stored values against stored values: passes blocks in which everything is certainly accepted and no
/// record of any kind. Where |out − r| < |r|/2 the difference of two singles is exact, and the sign of a fused a·b − c
/// is exact, too, so that limits, rounded once to singles, are kept exactly. Codes are integers in the order of the
/// values: their difference tells places, signs and which is nearer zero. Sums of a block are added in sixteen logical
/// lanes of singles, then to doubles, unless squares would underflow in them.
///
/// Where `masked`, pairs that are both NaN or the same infinity leave the vectors as zeros: they are accepted with the
/// ratio 0.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes>
struct ScreenSingles {
  using L = Lanes<Bytes>;
  using Comparison = LaneComparison<T, Reference>;
  using Row = typename Comparison::Row;
  using Single = typename L::Single;
  using SingleBits = typename L::SingleBits;
  using Code = std::conditional_t<sizeof(T) == 2, std::int16_t, std::int32_t>;
  using Codes = typename Vector<Code, Bytes>::Type;
  using Unsigned = typename Vector<std::make_unsigned_t<Code>, Bytes>::Type;
  using LoadCodes = typename Vector<Code, Bytes>::Unaligned;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr std::size_t lanes = 16;                       ///< logical ones
  static constexpr std::size_t parts = lanes / L::single_count;  ///< vectors that hold them
  static constexpr std::size_t turns =
      std::is_same_v<T, float16>
          ? 1
          : parts;  ///< of a block: registers hold the sums of one part; codes of float16 make two
  static constexpr Index coarse = 256, fine = sizeof(T) == 2 ? 32 : 16;  ///< elements of a block
  static constexpr float large = max_finite<T>() < 0x1p60 ? 0x1p28F : 0x1p100F,
                         small = 0x1p-90F;  ///< of a lane's sum of squares
  static constexpr bool underflows = min_subnormal<T>() < 0x1p-45;

  Single absolute{}, ulps{}, relative{}, allowed_relative{}, allowed_absolute{};
  Code most_places = 0;
  SingleBits different{}, inward{}, aside{};  ///< counts

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

  /// Sizes at places: so many numbers toward zero are at least half as many gaps of r, so that with n of p places error
  /// over allowed is at most 2n/(n + p).
  ASSAY_DETAIL_INLINE void take_ratio(const VectorRule& rule, double ratio) {
    if constexpr (kind == VectorRule::Kind::places) {
      most_places = static_cast<Code>(ratio * rule.places / (2 - ratio) + 0x1p-28);
    } else {
      allowed_relative = Single{} + lowered(ratio * rule.relative);
      allowed_absolute = Single{} + lowered(ratio * rule.absolute);
    }
  }
  /// A limit in singles, lower by more than the roundings of what is held against it. Every tile has its own: no
  /// branches.
  static float lowered(double limit) {
    const double bounded = (limit < 0x1p100 ? limit : 0x1p100) * (1 - 0x1p-20);
    return static_cast<float>(bounded < 0x1p-100 ? 0 : bounded);
  }

  /// Of one part of the logical lanes.
  struct Part {
    Single largest{}, error{}, squared_error{}, squared_reference{};
  };
  struct Block {
    SingleBits doubt{};
    Unsigned most{};
    Codes different{}, inward{}, aside{};
    Part part[parts];
  };

  template <bool summed>
  ASSAY_DETAIL_INLINE void values(const Single& out, const Single& reference, Part& part, SingleBits& doubt) const {
    ASSAY_DETAIL_NO_CONTRACTION
    constexpr std::int32_t exponents = 0x7f800000;
    const Single difference = out - reference;
    Single size, reference_size;
    magnitude(difference, size);
    magnitude(reference, reference_size);
    Single gap = Single(SingleBits(reference) & exponents);  // at most the true one
    if constexpr (!underflows) at_least(gap, Single{} + static_cast<float>(min_normal<T>()));
    L::multiply_subtract(gap, ulps, size);
    Single share = reference_size;
    L::multiply_subtract(share, relative, size);
    L::gather(doubt, SingleBits(gap), SingleBits(share));
    if constexpr (kind == VectorRule::Kind::absolute_relative) {
      const Single over = size - allowed_absolute;
      Single room = reference_size;
      L::multiply_subtract(room, allowed_relative, over);
      doubt |= SingleBits(room);
    }
    at_least(part.largest, size);
    if constexpr (summed) {
      part.error += difference;
      L::add_square(part.squared_error, difference);
      L::add_square(part.squared_reference, reference);
      L::keep_in_registers(part.error, part.squared_error, part.squared_reference);
    }
    L::keep_in_registers(part.largest, doubt);
  }

  ASSAY_DETAIL_INLINE static void codes(const Codes& out, const Codes& reference, Block& block) {
    Codes places = Codes(Unsigned(out) - Unsigned(reference));
    if constexpr (kind != VectorRule::Kind::places)
      places += places;  // 0 of −0 and 0, which pass; what else passes has one sign
    Unsigned one = Unsigned{} + 1;
    L::round_here(one);  // g++ would compare with 0 and select
    block.different += Codes(Unsigned(places) < one ? Unsigned(places) : one);
    block.inward += Codes(Unsigned(places) >> (8 * sizeof(Code) - 1));
    L::keep_in_registers(block.different, block.inward);
    if constexpr (kind == VectorRule::Kind::places) {
      Codes size = places;
      L::size_of(size);
      block.most = Unsigned(size) > block.most ? Unsigned(size) : block.most;
      L::keep_in_registers(block.most);
    }
  }

  /// One vector of codes of a step, which has one for each part.
  template <bool masked, bool summed, std::size_t part>
  ASSAY_DETAIL_INLINE void step(const Row& row, Index column, Block& block) const {
    constexpr std::size_t at_once = Bytes / sizeof(T);
    static_assert(parts * at_once == static_cast<std::size_t>(fine));
    column += static_cast<Index>(part * at_once);
    Codes out = *reinterpret_cast<const LoadCodes*>(row.actual + column),
          reference = *reinterpret_cast<const LoadCodes*>(row.values(column));
    L::load_once(out, reference);
    if constexpr (masked) {
      Codes agreeing;
      L::set_aside(static_cast<Code>(layout.infinity_bits()), out, reference, agreeing);
      block.aside -= agreeing;
    }
    codes(out, reference, block);
    if constexpr (std::is_same_v<T, bfloat16>) {  // even and odd elements
      using Words = typename Vector<std::uint32_t, Bytes>::Type;
      values<summed>(Single(Words(out) << 16), Single(Words(reference) << 16), block.part[part], block.doubt);
      values<summed>(Single(Words(out) & 0xffff0000U), Single(Words(reference) & 0xffff0000U), block.part[part],
                     block.doubt);
    } else if constexpr (sizeof(T) == 2) {
      Single wide_out[2], wide_reference[2];
      L::template widen_codes<T>(out, wide_out);
      L::template widen_codes<T>(reference, wide_reference);
      values<summed>(wide_out[0], wide_reference[0], block.part[2 * part % parts], block.doubt);
      values<summed>(wide_out[1], wide_reference[1], block.part[(2 * part + 1) % parts], block.doubt);
    } else {
      values<summed>(Single(out), Single(reference), block.part[part], block.doubt);
    }
  }

  // Parts are constants: g++ keeps an array in registers of which no index is the variable of a loop around another
  // one.
  template <bool masked, bool summed, std::size_t part, std::size_t end>
  ASSAY_DETAIL_INLINE void steps(const Row& row, Index column, Block& block) const {
    step<masked, summed, part>(row, column, block);
    if constexpr (part + 1 < end) steps<masked, summed, part + 1, end>(row, column, block);
  }
  template <bool masked, std::size_t turn = 0, class Ahead>
  ASSAY_DETAIL_INLINE void take_turns(const Row& row, Index column, Index elements, const Ahead& ahead,
                                      Block& block) const {
    for (Index at = 0; at < elements; at += fine) {
      if constexpr (turn == 0) ahead.foresee(at);
      steps<masked, true, turn, turn + parts / turns>(row, column + at, block);
    }
    if constexpr (turn + 1 < turns) take_turns<masked, turn + 1>(row, column, elements, ahead, block);
  }

  /// Adds the sums of `elements`, at most `coarse` and whole steps, and says whether all of them are passed.
  template <bool masked>
  ASSAY_DETAIL_INLINE Screened pass(const Row& row, Index column, Index elements, Comparison& comparison) {
    const auto ahead = AheadOfBlock<T, T, fine, false>::of(row, column);
    Block block;
    take_turns<masked>(row, column, elements, ahead, block);
    if (!commit<masked>(block, row.values(column), elements, comparison)) return Screened::nothing;
    return accept(block) ? Screened::all : Screened::sums;
  }
  /// Whether a step is passed of a block that is not.
  ASSAY_DETAIL_INLINE bool pass_step(const Row& row, Index column, bool masked) {
    return masked ? pass_step<true>(row, column) : pass_step<false>(row, column);
  }

  ASSAY_DETAIL_INLINE void finish(Comparison& comparison) const {
    for (std::size_t lane = 0; lane < L::single_count; ++lane) {
      comparison.misrounded[0] += different[lane];
      comparison.inward[0] += inward[lane];
      comparison.left_out += static_cast<std::uint64_t>(aside[lane]);
    }
  }

 private:
  template <bool masked>
  ASSAY_DETAIL_INLINE bool pass_step(const Row& row, Index column) {
    Block block;
    steps<masked, false, 0, parts>(row, column, block);
    return accept(block);
  }
  /// The sign of each single's lane where one of its codes' is.
  ASSAY_DETAIL_INLINE static bool any_code(const Codes& mask) {
    SingleBits signs = SingleBits(mask);
    if constexpr (sizeof(Code) == 2) signs |= signs << 16;
    return L::any_set(signs);
  }
  ASSAY_DETAIL_INLINE bool doubtful(const Block& block) const {
    SingleBits doubt = block.doubt;
#pragma GCC unroll 4
    for (const Part& part : block.part) doubt |= settled(SingleBits(part.largest > absolute));
    if constexpr (kind == VectorRule::Kind::places)
      if (any_code(settled(Codes(block.most > static_cast<std::make_unsigned_t<Code>>(most_places))))) return true;
    return L::any_set(doubt);
  }

  ASSAY_DETAIL_INLINE bool accept(const Block& block) {
    if (doubtful(block)) return false;
    add(block.different, different);
    add(block.inward, inward);
    return true;
  }

  ASSAY_DETAIL_INLINE static void add(const Codes& counts, SingleBits& to) {
    if constexpr (sizeof(Code) == 4)
      to += counts;
    else
      to += (SingleBits(counts) & 0xffff) + (SingleBits(counts) >> 16);
  }
  /// Adds a block to the sums, unless singles overflow or squares in them underflow.
  template <bool masked>
  ASSAY_DETAIL_INLINE bool commit(const Block& block, const T* expected, Index elements, Comparison& comparison) {
    SingleBits unfit{}, faint{};
#pragma GCC unroll 4
    for (const Part& part : block.part) {
      unfit |= ~settled(SingleBits(part.squared_error + part.squared_reference < large));
      if constexpr (underflows) {
        unfit |= settled(SingleBits(part.squared_error < small)) & settled(SingleBits(part.largest > 0));
        faint |= settled(SingleBits(part.squared_reference < small));
      }
    }
    if (__builtin_expect(L::any_set(unfit), 0)) return false;
    if (__builtin_expect(L::any_set(faint), 0) && !zeros_or_normal(expected, elements)) return false;
    if constexpr (masked) {
      add(block.aside, aside);
      comparison.masking = any_code(Codes{} - block.aside);
    }
#pragma GCC unroll 4
    for (std::size_t part = 0; part < parts; ++part) {
      add_singles<L>(block.part[part].error, part, comparison.signed_error);
      add_singles<L>(block.part[part].squared_error, part, comparison.squared_error);
      add_singles<L>(block.part[part].squared_reference, part, comparison.squared_reference);
    }
    return true;
  }
  /// No square of a value that is not zero underflows.
  ASSAY_DETAIL_INLINE static bool zeros_or_normal(const T* expected, Index elements) {
    SingleBits tiny{};
    for (Index at = 0; at < elements; at += static_cast<Index>(L::single_count)) {
      Single reference{};
      L::load_single(expected + at, reference);
      Single size;
      magnitude(reference, size);
      tiny |= settled(SingleBits(size > 0)) & settled(SingleBits(size < 0x1p-60F));
    }
    return !L::any_set(tiny);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
