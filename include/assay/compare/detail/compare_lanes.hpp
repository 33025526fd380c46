#pragma once

#include "assay/compare/detail/full_lanes.hpp"
#include "assay/compare/detail/sample_lanes.hpp"
#include "assay/compare/detail/screen_references.hpp"
#include "assay/compare/detail/screen_singles.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

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

  /// A row as far as it is clean, in coarse blocks, and in parts of them where they are not.
  struct Screen {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const Row& row, Index& column) {
      if constexpr (singles) walk<ScreenSingles<T, Reference, kind, Bytes>>(comparison, row, column);
      else if (row.expected.error != nullptr) walk<ScreenReferences<T, Reference, kind, Bytes, ScreenedErrors::array>>(comparison, row, column);
      else if (kind == VectorRule::Kind::derived && row.expected.uniform_error == 0) walk<ScreenReferences<T, Reference, VectorRule::Kind::derived, Bytes, ScreenedErrors::none>>(comparison, row, column);
      else walk<ScreenReferences<T, Reference, kind, Bytes, ScreenedErrors::uniform>>(comparison, row, column);
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
          while (at + Work::coarse <= stop && work.pass(row, at, comparison)) at += Work::coarse;
          const Index until = at + Work::coarse < stop ? at + Work::coarse : stop;
          if (at < until) at += work.pass_part(row, at, until, comparison);
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
bool LaneComparison<T, Reference>::screening(const ExpectedRow<Reference>& expected) const {
  using Lanes = CompareLanes<T, Reference, kind>;
  const bool plain = expected.error == nullptr && expected.uniform_error == 0 && !refinable;
  const bool ordinary = expected.error != nullptr || (expected.uniform_error >= 0 && expected.uniform_error < 0x1p100);
  return Lanes::screens && (!Lanes::singles || plain) && ordinary &&
         (kind != VectorRule::Kind::absolute_relative || std::is_same_v<T, Reference> || rule.relative >= 0x1p-30);
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
        run_variant<typename Lanes::Screen>(set, *this, row, column);
        if (column > before) patience = 1;
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
void LaneComparison<T, Reference>::sample_row(InstructionSet set, const Row& row, Index first_column) {
  with_kind([&]<VectorRule::Kind kind>() {
    if (screening<kind>(row.expected)) run_variant<SampleRow<T, Reference, kind>>(set, *this, row, first_column);
  });
}

template <LaneFormat T, LaneFormat Reference>
void LaneComparison<T, Reference>::compare_row(InstructionSet set, const Row& row, Index first_column) {
  with_kind([&]<VectorRule::Kind kind>() { compare_lanes<kind>(set, row, first_column); });
  seen += static_cast<std::uint64_t>(row.end - first_column);
}

}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
