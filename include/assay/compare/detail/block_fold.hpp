#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/compare/detail/block_findings.hpp"
#include "assay/compare/detail/block_layout.hpp"

namespace assay::inline v0::detail {

/// Joins the units of a band to what a chunk of one segment tells, so that little travels: at most 64 bands, whatever
/// the extents.
struct BlockFold {
  static constexpr int threads = 128;
  struct Shared {};
  static_assert(ChunkGrid::most_tile_columns <= threads && ChunkGrid::groups_per_band == 4);

  BlockLayout layout;
  const UnitFindings* findings;
  const double* tiles;
  const ComparedElement* worst;
  PartialComparison* bands;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    const auto band = static_cast<Index>(block.index());
    const Index units = layout.units_of_band(), first = band * units;
    PartialComparison& partial = bands[band];
    block.each([&](int thread) {
      if (thread == 0) partial = PartialComparison{};
    });
    typename Block::template PerThread<Extremum> extremum;
    for (int measure = 0; measure < measures; ++measure) {
      block.each([&](int thread) {
        for (Index unit = first + thread; unit < first + units; unit += threads)
          extremum[thread].join(extremum_of(unit, measure));
      });
      const Extremum joined = block.reduce(extremum, JoinExtrema{});
      block.each([&](int thread) {
        if (thread == 0)
          (measure == absolute_measure   ? partial.max_absolute_error
           : measure == relative_measure ? partial.max_relative_error
           : measure == ulp_measure      ? partial.max_ulp_error
                                         : partial.max_ratio) = joined;
        extremum[thread] = Extremum{};
      });
    }
    add_sums(block, first, units, partial);
    block.each([&](int thread) {
      if (thread < static_cast<int>(ChunkGrid::most_tile_columns))
        partial.tile_ratio[thread] = shown_ratio(largest_of_tile(first, thread));
    });
    raise_groups(block, first, units, partial);
    gather_worst(block, first, units, partial);
  }

 private:
  struct JoinExtrema {
    ASSAY_FUNCTION Extremum operator()(Extremum a, const Extremum& b) const {
      a.join(b);
      return a;
    }
  };
  struct Counts {
    std::uint64_t items[4] = {};
  };
  struct JoinCounts {
    ASSAY_FUNCTION Counts operator()(const Counts& a, const Counts& b) const {
      return {{a.items[0] + b.items[0], a.items[1] + b.items[1], a.items[2] + b.items[2], a.items[3] + b.items[3]}};
    }
  };

  [[nodiscard]] ASSAY_FUNCTION Extremum extremum_of(Index unit, int measure) const {
    const Peak peak = findings[unit].peaks[measure];
    if (peak.place == Peak::nowhere) return {};
    const BlockLayout::Window window = layout.window_of(unit);
    const Index columns = window.last_column - window.first_column, place = peak.place;
    return {peak.value, {window.first_row + place / columns, window.first_column + place % columns}};
  }

  template <class Block>
  ASSAY_FUNCTION void add_sums(Block& block, Index first, Index units, PartialComparison& partial) const {
    typename Block::template PerThread<UnitSums> sums;
    typename Block::template PerThread<Counts> elements, kinds, specials;
    block.each([&](int thread) {
      for (Index unit = first + thread; unit < first + units; unit += threads) {
        const UnitFindings& found = findings[unit];
        const BlockLayout::Window window = layout.window_of(unit);
        const auto size = static_cast<std::uint64_t>((window.last_row - window.first_row) *
                                                     (window.last_column - window.first_column));
        sums[thread] = JoinSums{}(sums[thread], found.sums);
        elements[thread] =
            JoinCounts{}(elements[thread],
                         {{size, size - found.counts.left_out, found.roundings.misrounded, found.roundings.inward}});
        kinds[thread] = JoinCounts{}(kinds[thread],
                                     {{found.counts.violations, found.counts.undetermined, found.counts.refined, 0}});
        specials[thread] =
            JoinCounts{}(specials[thread], {{found.counts.nan_unexpected, found.counts.nan_missing,
                                             found.counts.infinity_unexpected, found.counts.infinity_missing}});
      }
    });
    const UnitSums sum = block.reduce(sums, JoinSums{});
    const Counts all = block.reduce(elements, JoinCounts{}), by_kind = block.reduce(kinds, JoinCounts{}),
                 special = block.reduce(specials, JoinCounts{});
    block.each([&](int thread) {
      if (thread != 0) return;
      partial.elements = all.items[0];
      partial.statistics = {all.items[1], sum.signed_error, sum.squared_error, sum.squared_reference,
                            all.items[2], sum.chance,       all.items[3]};
      partial.violations = by_kind.items[0];
      partial.undetermined = by_kind.items[1];
      partial.refined = by_kind.items[2];
      partial.nan_unexpected = special.items[0];
      partial.nan_missing = special.items[1];
      partial.infinity_unexpected = special.items[2];
      partial.infinity_missing = special.items[3];
    });
  }

