#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/compare/detail/approximate_block.hpp"
#include "assay/compare/detail/lane_limits.hpp"
#include "assay/compare/detail/vector_rule.hpp"
#include "assay/compare/expected_row.hpp"
#include "assay/compare/lanes.hpp"

namespace assay::inline v0::detail {

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
/// are added in logical lanes, eight of doubles or sixteen of singles, so that they do not depend on the instruction
/// set.
template <LaneFormat T, LaneFormat Reference>
struct LaneComparison {
  static constexpr std::size_t step = 8;
  static constexpr std::size_t sums = 16;  ///< logical lanes: all that a screen in singles has, or those of a step
  static constexpr Index least_span = 256;
  static constexpr Index sampled_at_once =
      std::is_same_v<Reference, double> ? 8 : 16;  ///< elements; narrower tiles are not sampled
  /// Bytes. The best distance is a processor's own: a Zen 5 at 65 GB/s waits a fifth of the time at 2 KiB and little at
  /// 6, a Zen 4 at 43 a tenth at 6 and little at 2.
  static constexpr Index look_ahead = 3072;

  VectorRule rule;
  bool refinable = false;
  double doubt_ratio = 1;
  PartialComparison* partial = nullptr;
  bool fused = false;  ///< the instruction set has a fused multiply-add
  double signed_error[sums] = {}, squared_error[sums] = {}, squared_reference[sums] = {},
         chance[sums] = {};  ///< chance: in units of ulp/2^e
  std::int64_t misrounded[step] = {}, inward[step] = {};
  RecordFloor floor{};
  std::uint64_t left_out = 0;  ///< of the sums, seen by vectors
  std::uint64_t seen = 0;
  std::uint64_t looked_at = 0;  ///< one by one

  /// Columns [·, end) of a row. Tiles that are narrow share a span of columns. Short rows that lie one behind the other
  /// are compared as one, which has their tiles again every `period` columns and is one span; of others the period is
  /// 0.
  struct Row {
    const T* actual;
    ExpectedRow<Reference> expected;
    const T*
        /// what is read after `end`: processors foresee no row, and too little of what is worked on so long
        after_actual;
    ExpectedRow<Reference> after_expected;
    Index group, end, tile_columns;
    LookAt look_at{};
    Index first = 0;  ///< the column of what `expected` begins with
    Index period = 0;
    Index span_columns = period > 0 ? end : (tile_columns < least_span ? least_span / tile_columns : 1) * tile_columns;

    [[nodiscard]] ASSAY_DETAIL_INLINE const Reference* values(Index column) const {
      return expected.value + (column - first);
    }
    [[nodiscard]] ASSAY_DETAIL_INLINE const double* errors(Index column) const {
      return expected.error + (column - first);
    }
    /// Addresses of what is read `look_ahead` bytes after `column`; of no object, perhaps: memory is asked for it, and
    /// no more.
    [[nodiscard]] ASSAY_DETAIL_INLINE std::uintptr_t actual_ahead(Index column) const {
      return ahead(actual + column, after_actual, column);
    }
    [[nodiscard]] ASSAY_DETAIL_INLINE std::uintptr_t values_ahead(Index column) const {
      return ahead(values(column), after_expected.value, column);
    }
    [[nodiscard]] ASSAY_DETAIL_INLINE std::uintptr_t errors_ahead(Index column) const {
      return ahead(errors(column), after_expected.error, column);
    }
    [[nodiscard]] Index span_end(Index column) const {
      const Index next = (column / span_columns + 1) * span_columns;
      return next < end ? next : end;
    }
    /// What columns [from, until) may be records of: all tiles, where rows meet in between.
    [[nodiscard]] RecordsMet records_of(Index from, Index until) const {
      if (period == 0) return {group, from / tile_columns, (until - 1) / tile_columns};
      const Index begin = from % period, finish = begin + until - from;
      if (finish > period) return {group, 0, (period - 1) / tile_columns};
      return {group, begin / tile_columns, (finish - 1) / tile_columns};
    }

   private:
    template <class Stored>
    [[nodiscard]] ASSAY_DETAIL_INLINE std::uintptr_t ahead(const Stored* here, const Stored* after,
                                                           Index column) const {
      const Index beyond = look_ahead - (end - column) * static_cast<Index>(sizeof(Stored));
      return beyond < 0 ? reinterpret_cast<std::uintptr_t>(here) + static_cast<std::uintptr_t>(look_ahead)
                        : reinterpret_cast<std::uintptr_t>(after) + static_cast<std::uintptr_t>(beyond);
    }
  };
  /// Columns [column, end) of a span, and what is of interest there.
  struct Span {
    Index column, end;
    LaneLimits limits;
  };

