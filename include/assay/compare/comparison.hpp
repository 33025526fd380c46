#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "assay/core/heat_map.hpp"
#include "assay/core/index.hpp"
#include "assay/tolerance/error_statistics.hpp"

namespace assay::inline v0 {

/// An element of an output seen as a matrix: all leading dimensions flattened into rows.
struct MatrixPosition {
  Index row = -1;     ///< −1: none
  Index column = -1;  ///< −1: none
};

/// One element that was looked at: what came, what was expected, what would have been accepted.
struct ComparedElement {
  MatrixPosition position;
  double actual = 0;  ///< as the kernel stored it, decoded
  double expected = 0;
  double lower = 0;  ///< of the acceptance interval
  double upper = 0;  ///< largest accepted value
  double ratio = 0;  ///< error / allowed error: at most 1 if accepted, above 1 if not
};

/// The largest of a measure, and where it stands. `position.row` is −1 if there was nothing to measure.
struct Extremum {
  double value = 0;  ///< 0 where nothing was measured
  MatrixPosition position;

  /// Keeps the larger; on a tie what came first, so that the result does not depend on the schedule.
  ASSAY_FUNCTION void consider(double candidate, MatrixPosition at) {
    if (position.row < 0 || candidate > value) {
      value = candidate;
      position = at;
    }
  }
  /// Of equals keeps the first, row by row: chunks are joined in another order.
  ASSAY_FUNCTION void join(const Extremum& other) {
    if (other.position.row < 0) return;
    const bool before = other.position.row != position.row ? other.position.row < position.row
                                                           : other.position.column < position.column;
    if (position.row < 0 || other.value > value || (other.value == value && before)) *this = other;
  }
};

/// Everything one pass over an output and its reference tells.
struct Comparison {
  static constexpr std::size_t worst_count = 8;  ///< how many elements `worst` holds at most

  Index rows = 0;                  ///< of the matrix; leading dimensions are flattened into rows
  Index columns = 0;               ///< of the matrix
  std::uint64_t elements = 0;      ///< rows × columns
  std::uint64_t violations = 0;    ///< outside their acceptance interval
  std::uint64_t undetermined = 0;  ///< nothing could be said of them
  std::uint64_t refined = 0;       ///< in doubt under a cheap E, and decided with the exact one
  std::uint64_t in_doubt =
      0;  ///< in doubt beyond the limit of refinements: accepted, or undetermined, under the cheap E
  std::uint64_t nan_unexpected = 0;       ///< NaN where a number is due (of the violations)
  std::uint64_t nan_missing = 0;          ///< a number or an infinity where NaN is due (of the violations)
  std::uint64_t infinity_unexpected = 0;  ///< an infinity where a finite number or the other infinity is due
  std::uint64_t infinity_missing = 0;     ///< finite where an infinity is due
  Extremum max_absolute_error;            ///< |out − r|, finite elements only
  Extremum max_relative_error;            ///< |out − r|/|r|, finite elements with r ≠ 0
  Extremum max_ulp_error;                 ///< |out − r| in units in the last place of the output's format at r
  Extremum max_ratio;                     ///< error / allowed; infinite for NaN and infinity violations
  ErrorStatistics statistics;
  std::vector<ComparedElement>
      worst;  ///< the largest ratios among violations, at most `worst_count`, largest first, row by row among equals
  /// Largest ratio of each group of `rows_per_group` consecutive rows, rounded up to five significant bits (so is that
  /// of a tile): 1 stays 1, and what lies above it above it.
  std::vector<double> row_ratio;
  Index rows_per_group = 1;  ///< rows that one entry stands for
  HeatMap
      tiles;  ///< largest ratio of each tile, rounded likewise; at most 64 × 32 tiles, of what is right perhaps fewer

  /// Nothing refuted; undetermined elements may remain.
  [[nodiscard]] bool no_violations() const { return violations == 0; }
};

}  // namespace assay::inline v0
