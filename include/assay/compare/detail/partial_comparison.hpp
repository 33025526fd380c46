#pragma once

#include <cstddef>
#include <vector>

#include "assay/compare/comparison.hpp"
#include "assay/compare/detail/chunk_grid.hpp"
#include "assay/compare/detail/shown_ratio.hpp"
#include "assay/formats/limits.hpp"
#include "assay/tolerance/acceptance_interval.hpp"

namespace assay::inline v0::detail {

/// What is wrong with an element that is not accepted: what came against what was due.
enum class ViolationKind { finite, nan_unexpected, nan_missing, infinity_unexpected, infinity_missing };

[[nodiscard]] ASSAY_FUNCTION inline ViolationKind violation_kind(double out, const AcceptanceInterval& accepted) {
  if (is_nan(out)) return ViolationKind::nan_unexpected;
  if (accepted.nan_accepted && accepted.lower > accepted.upper) return ViolationKind::nan_missing;
  if (is_infinite(out)) return ViolationKind::infinity_unexpected;
  return is_infinite(accepted.lower) && is_infinite(accepted.upper) ? ViolationKind::infinity_missing
                                                                    : ViolationKind::finite;
}

/// What one chunk tells. Trivially copyable: it travels from the device.
struct PartialComparison {
  std::uint64_t elements = 0, violations = 0, undetermined = 0, refined = 0, in_doubt = 0;
  std::uint64_t nan_unexpected = 0, nan_missing = 0, infinity_unexpected = 0, infinity_missing = 0;
  Extremum max_absolute_error, max_relative_error, max_ulp_error, max_ratio;
  ErrorStatistics statistics;
  ComparedElement worst[Comparison::worst_count];
  std::size_t worst_used = 0;
  double tile_ratio[ChunkGrid::most_tile_columns] = {};
  double group_ratio[ChunkGrid::groups_per_band] = {};

  /// An element that is not accepted, by its kind.
  ASSAY_FUNCTION void record_violation(double out, double reference, const AcceptanceInterval& accepted, double ratio,
                                       MatrixPosition position) {
    ++violations;
    switch (violation_kind(out, accepted)) {
      case ViolationKind::nan_unexpected: ++nan_unexpected; break;
      case ViolationKind::nan_missing: ++nan_missing; break;
      case ViolationKind::infinity_unexpected: ++infinity_unexpected; break;
      case ViolationKind::infinity_missing: ++infinity_missing; break;
      case ViolationKind::finite: break;
    }
    remember({position, out, reference, accepted.lower, accepted.upper, ratio});
  }
  /// The errors of a finite element; `place` is the unit in the last place of the reference.
  ASSAY_FUNCTION void measure(double out, double reference, double place, MatrixPosition position) {
    const double size = absolute(out - reference);
    max_absolute_error.consider(size, position);
    if (reference != 0) max_relative_error.consider(size / absolute(reference), position);
    max_ulp_error.consider(size / place, position);
  }
  /// The same in sums; `rounded` is the reference, rounded.
  ASSAY_FUNCTION void sum(double out, double reference, double error_bound, double place, double rounded) {
    const double error = out - reference;
    ++statistics.elements;
    statistics.signed_error += error;
    statistics.squared_error += error * error;
    statistics.squared_reference += reference * reference;
    const double chance = error_bound / place;
    statistics.expected_misrounded += chance < 1 ? chance : 1;
    if (out != rounded) {
      ++statistics.misrounded;
      statistics.misrounded_inward += absolute(out) < absolute(rounded) ? 1 : 0;
    }
  }

  /// What the tile and the group of rows of an element show.
  ASSAY_FUNCTION void show(double ratio, Index tile, Index group) {
    for (double* shown : {&tile_ratio[tile], &group_ratio[group]})
      if (ratio > *shown) *shown = shown_ratio(ratio);
  }
  ASSAY_FUNCTION void remember(const ComparedElement& element) {
    if (worst_used == Comparison::worst_count && !worse(element, worst[worst_used - 1])) return;
    std::size_t place = worst_used < Comparison::worst_count ? worst_used++ : worst_used - 1;
    for (; place > 0 && worse(element, worst[place - 1]); --place) worst[place] = worst[place - 1];
    worst[place] = element;
  }
  /// By ratio; of equals what comes first, row by row: chunks are joined in another order.
  ASSAY_FUNCTION static bool worse(const ComparedElement& left, const ComparedElement& right) {
    if (left.ratio != right.ratio) return left.ratio > right.ratio;
    return left.position.row != right.position.row ? left.position.row < right.position.row
                                                   : left.position.column < right.position.column;
  }
};

/// Puts the chunks' findings together, in their order.
void fold(const std::vector<PartialComparison>& partials, const ChunkGrid& grid, Comparison& comparison);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/compare/detail/partial_comparison.ipp"
#endif