  Index patience = 1;    ///< steps in full before the screen is asked again
  bool masking = false;  ///< something of the last block was set aside

  [[nodiscard]] double below_doubt() const {
    return refinable ? doubt_ratio * (1 - 0x1p-50) : double_of(binary64_layout.infinity_bits());
  }
  void refresh(const Row& row, Span& span) const {
    span.limits = LaneLimits::of(*partial, floor, row.records_of(span.column, span.end), below_doubt(), fused);
  }
  /// A sample's largest ratio of a tile, `certain` or nearly so: shown, where it is known how; a floor of the records
  /// in any case.
  void take_sample(Index tile, Index group, double largest, bool certain) {
    const double ratio = largest < 1 ? largest : 1;
    for (double* record : {&floor.tile_ratio[tile], &floor.group_ratio[group], &floor.ratio})
      RecordFloor::raise(*record, ratio);
    const double doubt = certain ? 0 : 1 - RecordFloor::lowered, least = largest * (1 - doubt),
                 most = largest * (1 + doubt);
    if (most <= 1 && shown_ratio(least) == shown_ratio(most)) partial->show(most, tile, group);
  }
  /// What accepts, without a record, everything of smaller ratio there.
  [[nodiscard]] double plain_ratio(const RecordsMet& met) const {
    const double ratio = LaneLimits::ratio_of(*partial, floor, met);
    const double most = below_doubt() < 1 ? below_doubt() : 1;
    return ratio < most ? ratio : most;
  }
  /// Something of each kind was measured: there are maxima to stay below.
  [[nodiscard]] bool has_maxima() const {
    return partial->max_absolute_error.position.row >= 0 && partial->max_relative_error.position.row >= 0 &&
           partial->max_ulp_error.position.row >= 0 && partial->max_ratio.position.row >= 0;
  }
  [[nodiscard]] double absolute_record() const {
    return RecordFloor::larger(partial->max_absolute_error.value, floor.absolute);
  }
  [[nodiscard]] double relative_record() const {
    return RecordFloor::larger(partial->max_relative_error.value, floor.relative);
  }
  [[nodiscard]] double ulp_record() const { return RecordFloor::larger(partial->max_ulp_error.value, floor.ulps); }
  template <VectorRule::Kind kind>
  void compare_lanes(InstructionSet set, const Row& row, Index column);
  template <VectorRule::Kind kind>
  [[nodiscard]] bool screening(const ExpectedRow<Reference>& expected) const;
  template <class Body>
  void with_kind(const Body& body) const;

  /// Raises the floor of the records by what the row shows in tiles `turn`, `turn` + `turns`, … For a few rows of many,
  /// before any is compared.
  void sample_row(InstructionSet set, const Row& row, Index first_column, Index turn, Index turns);
  void compare_row(InstructionSet set, const Row& row, Index first_column);

  Index ordinary_blocks = 0, approximate_patience = 1;  ///< blocks for which approximations are not asked

  /// Whether the next block is to be looked at by `pass_approximate` first. Called once a block.
  [[nodiscard]] bool takes_approximations();
  ApproximateFindings pass_approximate(InstructionSet set, const ApproximateBlock<T>& block);
  /// Judges [from, row.end), whole steps whose sums are added.
  void judge_steps(InstructionSet set, const Row& row, Index from);

  /// Adds the lanes' sums to the chunk's.
  void finish() {
    constexpr FloatLayout layout = FormatTraits<T>::layout;
    ErrorStatistics& statistics = partial->statistics;
    statistics.elements += seen - left_out;
    for (std::size_t lane = 0; lane < sums; ++lane) {
      statistics.signed_error += signed_error[lane];
      statistics.squared_error += squared_error[lane];
      statistics.squared_reference += squared_reference[lane];
      statistics.expected_misrounded += chance[lane] * power_of_two(layout.fraction_bits);
    }
    for (std::size_t lane = 0; lane < step; ++lane) {
      statistics.misrounded += static_cast<std::uint64_t>(misrounded[lane]);
      statistics.misrounded_inward += static_cast<std::uint64_t>(inward[lane]);
    }
  }
};

}  // namespace assay::inline v0::detail
