#pragma once

#include "assay/compare/detail/full_lanes.hpp"
#include "assay/compare/detail/sample_lanes.hpp"
#include "assay/compare/detail/screen_references.hpp"
#include "assay/compare/detail/screen_singles.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The bodies of both.
template <class T, class Reference, VectorRule::Kind kind>
struct CompareLanes {
  using Comparison = LaneComparison<T, Reference>;
  using Row = typename Comparison::Row;
  static constexpr bool singles = LaneWork<T, Reference, kind, 16>::singles,
                        screens = LaneWork<T, Reference, kind, 16>::screens;
  template <std::size_t Bytes>
  using Full = FullLanes<T, Reference, kind, Bytes>;

  /// The steps of a span one by one in full, up to `stop`.
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row, typename Comparison::Span& span,
                                      const Index& stop) {
    Full<Bytes> work;
    work.template compare<false>(comparison, row, span, stop);
  }
  /// The same of a block whose sums are known.
  struct Judge {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row, typename Comparison::Span& span,
                                        const Index& stop) {
      Full<Bytes> work;
      work.template compare<true>(comparison, row, span, stop);
    }
  };

  /// A row as far as all that it has are pairs which are both NaN or the same infinity: of those no maximum comes.
  struct Agreeing {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row, Index& column) {
      using L = Lanes<Bytes>;
      constexpr Index step =
          static_cast<Index>(Comparison::step);  // lanes are logical: no instruction set may go farther than another
      const Index first = column;
      for (; column + step <= row.end; column += step) {
        typename L::Bits different{};
        for (Index at = column; at < column + step; at += static_cast<Index>(L::count)) {
          typename L::Real out{}, reference{};
          L::load(row.actual + at, out);
          L::load(row.values(at), reference);
          auto out_bits = typename L::Bits(out), reference_bits = typename L::Bits(reference),
               agreeing = typename L::Bits{};
          L::set_aside(std::int64_t{0x7ff} << 52, out_bits, reference_bits, agreeing);
          different |= ~agreeing;
        }
        if (L::signs(different) != 0) break;
      }
      comparison.left_out += static_cast<std::uint64_t>(column - first);
    }
  };

  /// A row as far as singles hold it, in blocks; those that are doubtful are judged. Both rules share the screen of
  /// references in double: compilers take longer over it than over anything else.
  static constexpr VectorRule::Kind screened_as = singles ? kind : VectorRule::Kind::derived;
  struct Screen {
    ASSAY_DETAIL_INLINE static void judge(Comparison& comparison, const InstructionSet& set, const Row& row,
                                          typename Comparison::Span& span, const Index& stop) {
      if constexpr (!singles) {
        using Fixed = CompareLanes<T, Reference, VectorRule::Kind::absolute_relative>;
        if (comparison.rule.kind != kind) return run_variant<typename Fixed::Judge>(set, comparison, row, span, stop);
      }
      run_variant<Judge>(set, comparison, row, span, stop);
    }
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const InstructionSet& set, const Row& row,
                                        Index& column) {
      if constexpr (singles)
        walk<ScreenSingles<T, Reference, kind, Bytes>>(comparison, set, row, column);
      else if (comparison.rule.kind == VectorRule::Kind::derived && row.expected.error == nullptr &&
               row.expected.uniform_error == 0)
        walk<ScreenReferences<T, Bytes, true>>(comparison, set, row, column);
      else
        walk<ScreenReferences<T, Bytes, false>>(comparison, set, row, column);
    }
    template <class Work>
    ASSAY_DETAIL_INLINE static void walk(Comparison& comparison, const InstructionSet& set, const Row& row,
                                         Index& column) {
      Work work;
      const VectorRule rule = comparison.rule;
      Index at = column;
      bool held = true;
      work.take(comparison);
      if constexpr (!singles) work.take_errors(row.expected);
      while (held && at < row.end) {
        typename Comparison::Span span{at, row.span_end(at), {}};
        const RecordsMet met = row.records_of(at, span.end);
        const bool many_tiles = met.last_tile > met.first_tile;
        bool refreshed = false;
        work.take_ratio(rule, comparison.plain_ratio(met));
        for (Index whole; (whole = (span.end - at) / Work::fine * Work::fine) > 0;) {
          Index next = at + (whole < Work::coarse ? whole : Work::coarse);
          bool masked = comparison.masking;
          Screened found = masked ? Screened::nothing : work.template pass<false>(row, at, next - at, comparison);
          if (found == Screened::nothing) {
            found = work.template pass<true>(row, at, next - at, comparison);
            masked = true;
          }
          if (found == Screened::nothing) break;
          if (found == Screened::sums) {
            const std::uint64_t before = comparison.looked_at;
            if (many_tiles) {
              walk_by_tiles(work, comparison, set, row, at, next, masked);
            } else {
              if (!refreshed) comparison.refresh(row, span);
              refreshed = true;
              for (Index from = at; from < next;) {
                Index until = from;
                while (until < next && !work.pass_step(row, until, masked)) until += Work::fine;
                span.column = from;
                if (until > from) judge(comparison, set, row, span, until);
                from = until + Work::fine;  // the step at `until` is passed
              }
            }
            if (many_tiles || comparison.looked_at != before) {
              work.take(comparison);
              work.take_ratio(rule, comparison.plain_ratio(met));
            }
          }
          at = next;
        }
        held = at == span.end;
      }
      work.finish(comparison);
      column = at;
    }
    /// The steps [at, end) of a doubtful block, each with the limits of the tiles that it is in: those of a span are
    /// the least of many.
    template <class Work>
    ASSAY_DETAIL_INLINE static void walk_by_tiles(Work& work, Comparison& comparison, const InstructionSet& set,
                                                  const Row& row, Index at, Index end, bool masked) {
      for (; at < end; at += Work::fine) {
        typename Comparison::Span step{at, at + Work::fine, {}};
        work.take_ratio(comparison.rule, comparison.plain_ratio(row.records_of(at, step.end)));
        if (work.pass_step(row, at, masked)) continue;
        comparison.refresh(row, step);
        judge(comparison, set, row, step, step.end);
      }
    }
  };
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

