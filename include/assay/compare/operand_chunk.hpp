#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/compare/any_expectation.hpp"
#include "assay/compare/detail/compare_blocks.hpp"
#include "assay/compare/detail/looked_element.hpp"
#include "assay/compare/detail/partial_comparison.hpp"
#include "assay/compare/refinable_expectation.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/tolerance/chosen.hpp"

namespace assay::inline v0::detail {

/// What a tolerance accepts of an element whose format is chosen at run time.
[[nodiscard]] ASSAY_FUNCTION inline AcceptanceInterval operand_interval(const ElementFormat& format,
                                                                        const ChosenTolerance& tolerance,
                                                                        ExpectedElement expected) {
  const double stored = format.round(expected.value);
  if (is_nan(expected.value))
    return is_nan(stored) ? AcceptanceInterval::only_nan() : AcceptanceInterval::nothing_known();
  if (is_infinite(expected.value))
    return is_nan(stored) ? AcceptanceInterval::only_nan() : AcceptanceInterval{stored, stored, false, false};
  switch (tolerance.kind) {
    case ChosenTolerance::Kind::derived: break;
    case ChosenTolerance::Kind::exact: expected.error = 0; break;
    case ChosenTolerance::Kind::ulps:
      if (format.is_float()) return interval_of_places(format.layout, expected.value, tolerance.ulps);
      expected.error = static_cast<double>(tolerance.ulps) * format.unit_in_last_place(expected.value);
      break;
    case ChosenTolerance::Kind::preset:
    case ChosenTolerance::Kind::absolute_relative: {
      const bool preset = tolerance.kind == ChosenTolerance::Kind::preset;
      const AbsoluteRelativeTolerance fixed = preset
                                                  ? preset_tolerance(format, tolerance.preset)
                                                  : AbsoluteRelativeTolerance{tolerance.absolute, tolerance.relative};
      expected.error = fixed.allowed(expected.value);
      if (format.is_float()) return interval_around(expected.value, expected.error, stored);
      break;
    }
  }
  return derived_interval(expected, format, format.max_finite());
}

/// What came, judged; of what is determined, error over allowed.
[[nodiscard]] ASSAY_FUNCTION inline double operand_ratio(const ElementFormat& format, double out, double reference,
                                                         const AcceptanceInterval& accepted) {
  const bool inside = accepted.contains(out);
  if (!is_finite(out) || !is_finite(reference)) return inside ? 0 : double_of(binary64_layout.infinity_bits());
  const double ratio = error_over_interval(out, reference, accepted);
  if (!inside) return ratio > 1 ? ratio : 1 + 0x1p-52;
  if (format.round(reference) == out) return 0;  // the reference itself, rounded
  return ratio > 1 ? 1 : ratio;
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

  [[nodiscard]] bool in_doubt(double out, ExpectedElement element, const AcceptanceInterval& accepted) const {
    return is_finite(element.value) && actual.format.round(element.value) != out &&
           leaves_doubt(out, element.value, accepted, error_over_interval(out, element.value, accepted),
                        expected.doubt_ratio());
  }

  ASSAY_FUNCTION void look_at(MatrixPosition position, PartialComparison& partial) const {
    const ElementFormat& format = actual.format;
    const double out = actual.load(position.row * grid.columns + position.column);
    ExpectedElement element = expected(position.row, position.column);
    AcceptanceInterval accepted = operand_interval(format, tolerance, element);
    ++partial.elements;
    if constexpr (std::is_same_v<Expected, AnyExpectation>) {  // on the host
      if (expected.refines() &&
          (accepted.undetermined || (accepted.contains(out) && in_doubt(out, element, accepted)))) {
        if (partial.refined < expected.most_refinements()) {
          ++partial.refined;
          element = expected.refine(position.row, position.column);
          accepted = operand_interval(format, tolerance, element);
        } else {
          ++partial.in_doubt;
        }
      }
    }
    if (accepted.undetermined) {
      ++partial.undetermined;
      return;
    }
    const bool inside = accepted.contains(out), finite = is_finite(out) && is_finite(element.value);
    const double ratio = operand_ratio(format, out, element.value, accepted);
    partial.max_ratio.consider(ratio, position);
    partial.show(ratio, position.column / grid.tile_columns, position.row % grid.band_rows / grid.group_rows);
    if (!inside) partial.record_violation(out, element.value, accepted, ratio, position);
    if (!finite) return;
    const double place = format.unit_in_last_place(element.value);
    partial.measure(out, element.value, place, position);
    partial.sum(out, element.value, element.error, place, format.round(element.value));
  }
};

/// The elements of an operand for blocks of threads: all are looked at. Nothing is refined, as what is expected on
/// devices is exact.
template <class Expected>
struct OperandWork {
  using Sum = double;
  using Measured = MeasuredVector<double>;
  struct Loaded {};
  static constexpr Index widest = 1;
  static constexpr std::uint32_t turns_of_sums = 1;
  static constexpr int blocks_at_once = 4;

