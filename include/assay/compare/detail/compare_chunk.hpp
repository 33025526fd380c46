#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "assay/compare/comparison.hpp"
#include "assay/compare/detail/chunk_grid.hpp"
#include "assay/compare/refinable_expectation.hpp"
#include "assay/formats/limits.hpp"
#include "assay/tensor/strided_view.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay::detail {

/// What one chunk tells. Trivially copyable: it travels from the device.
struct PartialComparison {
  std::uint64_t elements = 0, violations = 0, undetermined = 0, refined = 0, in_doubt = 0;
  std::uint64_t nan_unexpected = 0, nan_missing = 0, infinity_unexpected = 0, infinity_missing = 0;
  Extremum max_absolute_error, max_relative_error, max_ulp_error, max_ratio;
  ErrorStatistics statistics;
  ComparedElement worst[Comparison::worst_count];
  std::size_t worst_used = 0;
  double tile_ratio[ChunkGrid::most_tiles] = {};

  ASSAY_FUNCTION void remember(const ComparedElement& element) {
    if (worst_used == Comparison::worst_count && !(element.ratio > worst[worst_used - 1].ratio)) return;
    std::size_t place = worst_used < Comparison::worst_count ? worst_used++ : worst_used - 1;
    for (; place > 0 && element.ratio > worst[place - 1].ratio; --place) worst[place] = worst[place - 1];
    worst[place] = element;
  }
};

/// Error over allowed error: ≤ 1 for what is accepted, > 1 for what is not, infinite where no distance is defined.
template <Format T, class Model>
[[nodiscard]] ASSAY_FUNCTION double error_ratio(const Model& tolerance, T stored, ExpectedElement expected, const AcceptanceInterval& accepted) {
  const double out = decode(stored);
  const bool inside = accepted.contains(out);
  if (!is_finite(out) || !is_finite(expected.value)) return inside ? 0 : double_of(binary64_layout.infinity_bits());
  double ratio = 0;
  if constexpr (requires { tolerance.error_ratio(stored, expected); }) {
    ratio = tolerance.error_ratio(stored, expected);
  } else {
    ratio = error_over_interval(out, expected.value, accepted);
  }
  constexpr double just_above_one = 1 + 0x1p-52;
  if (inside) return ratio < 1 ? ratio : 1;  // also where inf/inf says nothing
  return ratio > 1 ? ratio : just_above_one;
}

template <Format T, std::size_t Rank, class Expected, class Model>
struct CompareChunk {
  StridedView<const T, Rank> actual;
  Expected expected;
  Model tolerance;
  ChunkGrid grid;

  ASSAY_FUNCTION void operator()(std::size_t chunk, PartialComparison& partial) const {
    const Index band = static_cast<Index>(chunk) / grid.segments, segment = static_cast<Index>(chunk) % grid.segments;
    const Index last_row = least((band + 1) * grid.band_rows, grid.rows);
    const Index first_column = segment * grid.segment_columns;
    const Index last_column = least(first_column + grid.segment_columns, grid.columns);
    for (Index row = band * grid.band_rows; row < last_row; ++row) {
      const T* start = actual.data + row_offset(row);
      for (Index column = first_column; column < last_column; ++column)
        look_at(start[column * actual.strides[Rank - 1]], {row, column}, partial);
    }
  }

 private:
  ASSAY_FUNCTION static Index least(Index a, Index b) { return a < b ? a : b; }

  ASSAY_FUNCTION Index row_offset(Index row) const {
    Index offset = 0;
    if constexpr (Rank > 1) {
      for (std::size_t d = Rank - 1; d-- > 0;) {
        offset += row % actual.extents[d] * actual.strides[d];
        row /= actual.extents[d];
      }
    }
    return offset;
  }

  /// An element with what is expected of it, judged.
  struct Judged {
    ExpectedElement element;
    AcceptanceInterval accepted;
    double ratio = 0;  ///< of what is determined
  };

  ASSAY_FUNCTION Judged judge(T stored, ExpectedElement element) const {
    const AcceptanceInterval accepted = tolerance.template interval<T>(element);
    return {element, accepted, accepted.undetermined ? 0 : error_ratio(tolerance, stored, element, accepted)};
  }

  ASSAY_FUNCTION void look_at(T stored, MatrixPosition position, PartialComparison& partial) const {
    const double out = decode(stored);
    Judged judged = judge(stored, expected(position.row, position.column));
    if constexpr (RefinableExpectation<Expected>) {
      if (judged.accepted.undetermined || (judged.accepted.contains(out) && judged.ratio >= expected.doubt_ratio())) {
        if (partial.refined < most_refinements_per_chunk) {
          ++partial.refined;
          judged = judge(stored, expected.refine(position.row, position.column));
        } else {
          ++partial.in_doubt;
        }
      }
    }
    const auto& [element, accepted, ratio] = judged;
    ++partial.elements;
    if (accepted.undetermined) {
      ++partial.undetermined;
      return;
    }
    partial.max_ratio.consider(ratio, position);
    double& tile = partial.tile_ratio[position.column / grid.tile_columns];
    if (ratio > tile) tile = ratio;
    if (!accepted.contains(out)) violation(out, element, accepted, ratio, position, partial);
    if (is_finite(out) && is_finite(element.value)) measure(stored, out, element, position, partial);
  }

