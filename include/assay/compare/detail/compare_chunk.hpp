#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "assay/compare/approximate_expectation.hpp"
#include "assay/compare/detail/error_ratio.hpp"
#include "assay/compare/detail/partial_comparison.hpp"
#include "assay/compare/expected_row.hpp"
#include "assay/compare/paired_expectation.hpp"
#include "assay/compare/refinable_expectation.hpp"
#include "assay/core/instruction_set.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/formats/limits.hpp"
#include "assay/tensor/strided_view.hpp"
#include "assay/tolerance/tolerance.hpp"
#if ASSAY_DETAIL_VECTOR_VARIANTS
#include "assay/compare/detail/compare_lanes.hpp"
#include "assay/compare/detail/pass_approximate.hpp"
#endif

namespace assay::inline v0::detail {

/// How the host compares, where it has the choice.
struct ComparisonPath {
  bool on_vectors = true;
  InstructionSet set = InstructionSet::baseline;
  bool few_tiles = false;  ///< see `ChunkGrid::of_few_tiles`
};

/// Compares one chunk: element by element, or on vectors where the host runs it, columns are contiguous, the
/// expectation has rows and the tolerance is one that vectors know. Both ways find the same; only the sums of
/// `ErrorStatistics` are added in another order, which depends on the layout, too, and in single precision within 256
/// elements: they agree to about 1e-7.
template <Format T, std::size_t Rank, class Expected, class Model>
struct CompareChunk {
  StridedView<const T, Rank> actual;
  Expected expected;
  Model tolerance;
  ChunkGrid grid;
  ComparisonPath path;

  /// Rows [first_row, last_row) and columns [first_column, last_column).
  struct Window {
    Index first_row, last_row, first_column, last_column;
    [[nodiscard]] ASSAY_FUNCTION Index elements() const {
      return (last_row - first_row) * (last_column - first_column);
    }
  };
  [[nodiscard]] ASSAY_FUNCTION Window window_of(std::size_t chunk) const {
    const Index band = static_cast<Index>(chunk) / grid.segments,
                first_column = static_cast<Index>(chunk) % grid.segments * grid.segment_columns;
    return {band * grid.band_rows, least((band + 1) * grid.band_rows, grid.rows), first_column,
            least(first_column + grid.segment_columns, grid.columns)};
  }

  ASSAY_FUNCTION void operator()(std::size_t chunk, PartialComparison& partial) const {
    compare_window(window_of(chunk), partial);
  }

  /// A part of one chunk.
  ASSAY_FUNCTION void compare_window(const Window& window, PartialComparison& partial) const {
    const Index stride = actual.strides[Rank - 1];
    partial.elements += static_cast<std::uint64_t>(window.elements());
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if constexpr (RowExpectation<Expected> || BlockExpectation<Expected>) {
      using Reference = typename ReferenceOf<Expected>::Type;
      if constexpr (LaneFormat<T> && LaneFormat<Reference>) {
        const VectorRule rule = vector_rule<T>(tolerance);
        if (path.on_vectors && stride == 1 && window.last_column - window.first_column >= 4 &&
            rule_suits<T, Reference>(rule)) {
          LaneComparison<T, Reference> lanes{rule, refines(), 1, &partial, path.set != InstructionSet::baseline};
          if constexpr (RefinableExpectation<Expected>) lanes.doubt_ratio = expected.doubt_ratio();
          sample(lanes, window, partial);
          for (Index row = window.first_row, rows = 0; row < window.last_row; row += rows) {
            rows = rows_that_follow(row, window);
            if constexpr (has_approximations) {
              if (rows == 1) {
                walk_approximately(lanes, row, window, partial);
                continue;
              }
            }
            walk_rows(row, rows, window, partial,
                      [&](const auto& compared, Index first) { lanes.compare_row(path.set, compared, first); });
          }
          lanes.finish();
          return;
        }
      }
    }
#endif
    for (Index row = window.first_row; row < window.last_row; ++row) {
      const T* start = actual.data + row_offset(row);
      for (Index column = window.first_column; column < window.last_column; ++column)
        look_at(start[column * stride], {row, column}, true, partial);
    }
  }

  /// An element with what is expected of it, judged for good.
  struct Looked {
    ExpectedElement element;
    AcceptanceInterval accepted;
    double ratio = 0;          ///< of what is determined
    double error_of_sums = 0;  ///< E as the sums know it
    bool refined = false, in_doubt = false;
  };