  [[nodiscard]] ASSAY_FUNCTION double largest_of_tile(Index first, Index tile) const {
    const Index width = layout.grid.tile_columns, window = layout.lanes * layout.vector;
    if (tile * width >= layout.grid.columns) return 0;
    const Index last_column = (tile + 1) * width < layout.grid.columns ? (tile + 1) * width : layout.grid.columns;
    const bool inside = layout.across_tile > 0;
    const Index begin = inside ? tile * layout.across_tile : tile * width / window,
                end = inside ? begin + layout.across_tile : (last_column - 1) / window + 1;
    double ratio = 0;
    for (Index row = 0; row < layout.groups * layout.parts; ++row)
      for (Index place = begin; place < end; ++place) {
        const Index unit = first + row * layout.across + place,
                    of_unit = inside || layout.tiles_of_unit == 1 ? 0 : tile - place * window / width;
        const double own = tiles[unit * layout.tiles_of_unit + of_unit];
        ratio = own > ratio ? own : ratio;
      }
    return ratio;
  }

  template <class Block>
  ASSAY_FUNCTION void raise_groups(Block& block, Index first, Index units, PartialComparison& partial) const {
    struct Groups {
      double ratio[ChunkGrid::groups_per_band] = {};
    };
    struct Join {
      ASSAY_FUNCTION Groups operator()(const Groups& a, const Groups& b) const {
        Groups joined;
        for (int group = 0; group < ChunkGrid::groups_per_band; ++group)
          joined.ratio[group] = a.ratio[group] > b.ratio[group] ? a.ratio[group] : b.ratio[group];
        return joined;
      }
    };
    typename Block::template PerThread<Groups> groups;
    block.each([&](int thread) {
      for (Index unit = first + thread; unit < first + units; unit += threads) {
        const Peak peak = findings[unit].peaks[ratio_measure];
        double& ratio = groups[thread].ratio[layout.group_of(unit)];
        if (peak.place != Peak::nowhere && peak.value > ratio) ratio = peak.value;
      }
    });
    const Groups joined = block.reduce(groups, Join{});
    block.each([&](int thread) {
      if (thread < ChunkGrid::groups_per_band) partial.group_ratio[thread] = shown_ratio(joined.ratio[thread]);
    });
  }

  struct WorstPlace {
    double ratio = -1;
    Index row = 0, column = 0;
    [[nodiscard]] ASSAY_FUNCTION bool before(const WorstPlace& other) const {
      if (ratio != other.ratio) return ratio > other.ratio;
      return row != other.row ? row < other.row : column < other.column;
    }
  };
  struct JoinWorst {
    ASSAY_FUNCTION WorstPlace operator()(const WorstPlace& a, const WorstPlace& b) const { return b.before(a) ? b : a; }
  };
  /// The worst elements of all units, one after the other.
  template <class Block>
  ASSAY_FUNCTION void gather_worst(Block& block, Index first, Index units, PartialComparison& partial) const {
    if (partial.violations == 0) return;
    typename Block::template PerThread<WorstPlace> candidate;
    typename Block::template PerThread<Index> from;
    constexpr auto most = static_cast<Index>(Comparison::worst_count);
    WorstPlace last;
    for (Index used = 0; used < most; ++used) {
      block.each([&](int thread) {
        candidate[thread] = WorstPlace{};
        for (Index unit = first + thread; unit < first + units; unit += threads)
          for (Index i = 0; i < static_cast<Index>(findings[unit].worst_used); ++i) {
            const ComparedElement& element = worst[unit * most + i];
            const WorstPlace place{element.ratio, element.position.row, element.position.column};
            if ((used > 0 && !last.before(place)) || !place.before(candidate[thread])) continue;
            candidate[thread] = place;
            from[thread] = unit * most + i;
          }
      });
      const WorstPlace next = block.reduce(candidate, JoinWorst{});
      if (next.ratio < 0) break;
      block.each([&](int thread) {
        if (candidate[thread].ratio != next.ratio || candidate[thread].row != next.row ||
            candidate[thread].column != next.column)
          return;
        partial.worst[used] = worst[from[thread]];
        partial.worst_used = static_cast<std::size_t>(used + 1);
      });
      last = next;
    }
  }
};

}  // namespace assay::inline v0::detail
