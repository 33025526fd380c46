#pragma once

#include "assay/compare/detail/chunk_grid.hpp"

namespace assay::inline v0::detail {

/// What the records of a chunk will certainly exceed, from a sample of its rows; so that few elements are looked at
/// only to be surpassed. Each number lies a little below a measured one, or is 0, and says nothing of elements that are
/// not finite.
struct RecordFloor {
  double absolute = 0, ulps = 0, relative = 0, ratio = 0;
  double tile_ratio[ChunkGrid::most_tile_columns] = {};
  double group_ratio[ChunkGrid::groups_per_band] = {};

  static constexpr double lowered = 1 - 0x1p-20;  ///< by more than the roundings of singles

  static double larger(double a, double b) { return a > b ? a : b; }
  static void raise(double& floor, double measured) { floor = larger(floor, measured * lowered); }
};

}  // namespace assay::inline v0::detail