  Operand actual;
  Expected expected;
  ChosenTolerance tolerance;
  Index columns;

  [[nodiscard]] ASSAY_FUNCTION bool load(Index, Index, int, Loaded&) const { return false; }
  ASSAY_FUNCTION void measure(const Loaded&, Measured&) const {}
  ASSAY_FUNCTION void measure_one(Index, Index, Measured&) const {}
  [[nodiscard]] ASSAY_FUNCTION bool only_zeros(const Loaded&) const { return true; }
  [[nodiscard]] ASSAY_FUNCTION bool ordinary(const Measured&) const { return false; }
  [[nodiscard]] ASSAY_FUNCTION double chance_unit() const { return 1; }
  [[nodiscard]] ASSAY_FUNCTION double accepted_ratio(Index, Index) const { return 0; }
  ASSAY_FUNCTION void values(Index, Index, double&, double&) const {}
  [[nodiscard]] ASSAY_FUNCTION double place_at(double) const { return 1; }

  [[nodiscard]] ASSAY_FUNCTION LookedElement look(Index row, Index column) const {
    const ElementFormat& format = actual.format;
    const ExpectedElement element = expected(row, column);
    LookedElement seen;
    seen.out = actual.load(row * columns + column);
    seen.reference = element.value;
    seen.error_of_sums = element.error;
    seen.accepted = operand_interval(format, tolerance, element);
    if (!seen.accepted.undetermined) seen.ratio = operand_ratio(format, seen.out, element.value, seen.accepted);
    if (is_finite(element.value)) {
      seen.place = format.unit_in_last_place(element.value);
      seen.rounded = format.round(element.value);
    }
    return seen;
  }
};

/// Comparison element by element, for any format and layout.
template <ParallelBackend B, class Expected>
[[nodiscard]] Result<Comparison> compare_elements(B& backend, typename B::Stream& stream, const Operand& actual,
                                                  const Expected& expected, const ChosenTolerance& tolerance) {
  Comparison comparison;
  comparison.columns = actual.rank > 0 ? actual.extents[actual.rank - 1] : 1;
  comparison.rows = 1;
  for (int d = 0; d + 1 < actual.rank; ++d) comparison.rows *= actual.extents[d];
  comparison.tiles.title = "largest error / allowed of each tile";
  if (comparison.rows == 0 || comparison.columns == 0) return comparison;
  if constexpr (BlockBackend<B> && !backend_runs_on_host<B>)
    return compare_blocks(backend, stream, OperandWork<Expected>{actual, expected, tolerance, comparison.columns},
                          BlockLayout::over(comparison.rows, comparison.columns, 1));
  const ChunkGrid grid = ChunkGrid::over(comparison.rows, comparison.columns);
  auto partials =
      parallel_partials<PartialComparison>(backend, stream, static_cast<std::size_t>(grid.chunks()),
                                           CompareOperandChunk<Expected>{actual, expected, tolerance, grid});
  if (!partials) return partials.propagate();
  fold(partials.value(), grid, comparison);
  return comparison;
}

}  // namespace assay::inline v0::detail
