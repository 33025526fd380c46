#pragma once

#include "assay/compare/detail/partial_comparison.hpp"
#include "assay/compare/detail/record_floor.hpp"
#include "assay/formats/limits.hpp"

namespace assay::inline v0::detail {

/// A group of rows, and the tiles, first and last, whose records some elements may be.
struct RecordsMet {
  Index group, first_tile, last_tile;
};

/// What an element must exceed to be of interest to a chunk's records: only those are looked at one by one.
///
/// A quotient e/a, rounded, exceeds m exactly if e/a ≥ m + ulp(m)/2. Lanes test e − m·a − h·a > 0 with h a little below
/// ulp(m)/2: the first fused difference has the exact sign and the second the room for its rounding, so that nothing
/// above is missed and what ties with m is left alone. Without a fused multiply-add m is lowered instead, and ties are
/// looked at in vain.
struct LaneLimits {
  double absolute = -1;
  double ulps = -1;
  double relative = -1, relative_half = 0;
  double ratio = 0, ratio_half = 0;
  double ratio_least = 0;            ///< what the difference must exceed: 0, or infinity where no ratio can be a record
  bool every_ratio = true;           ///< none was measured yet
  bool every_infinite_ratio = true;  ///< an infinite ratio is a record

  static void split(double maximum, bool fused, double& limit, double& half) {
    const double bounded = maximum < max_finite<float64>() ? maximum : max_finite<float64>();
    limit = fused || bounded < 0 ? bounded : bounded * (1 - 0x1p-50);
    half = fused && bounded > 0 ? unit_in_last_place<float64>(bounded) * 0.4999 : 0;
  }

  /// The largest ratio that is no record, and not seen in the group, any of the tiles or the list of the worst.
  static double ratio_of(const PartialComparison& partial, const RecordFloor& floor, const RecordsMet& met) {
    const double record = RecordFloor::larger(partial.max_ratio.value, floor.ratio);
    const double of_group = RecordFloor::larger(partial.group_ratio[met.group], floor.group_ratio[met.group]);
    double ratio = of_group < record ? of_group : record;
    for (Index tile = met.first_tile; tile <= met.last_tile; ++tile) {
      const double of_tile = RecordFloor::larger(partial.tile_ratio[tile], floor.tile_ratio[tile]);
      ratio = of_tile < ratio ? of_tile : ratio;
    }
    const double worst =
        partial.worst_used < Comparison::worst_count ? 1 : partial.worst[Comparison::worst_count - 1].ratio;
    return worst < ratio ? worst : ratio;
  }

  static LaneLimits of(const PartialComparison& partial, const RecordFloor& floor, const RecordsMet& met,
                       double below_doubt, bool fused) {
    constexpr double infinity = double_of(binary64_layout.infinity_bits());
    LaneLimits limits;
    const auto value = [](const Extremum& extremum, double least) {
      return extremum.position.row < 0 ? -1 : RecordFloor::larger(extremum.value, least);
    };
    limits.absolute = value(partial.max_absolute_error, floor.absolute);
    limits.ulps = value(partial.max_ulp_error, floor.ulps);
    split(value(partial.max_relative_error, floor.relative), fused, limits.relative, limits.relative_half);
    limits.every_ratio = partial.max_ratio.position.row < 0;
    double ratio = ratio_of(partial, floor, met);
    limits.every_infinite_ratio = limits.every_ratio || ratio < infinity;
    ratio = below_doubt < ratio ? below_doubt : ratio;
    limits.ratio_least = ratio < infinity ? 0 : infinity;
    split(ratio, fused, limits.ratio, limits.ratio_half);
    return limits;
  }
};

}  // namespace assay::inline v0::detail
