#pragma once

#include <cstddef>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/compare/detail/partial_comparison.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/tolerance/chosen.hpp"

namespace assay::detail {

/// What a tolerance accepts of an element whose format is chosen at run time.
[[nodiscard]] ASSAY_FUNCTION inline AcceptanceInterval operand_interval(const ElementFormat& format, const ChosenTolerance& tolerance, ExpectedElement expected) {
  const double stored = format.round(expected.value);
  if (is_nan(expected.value)) return is_nan(stored) ? AcceptanceInterval::only_nan() : AcceptanceInterval::nothing_known();
  if (is_infinite(expected.value)) return is_nan(stored) ? AcceptanceInterval::only_nan() : AcceptanceInterval{stored, stored, false, false};
  double reach = expected.error;
  switch (tolerance.kind) {
    case ChosenTolerance::Kind::derived: break;
    case ChosenTolerance::Kind::exact: reach = 0; break;
    case ChosenTolerance::Kind::ulps: reach = static_cast<double>(tolerance.ulps) * format.unit_in_last_place(expected.value); break;
    case ChosenTolerance::Kind::preset: {
      const double factor = tolerance.preset == Preset::strict ? 0.1 : tolerance.preset == Preset::normal ? 1 : 10;
      reach = factor * format.unit_roundoff() * (100 + 1000 * absolute(expected.value));
      break;
    }
    case ChosenTolerance::Kind::absolute_relative: reach = tolerance.absolute + tolerance.relative * absolute(expected.value); break;
  }
  if (!is_finite(reach)) return AcceptanceInterval::nothing_known();
  const double slack = reach == 0 ? 0 : (reach + absolute(expected.value)) * 0x1p-52;
  const double lower = format.round(expected.value - reach - slack), upper = format.round(expected.value + reach + slack);
  if (!is_nan(lower) && !is_nan(upper)) return {lower, upper, false, false};
  const bool one_sign = (expected.value - reach > 0) == (expected.value + reach > 0);
  if (is_nan(lower) && is_nan(upper) && one_sign) return AcceptanceInterval::only_nan();
  return {is_nan(lower) ? -format.max_finite() : lower, is_nan(upper) ? format.max_finite() : upper, true, false};
}

/// Compares a chunk of an operand element by element.
template <class Expected>
struct CompareOperandChunk {
  Operand actual;
  Expected expected;
  ChosenTolerance tolerance;
  ChunkGrid grid;

  ASSAY_FUNCTION void operator()(std::size_t chunk, PartialComparison& partial) const {
    const Index band = static_cast<Index>(chunk) / grid.segments, segment = static_cast<Index>(chunk) % grid.segments;
    const Index last_row = least((band + 1) * grid.band_rows, grid.rows), first_column = segment * grid.segment_columns;
    const Index last_column = least(first_column + grid.segment_columns, grid.columns);
    for (Index row = band * grid.band_rows; row < last_row; ++row)
      for (Index column = first_column; column < last_column; ++column) look_at({row, column}, partial);
  }

 private:
  ASSAY_FUNCTION static Index least(Index a, Index b) { return a < b ? a : b; }

  ASSAY_FUNCTION void look_at(MatrixPosition position, PartialComparison& partial) const {
    const ElementFormat& format = actual.format;
    const double out = actual.load(position.row * grid.columns + position.column);
    const ExpectedElement element = expected(position.row, position.column);
    const AcceptanceInterval accepted = operand_interval(format, tolerance, element);
    ++partial.elements;
    if (accepted.undetermined) {
      ++partial.undetermined;
      return;
    }
    const bool inside = accepted.contains(out), finite = is_finite(out) && is_finite(element.value);
    double ratio = !finite ? (inside ? 0 : double_of(binary64_layout.infinity_bits())) : error_over_interval(out, element.value, accepted);
    if (finite && inside && ratio > 1) ratio = 1;
    if (finite && !inside && !(ratio > 1)) ratio = 1 + 0x1p-52;
    if (finite && inside && format.round(element.value) == out) ratio = 0;  // the reference itself, rounded
    partial.max_ratio.consider(ratio, position);
    double& tile = partial.tile_ratio[position.column / grid.tile_columns];
    tile = ratio > tile ? ratio : tile;
    double& group = partial.group_ratio[position.row % grid.band_rows / grid.group_rows];
    group = ratio > group ? ratio : group;
    if (!inside) {
      ++partial.violations;
      if (is_nan(out)) ++partial.nan_unexpected;
      else if (accepted.nan_accepted && accepted.lower > accepted.upper) ++partial.nan_missing;
      else if (is_infinite(out)) ++partial.infinity_unexpected;
      else if (is_infinite(accepted.lower) && is_infinite(accepted.upper)) ++partial.infinity_missing;
      partial.remember({position, out, element.value, accepted.lower, accepted.upper, ratio});
    }
    if (!finite) return;
    const double error = out - element.value, size = absolute(error), place = format.unit_in_last_place(element.value);
    partial.max_absolute_error.consider(size, position);
    if (element.value != 0) partial.max_relative_error.consider(size / absolute(element.value), position);
    partial.max_ulp_error.consider(size / place, position);
    ErrorStatistics& statistics = partial.statistics;
    ++statistics.elements;
    statistics.signed_error += error;
    statistics.squared_error += error * error;
    statistics.squared_reference += element.value * element.value;
    const double chance = element.error / place, rounded = format.round(element.value);
    statistics.expected_misrounded += chance < 1 ? chance : 1;
    statistics.misrounded += out != rounded ? 1 : 0;
    statistics.misrounded_inward += out != rounded && absolute(out) < absolute(rounded) ? 1 : 0;
  }
};

/// Comparison element by element, for any format and layout.
template <ParallelBackend B, class Expected>
[[nodiscard]] Result<Comparison> compare_elements(B& backend, typename B::Stream& stream, const Operand& actual, const Expected& expected, const ChosenTolerance& tolerance) {
  Comparison comparison;
  comparison.columns = actual.rank > 0 ? actual.extents[actual.rank - 1] : 1;
  comparison.rows = 1;
  for (int d = 0; d + 1 < actual.rank; ++d) comparison.rows *= actual.extents[d];
  comparison.tiles.title = "largest error / allowed of each tile";
  if (comparison.rows == 0 || comparison.columns == 0) return comparison;
  const ChunkGrid grid = ChunkGrid::over(comparison.rows, comparison.columns);
  auto partials = parallel_partials<PartialComparison>(backend, stream, static_cast<std::size_t>(grid.chunks()), CompareOperandChunk<Expected>{actual, expected, tolerance, grid});
  if (!partials) return partials.propagate();
  fold(partials.value(), grid, comparison);
  return comparison;
}

}  // namespace assay::detail