  ASSAY_FUNCTION void violation(double out, ExpectedElement element, const AcceptanceInterval& accepted, double ratio, MatrixPosition position,
                                PartialComparison& partial) const {
    ++partial.violations;
    if (is_nan(out)) {
      ++partial.nan_unexpected;
    } else if (accepted.nan_accepted && accepted.lower > accepted.upper) {
      ++partial.nan_missing;
    } else if (is_infinite(out)) {
      ++partial.infinity_unexpected;
    } else if (is_infinite(accepted.lower) && is_infinite(accepted.upper)) {
      ++partial.infinity_missing;
    }
    partial.remember({position, out, element.value, accepted.lower, accepted.upper, ratio});
  }

  ASSAY_FUNCTION void measure(T stored, double out, ExpectedElement element, MatrixPosition position, PartialComparison& partial) const {
    const double error = out - element.value, size = absolute(error);
    const double ulp = unit_in_last_place<T>(element.value);
    partial.max_absolute_error.consider(size, position);
    if (element.value != 0) partial.max_relative_error.consider(size / absolute(element.value), position);
    partial.max_ulp_error.consider(size / ulp, position);
    ErrorStatistics& statistics = partial.statistics;
    ++statistics.elements;
    statistics.signed_error += error;
    statistics.squared_error += error * error;
    statistics.squared_reference += element.value * element.value;
    const double chance = element.error / ulp;
    statistics.expected_misrounded += chance < 1 ? chance : 1;
    const double rounded = round_to<T>(element.value);
    if (decode(stored) != rounded) {
      ++statistics.misrounded;
      statistics.misrounded_inward += absolute(out) < absolute(rounded) ? 1 : 0;
    }
  }
};

/// Puts the chunks' findings together, in their order.
inline void fold(const std::vector<PartialComparison>& partials, const ChunkGrid& grid, Comparison& comparison) {
  HeatMap& tiles = comparison.tiles;
  tiles.rows = static_cast<std::size_t>(ChunkGrid::ceil_divide(grid.rows, grid.tile_rows));
  tiles.columns = static_cast<std::size_t>(ChunkGrid::ceil_divide(grid.columns, grid.tile_columns));
  tiles.rows_per_cell = grid.tile_rows;
  tiles.columns_per_cell = grid.tile_columns;
  tiles.values.assign(tiles.rows * tiles.columns, 0);
  comparison.rows_per_group = grid.band_rows;
  comparison.row_ratio.assign(static_cast<std::size_t>(grid.bands), 0);
  for (std::size_t chunk = 0; chunk < partials.size(); ++chunk) {
    const PartialComparison& partial = partials[chunk];
    comparison.elements += partial.elements;
    comparison.violations += partial.violations;
    comparison.undetermined += partial.undetermined;
    comparison.refined += partial.refined;
    comparison.in_doubt += partial.in_doubt;
    comparison.nan_unexpected += partial.nan_unexpected;
    comparison.nan_missing += partial.nan_missing;
    comparison.infinity_unexpected += partial.infinity_unexpected;
    comparison.infinity_missing += partial.infinity_missing;
    comparison.max_absolute_error.join(partial.max_absolute_error);
    comparison.max_relative_error.join(partial.max_relative_error);
    comparison.max_ulp_error.join(partial.max_ulp_error);
    comparison.max_ratio.join(partial.max_ratio);
    comparison.statistics.join(partial.statistics);
    comparison.worst.insert(comparison.worst.end(), partial.worst, partial.worst + partial.worst_used);
    const std::size_t band = chunk / static_cast<std::size_t>(grid.segments);
    comparison.row_ratio[band] = std::max(comparison.row_ratio[band], partial.max_ratio.value);
    const std::size_t tile_row = band * static_cast<std::size_t>(grid.band_rows) / static_cast<std::size_t>(grid.tile_rows);
    for (std::size_t column = 0; column < tiles.columns; ++column) {
      double& cell = tiles.values[tile_row * tiles.columns + column];
      cell = std::max(cell, partial.tile_ratio[column]);
    }
  }
  std::sort(comparison.worst.begin(), comparison.worst.end(), [](const ComparedElement& left, const ComparedElement& right) {
    if (left.ratio != right.ratio) return left.ratio > right.ratio;
    return left.position.row != right.position.row ? left.position.row < right.position.row : left.position.column < right.position.column;
  });
  if (comparison.worst.size() > Comparison::worst_count) comparison.worst.resize(Comparison::worst_count);
}

}  // namespace assay::detail