template <LaneFormat T, LaneFormat Reference>
template <VectorRule::Kind kind>
bool LaneComparison<T, Reference>::screening(const ExpectedRow<Reference>& expected) const {
  using Lanes = CompareLanes<T, Reference, kind>;
  if constexpr (Lanes::singles) return expected.error == nullptr && expected.uniform_error == 0 && !refinable;
  return Lanes::screens && (kind != VectorRule::Kind::absolute_relative || rule.relative >= 0x1p-30);
}

template <LaneFormat T, LaneFormat Reference>
template <VectorRule::Kind kind>
void LaneComparison<T, Reference>::compare_lanes(InstructionSet set, const Row& row, Index column) {
  using Lanes = CompareLanes<T, Reference, kind>;
  const bool screens = screening<kind>(row.expected);
  while (column < row.end) {
    if constexpr (Lanes::screens) {
      if (screens && has_maxima()) {
        const Index before = column;
        run_variant<typename CompareLanes<T, Reference, Lanes::screened_as>::Screen>(set, *this, set, row, column);
        if (column > before) patience = 1;
        if (column == row.end) break;
      } else if (partial->max_ratio.position.row >= 0) {
        run_variant<typename Lanes::Agreeing>(set, *this, row, column);
        if (column == row.end) break;
      }
    }
    const Index end = row.span_end(column), wished = screens ? column + 2 * static_cast<Index>(step) * patience : end;
    Span span{column, end, {}};
    refresh(row, span);
    const Index stop = wished < end ? wished : end;
    run_variant<Lanes>(set, *this, row, span, stop);
    column = stop;
    patience = patience < 32 ? 2 * patience : 32;  // where much is doubtful the screen is asked less often
  }
}

template <LaneFormat T, LaneFormat Reference>
template <class Body>
void LaneComparison<T, Reference>::with_kind(const Body& body) const {
  switch (rule.kind) {
    case VectorRule::Kind::none: break;
    case VectorRule::Kind::derived: body.template operator()<VectorRule::Kind::derived>(); break;
    case VectorRule::Kind::absolute_relative: body.template operator()<VectorRule::Kind::absolute_relative>(); break;
    case VectorRule::Kind::places:
      if constexpr (std::is_same_v<T, Reference>) body.template operator()<VectorRule::Kind::places>();
      break;
  }
}

template <LaneFormat T, LaneFormat Reference>
void LaneComparison<T, Reference>::sample_row(InstructionSet set, const Row& row, Index first_column, Index turn,
                                              Index turns) {
  with_kind([&]<VectorRule::Kind kind>() {
    if constexpr (CompareLanes<T, Reference, kind>::screens)
      if (screening<kind>(row.expected))
        run_variant<SampleRow<T, Reference, kind>>(set, *this, row, first_column, turn, turns);
  });
}

template <LaneFormat T, LaneFormat Reference>
void LaneComparison<T, Reference>::compare_row(InstructionSet set, const Row& row, Index first_column) {
  with_kind([&]<VectorRule::Kind kind>() { compare_lanes<kind>(set, row, first_column); });
  seen += static_cast<std::uint64_t>(row.end - first_column);
}

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