  [[nodiscard]] ASSAY_FUNCTION Looked looked(T stored, MatrixPosition position,
                                             [[maybe_unused]] bool may_refine) const {
    Looked found = judge(stored, expected(position.row, position.column));
    if constexpr (RefinableExpectation<Expected>) {
      const double out = decode(stored);
      if (refines() && (found.accepted.undetermined ||
                        (found.accepted.contains(out) && leaves_doubt(out, found.element.value, found.accepted,
                                                                      found.ratio, expected.doubt_ratio())))) {
        if (!may_refine) {
          found.in_doubt = true;
          return found;
        }
        const Looked cheap = found;
        found = judge(stored, expected.refine(position.row, position.column));
        found.refined = true;
        if (!cheap.accepted.undetermined) found.error_of_sums = cheap.error_of_sums;
      }
    }
    return found;
  }

  /// One element, and whether the sums of `ErrorStatistics` lack it, too. `elements` is not counted.
  ASSAY_FUNCTION void look_at(T stored, MatrixPosition position, bool sums_too, PartialComparison& partial) const {
    const double out = decode(stored);
    const Looked found = looked(stored, position, partial.refined < most_refinements());
    partial.refined += found.refined ? 1 : 0;
    partial.in_doubt += found.in_doubt ? 1 : 0;
    const auto& [element, accepted, ratio, error_of_sums, refined, in_doubt] = found;
    if (accepted.undetermined) {
      ++partial.undetermined;
      return;
    }
    partial.max_ratio.consider(ratio, position);
    partial.show(ratio, position.column / grid.tile_columns, group_of(position.row));
    if (!accepted.contains(out)) partial.record_violation(out, element.value, accepted, ratio, position);
    if (!is_finite(out) || !is_finite(element.value)) return;
    const double place = unit_in_last_place<T>(element.value);
    partial.measure(out, element.value, place, position);
    if (sums_too) partial.sum(out, element.value, error_of_sums, place, round_to<T>(element.value));
  }

