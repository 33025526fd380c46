#pragma once

#include "assay/compare/detail/screen_doubles.hpp"
#include "assay/compare/detail/screen_singles.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Full steps: every element is accepted or refuted and counted, or looked at alone.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes>
struct FullLanes : LaneWork<T, Reference, kind, Bytes> {
  using Base = LaneWork<T, Reference, kind, Bytes>;
  using L = Lanes<Bytes>;
  using Comparison = typename Base::Comparison;
  using Row = typename Base::Row;
  using Real = typename Base::Real;
  using Bits = typename Base::Bits;
  using Sums = typename Base::Sums;
  using Base::add, Base::binade, Base::layout, Base::least_normal, Base::load, Base::magnitude, Base::magnitude_bits, Base::exponent_bits, Base::parts, Base::step, Base::store, Base::stored_reference, Base::vast;
  using Base::absolute, Base::every_ratio, Base::ratio, Base::ratio_half, Base::ratio_least, Base::relative, Base::relative_half, Base::take, Base::ulps;

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

/// The bodies of both.
template <class T, class Reference, VectorRule::Kind kind>
struct CompareLanes {
  using Comparison = LaneComparison<T, Reference>;
  using Row = typename Comparison::Row;
  static constexpr bool singles = LaneWork<T, Reference, kind, 16>::singles, screens = LaneWork<T, Reference, kind, 16>::screens;
  template <std::size_t Bytes>
  using Full = FullLanes<T, Reference, kind, Bytes>;

  /// The steps of a span one by one in full, up to `stop`.
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row, typename Comparison::Span& span, const Index& stop) {
    Full<Bytes> work;
    work.compare(comparison, row, span, stop);
  }

  /// A row as far as it is clean, in coarse blocks, and in fine ones where those are not.
  struct Screen {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row, Index& column) {
      if constexpr (singles) walk<ScreenSingles<T, Reference, kind, Bytes>>(comparison, row, column);
      else if (row.expected.error != nullptr) walk<ScreenDoubles<T, Reference, kind, Bytes, true>>(comparison, row, column);
      else walk<ScreenDoubles<T, Reference, kind, Bytes, false>>(comparison, row, column);
    }
    template <class Work>
    ASSAY_DETAIL_INLINE static void walk(Comparison& comparison, const Row& row, Index& column) {
      Work work;
      work.take(comparison);
      const VectorRule rule = comparison.rule;
      const Index first = column;
      bool clean = true;
      Index at = first;
      while (clean && at < row.end) {
        const Index stop = row.span_end(at);
        work.take_ratio(rule, comparison.plain_ratio(row, at, stop));
        while (clean && at < stop) {
          while (at + Work::coarse <= stop && work.template pass<Work::coarse>(row, at, comparison)) at += Work::coarse;
          const Index until = at + Work::coarse < stop ? at + Work::coarse : stop;
          while (at + Work::fine <= until && work.template pass<Work::fine>(row, at, comparison)) at += Work::fine;
          clean = at == until;
        }
      }
      work.finish(comparison, at - first);
      column = at;
    }
  };
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

template <LaneFormat T, LaneFormat Reference>
template <VectorRule::Kind kind>
void LaneComparison<T, Reference>::compare_lanes(InstructionSet set, const Row& row, Index column) {
  using Lanes = CompareLanes<T, Reference, kind>;
  const bool plain = row.expected.error == nullptr && row.expected.uniform_error == 0 && !refinable;
  [[maybe_unused]] const bool screening = (!Lanes::singles || plain) && (kind != VectorRule::Kind::absolute_relative || std::is_same_v<T, Reference> || rule.relative >= 0x1p-30);
  while (column < row.end) {
    bool screened = false;
    if constexpr (Lanes::screens) {
      screened = screening;
      if (screening && has_maxima()) {
        const Index before = column;
        run_variant<typename Lanes::Screen>(set, *this, row, column);
        if (column > before) patience = 1;
        if (column == row.end) break;
      }
    }
    const Index end = row.span_end(column), wished = screened ? column + 2 * static_cast<Index>(step) * patience : end;
    Span span{column, end, {}};
    refresh(row, span);
    const Index stop = wished < end ? wished : end;
    run_variant<Lanes>(set, *this, row, span, stop);
    column = stop;
    patience = patience < 32 ? 2 * patience : 32;  // where much is doubtful the screen is asked less often
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
  const Index tiles = tile_columns < least_span ? least_span / tile_columns : 1;
  const Row row{actual, expected, group, last_column, tile_columns, tiles * tile_columns, {&Context::look, &context}};
  switch (rule.kind) {
    case VectorRule::Kind::none: break;
    case VectorRule::Kind::derived: compare_lanes<VectorRule::Kind::derived>(set, row, first_column); break;
    case VectorRule::Kind::absolute_relative: compare_lanes<VectorRule::Kind::absolute_relative>(set, row, first_column); break;
    case VectorRule::Kind::places:
      if constexpr (std::is_same_v<T, Reference>) compare_lanes<VectorRule::Kind::places>(set, row, first_column);
      break;
  }
  seen += static_cast<std::uint64_t>(last_column - first_column);
}

}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