  [[nodiscard]] ASSAY_FUNCTION Index row_offset(Index row) const {
    Index offset = 0;
    if constexpr (Rank > 1) {
      for (std::size_t d = Rank - 2; d > 0; --d) {
        offset += row % actual.extents[d] * actual.strides[d];
        row /= actual.extents[d];
      }
      offset += row * actual.strides[0];
    }
    return offset;
  }
  [[nodiscard]] ASSAY_FUNCTION bool refines() const {
    if constexpr (requires { expected.refines(); })
      return expected.refines();
    else
      return RefinableExpectation<Expected>;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION std::uint64_t most_refinements() const {
    if constexpr (requires { expected.most_refinements(); })
      return expected.most_refinements();
    else
      return most_refinements_per_chunk;
  }
  /// One row of so many tells how large the errors of a chunk will be at least, or more where its tiles are small: a
  /// look at an element costs as much as a sample of a hundred, or of fifty whose references are computed for it.
  static constexpr Index sampled_of_tile = RowExpectation<Expected> ? 128 : 64, most_sampling = 128;
  static constexpr Index most_joined = 4096;                    ///< elements of rows that are compared as one
  static constexpr bool in_pairs = std::is_same_v<T, float32>;  ///< approximate references
  static constexpr bool has_approximations =
      in_pairs ? PairedExpectation<Expected> : sizeof(T) == 2 && ApproximateExpectation<Expected>;

  ASSAY_FUNCTION static Index least(Index a, Index b) {
    return a < b ? a : b;
  }
  /// Of its band.
  [[nodiscard]] ASSAY_FUNCTION Index group_of(Index row) const {
    return row % grid.band_rows / grid.group_rows;
  }

#if ASSAY_DETAIL_VECTOR_VARIANTS
  /// What vectors call for single elements of a row, and of those that follow it.
  struct LookAtRow {
    const CompareChunk& chunk;
    PartialComparison& partial;
    Index row;

    // never inlined: within a variant the compiler might contract what the element-wise path does not
    __attribute__((noinline)) static void look(const void* context, Index column, bool sums_too) {
      const LookAtRow& self = *static_cast<const LookAtRow*>(context);
      const CompareChunk& chunk = self.chunk;
      const MatrixPosition position{self.row + column / chunk.grid.columns, column % chunk.grid.columns};
      const T* const start = chunk.actual.data + chunk.row_offset(position.row);
      chunk.look_at(start[position.column * chunk.actual.strides[Rank - 1]], position, sums_too, self.partial);
    }
  };
#endif

#if ASSAY_DETAIL_VECTOR_VARIANTS
  /// Shows a few rows to the records' floor; where references are stored, each in some of its tiles only: so every
  /// group of rows is sampled.
  template <class Lanes>
  void sample(Lanes& lanes, const Window& window, PartialComparison& partial) const {
    const Index rows = window.last_row - window.first_row, groups = ChunkGrid::ceil_divide(rows, grid.group_rows);
    const bool narrow = grid.tile_columns < Lanes::sampled_at_once;  // no vector lies in one tile
    const Index of_tile =
        narrow ? most_sampling
               : rows * least(grid.tile_columns, window.last_column - window.first_column) / sampled_of_tile;
    const Index wished = least(of_tile < 1 ? 1 : of_tile, most_sampling);
    if constexpr (!RowExpectation<Expected>) {  // single blocks: what costs is to compute them
      alignas(64) double value[expected_block_columns], error[expected_block_columns];
      const Index of_row = ChunkGrid::ceil_divide(window.last_column - window.first_column, expected_block_columns);
      for (Index block = 0; block < rows * of_row; block += wished | 1) {
        const Index row = window.first_row + block / of_row,
                    first = window.first_column + block % of_row * expected_block_columns,
                    end = least(first + expected_block_columns, window.last_column);
        const LookAtRow look{*this, partial, row};
        lanes.sample_row(path.set, computed<typename Lanes::Row>(look, first, end, value, error), first, 0, 1);
      }
    } else {
      const Index one_of = least(wished, rows), turns = least(groups, one_of);
      Index turn = 0;
      for (Index row = window.first_row; row < window.last_row;
           row += one_of / turns, turn = turn + 1 < turns ? turn + 1 : 0)
        walk_rows(row, 1, window, partial,
                  [&](const auto& shown, Index first) { lanes.sample_row(path.set, shown, first, turn, turns); });
    }
  }

  /// How many rows, from that one on, are compared as one: short ones of one group that lie one behind the other, and
  /// whose references do. What a row costs beside its elements is as much as a hundred of them. Longer ones have spans
  /// of their own, whose limits are those of fewer tiles.
  [[nodiscard]] Index rows_that_follow(Index row, const Window& window) const {
    const Index columns = grid.columns,
                most = (RowExpectation<Expected> ? most_joined : expected_block_columns) / columns;
    if (columns > LaneComparison<T, typename ReferenceOf<Expected>::Type>::least_span || most < 2 ||
        window.last_column - window.first_column != columns)
      return 1;
    const Index end =
        least(least(window.last_row, row + most), row - row % grid.band_rows % grid.group_rows + grid.group_rows);
    Index next = row + 1;
    while (next < end && row_offset(next) - row_offset(next - 1) == columns && references_follow(next)) ++next;
    return next - row;
  }
  /// Whether stored references of a row lie behind those of the row before it; others are computed one behind the
  /// other.
  [[nodiscard]] bool references_follow([[maybe_unused]] Index row) const {
    if constexpr (RowExpectation<Expected>) {
      const auto here = expected.expected_row(row), before = expected.expected_row(row - 1);
      const bool errors_follow = before.error == nullptr
                                     ? here.error == nullptr && here.uniform_error == before.uniform_error
                                     : here.error == before.error + grid.columns;
      return here.value == before.value + grid.columns && errors_follow;
    } else {
      return true;
    }
  }

  /// Has rows of the window that follow one another worked on: `walk(row, first_column)`, with references that are
  /// stored, or computed block by block.
  template <class Walk>
  void walk_rows(Index row, Index rows, const Window& window, PartialComparison& partial, const Walk& walk) const {
    using Row = typename LaneComparison<T, typename ReferenceOf<Expected>::Type>::Row;
    const LookAtRow look{*this, partial, row};
    const Index period = rows > 1 ? grid.columns : 0;
    if constexpr (RowExpectation<Expected>) {
      const Index next = least(row + rows, window.last_row - 1),
                  end = rows > 1 ? rows * grid.columns : window.last_column;
      auto after = expected.expected_row(next);
      after.value += window.first_column;
      if (after.error != nullptr) after.error += window.first_column;
      walk(Row{actual.data + row_offset(row),
               expected.expected_row(row),
               actual.data + row_offset(next) + window.first_column,
               after,
               group_of(row),
               end,
               grid.tile_columns,
               {&LookAtRow::look, &look},
               0,
               period},
           window.first_column);
    } else {
      alignas(64) double value[expected_block_columns], error[expected_block_columns];
      if (rows > 1) {
        for (Index i = 0; i < rows; ++i)
          expected.expected_block(row + i, 0, grid.columns, value + i * grid.columns, error + i * grid.columns);
        return walk(row_of<Row>(look, 0, rows * grid.columns, {value, error, 0}, {value, error, 0}, period), 0);
      }
      for (Index first = window.first_column; first < window.last_column; first += expected_block_columns) {
        const Index end = least(first + expected_block_columns, window.last_column);
        walk(computed<Row>(look, first, end, value, error), first);
      }
    }
  }
  /// Columns [first, end) of a row, or of those that follow it, beside their references; `after`: those read next.
  template <class Row>
  [[nodiscard]] Row row_of(const LookAtRow& look, Index first, Index end, ExpectedRow<double> block,
                           ExpectedRow<double> after, Index period = 0) const {
    const T* const start = actual.data + row_offset(look.row);
    if (without_errors()) block.error = nullptr;
    return {start, block, start + end, after, group_of(look.row), end, grid.tile_columns, {&LookAtRow::look, &look},
            first, period};
  }
  /// The same beside references that are computed into the arrays, where they are not stored.
  template <class Row>
  [[nodiscard]] Row computed(const LookAtRow& look, Index first, Index end, double* value, double* error) const {
    ExpectedRow<double> block{value, error, 0};
    if constexpr (requires { expected.placed_block(look.row, first, end, value, error); })
      block = expected.placed_block(look.row, first, end - first, value, error);
    else
      expected.expected_block(look.row, first, end - first, value, error);
    ExpectedRow<double> after = block;  // the arrays again, or what is stored behind
    if (after.value != value) after.value += end - first;
    if (after.error != error && after.error != nullptr) after.error += end - first;
    return row_of<Row>(look, first, end, block, after);
  }

  /// A row in blocks that are compared with approximate references first, and with exact ones where those leave doubts.
  template <class Lanes>
  void walk_approximately(Lanes& lanes, Index row, const Window& window, PartialComparison& partial) const {
    using Block = ApproximateBlock<T>;
    const T* const start = actual.data + row_offset(row);
    const LookAtRow look{*this, partial, row};
    alignas(64) double value[expected_block_columns], error[expected_block_columns];
    alignas(64) float near[expected_block_columns], near_rest[in_pairs ? expected_block_columns : 1],
        near_error[expected_block_columns];
    const auto exactly = [&](Index first, Index end) {
      return computed<typename Lanes::Row>(look, first, end, value, error);
    };
    for (Index first = window.first_column, end = 0; first < window.last_column; first = end) {
      end = least(first + expected_block_columns, window.last_column);
      const Index steps = (end - first) / Block::step;
      ApproximationError off;
      if (steps > 0 && lanes.takes_approximations()) {
        if constexpr (in_pairs)
          off = expected.paired_block(row, first, end - first, near, near_rest, near_error);
        else
          off = expected.approximate_block(row, first, end - first, near, near_error);
      }
      if (!(off.absolute >= 0 && off.absolute <= 0x1p60 && off.relative <= 0.5)) {
        lanes.compare_row(path.set, exactly(first, end), first);
        continue;
      }
      const double plain_ratio =
          in_pairs ? lanes.plain_ratio({group_of(row), first / grid.tile_columns, (end - 1) / grid.tile_columns}) : 0;
      const ApproximateFindings found = lanes.pass_approximate(
          path.set, Block{start + first, near, near_rest, near_error, off, steps * Block::step, plain_ratio});
      for (Index step = 0; step < steps;) {  // those that follow one another, at once
        const bool doubtful = (found.doubtful >> step & 1) != 0, unsummed = (found.unsummed >> step & 1) != 0;
        const std::uint64_t same = (doubtful   ? found.doubtful
                                    : unsummed ? found.unsummed
                                               : ~(found.doubtful | found.unsummed)) >>
                                   step;
        const Index from = first + step * Block::step, next = step + (~same == 0 ? steps : __builtin_ctzll(~same));
        step = least(next, steps);
        if (doubtful) lanes.judge_steps(path.set, exactly(from, first + step * Block::step), from);
        if (unsummed) lanes.compare_row(path.set, exactly(from, first + step * Block::step), from);
      }
      const Index rest = first + steps * Block::step;
      if (rest < end) lanes.compare_row(path.set, exactly(rest, end), rest);
    }
  }
#endif

  [[nodiscard]] bool without_errors() const {
    if constexpr (requires { expected.error_free(); })
      return expected.error_free();
    else
      return false;
  }

  ASSAY_FUNCTION Looked judge(T stored, ExpectedElement element) const {
    const AcceptanceInterval accepted = tolerance.template interval<T>(element);
    return {element, accepted, accepted.undetermined ? 0 : error_ratio(tolerance, stored, element, accepted),
            element.error};
  }
};

}  // namespace assay::inline v0::detail
