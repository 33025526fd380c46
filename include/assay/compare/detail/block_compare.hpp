#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/compare/detail/block_keys.hpp"
#include "assay/compare/detail/block_layout.hpp"
#include "assay/compare/detail/block_measure.hpp"

namespace assay::inline v0::detail {

/// Compares a unit, in one pass over its memory. Threads measure approximately, in few instructions without divisions;
/// what is odd they look at exactly at once. Who came near the largest of a measure in its unit then looks again at the
/// few elements that may have it. So exact looks are few whatever the data, but for what is wrong or not finite, and
/// nothing depends on what other blocks have seen.
///
/// `Work` knows the elements: see `TypedWork` and `OperandWork`.
template <class Work>
struct BlockCompare {
  static constexpr int threads = static_cast<int>(BlockLayout::threads);
  static constexpr int blocks_at_once = Work::blocks_at_once;
  struct Shared {
    double ratio[BlockLayout::threads];       ///< of each thread
    std::uint32_t key[BlockLayout::threads];  ///< of its largest ratio
    int tile[BlockLayout::threads];           ///< that it sees, counted in the unit
    std::uint32_t largest[ChunkGrid::most_tile_columns + 1];
  };

  Work work;
  BlockLayout layout;
  UnitFindings* findings;
  double* tiles;           ///< of unit u from u · tiles_of_unit on
  ComparedElement* worst;  ///< of unit u from u · worst_count on

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    const auto unit = static_cast<Index>(block.index());
    const BlockLayout::Window window = layout.window_of(unit);
    typename Block::template PerThread<ThreadMemory> memory;
    typename Block::template PerThread<UnitKeys> keys;
    block.each([&](int thread) {
      measure(window, thread, memory[thread]);
      const ThreadTotals& totals = memory[thread].totals;
      for (int measure = 0; measure < measures; ++measure) keys[thread].most[measure] = totals.keys.most[measure];
      keys[thread].looked_at = totals.looked_at;
      if (layout.tiles_of_unit > 1) {
        const Index column = window.first_column + thread % layout.lanes * layout.vector;
        shared.key[thread] = totals.keys.most[ratio_measure];
        shared.tile[thread] =
            static_cast<int>(column / layout.grid.tile_columns - window.first_column / layout.grid.tile_columns);
      }
    });
    const UnitKeys largest = block.reduce(keys, JoinKeys{});
    if (layout.tiles_of_unit > 1)
      block.each([&](int thread) {
        if (thread < layout.tiles_of_unit)
          shared.largest[thread] = largest_in_tile<std::uint32_t>(shared, shared.key, thread);
      });
    block.each([&](int thread) {
      UnitKeys own_largest = largest;  // each tile has its own ratio
      if (layout.tiles_of_unit > 1) own_largest.most[ratio_measure] = shared.largest[shared.tile[thread]];
      find_peaks(window, thread, own_largest, memory[thread]);
    });
    conclude(block, shared, unit, window, largest.looked_at > 0, memory);
  }

 private:
  /// What a thread sees of a window: in each pass, columns [column, column + count) of every rows_at_once-th row. Its
  /// turns are counted through all passes; two rows are one turn.
  struct Way {
    Index row, column, row_step, column_step, last_column;
    std::uint32_t rows = 0, turns_of_pass = 0, turns = 0, turns_at_once = 1;
    int vector = 0;

    [[nodiscard]] ASSAY_FUNCTION int count(std::uint32_t pass) const {
      const Index left = last_column - (column + static_cast<Index>(pass) * column_step);
      return left < 0 ? 0 : left < vector ? static_cast<int>(left) : vector;
    }
    /// So many turns are one time.
    [[nodiscard]] ASSAY_FUNCTION std::uint32_t time(std::uint32_t turn) const {
      return turns_at_once == 1 ? turn : turn / turns_at_once;
    }
  };
  [[nodiscard]] ASSAY_FUNCTION Way way_of(const BlockLayout::Window& window, int thread) const {
    const auto lanes = static_cast<int>(layout.lanes), vector = static_cast<int>(layout.vector);
    const int place = lanes == threads ? 0 : thread / lanes, lane = thread - place * lanes;
    Way way{window.first_row + place, window.first_column + lane * vector, layout.rows_at_once, lanes * vector,
            window.last_column};
    way.vector = vector;
    const Index left = place < static_cast<int>(layout.rows_at_once) ? window.last_row - way.row : 0;
    if (left > 0 && way.column < window.last_column) {
      way.rows = static_cast<std::uint32_t>(
          layout.rows_at_once == 1 ? left : (left + layout.rows_at_once - 1) / layout.rows_at_once);
      way.turns_of_pass = (way.rows + 1) / 2;
      way.turns = way.turns_of_pass * static_cast<std::uint32_t>(layout.passes);
      if (way.turns > ThreadKeys::times) way.turns_at_once = (way.turns + ThreadKeys::times - 1) / ThreadKeys::times;
    }
    return way;
  }
  [[nodiscard]] ASSAY_FUNCTION static std::uint32_t place_of(const BlockLayout::Window& window, Index row,
                                                             Index column) {
    return static_cast<std::uint32_t>((row - window.first_row) * (window.last_column - window.first_column) +
                                      (column - window.first_column));
  }

  /// All turns of a thread.
  ASSAY_FUNCTION void measure(const BlockLayout::Window& window, int thread, ThreadMemory& memory) const {
    const Way way = way_of(window, thread);
    ThreadTotals own;
    typename Work::Sum part[4] = {};
    std::uint32_t odd = 0, turn = 0;  // odd: times
    for (std::uint32_t pass = 0; pass < static_cast<std::uint32_t>(layout.passes); ++pass) {
      const int count = way.count(pass);
      const Index column = way.column + static_cast<Index>(pass) * way.column_step;
      Index row = way.row;
      for (std::uint32_t below = 0; below < way.rows; below += 2, row += 2 * way.row_step, ++turn) {
        typename Work::Measured pair;
        const std::uint32_t time = way.time(turn);
        if (measure_pair(row, way.row_step, column, count, below + 1 < way.rows, pair))
          take(pair, time, own, part);
        else
          odd |= std::uint32_t{1} << time;
        if (sizeof(typename Work::Sum) == 8 || turn % Work::turns_of_sums == Work::turns_of_sums - 1)
          settle(part, own.sums);
      }
    }
    settle(part, own.sums);
    memory.totals = own;
    if (odd != 0) measure_singly(window, way, odd, memory);
    memory.totals.sums.chance *= work.chance_unit();
  }
  /// Two rows as vectors, if they can be loaded and are ordinary.
  [[nodiscard]] ASSAY_FUNCTION bool measure_pair(Index row, Index row_step, Index column, int count, bool both,
                                                 typename Work::Measured& pair) const {
    typename Work::Loaded first, second;
    const bool whole = work.load(row, column, count, first);
    const bool whole_too = !both || work.load(row + row_step, column, count, second);
    if (!whole || !whole_too) return false;
    work.measure(first, pair);
    if (both) work.measure(second, pair);
    if (!pair.has_references()) pair.only_zeros = work.only_zeros(first) && (!both || work.only_zeros(second));
    return work.ordinary(pair);
  }
  /// Calls `body(row, column, whole)` for the elements of a turn, one by one; `whole`: it was measured on vectors.
  template <class Body>
  ASSAY_FUNCTION void each_of_turn(const Way& way, std::uint32_t turn, const Body& body) const {
    const std::uint32_t pass = way.turns == way.turns_of_pass ? 0 : turn / way.turns_of_pass,
                        below = 2 * (turn - pass * way.turns_of_pass);
    const Index row = way.row + static_cast<Index>(below) * way.row_step,
                column = way.column + static_cast<Index>(pass) * way.column_step;
    const int count = way.count(pass);
    const bool both = below + 1 < way.rows;
    typename Work::Measured pair;
    const bool whole = measure_pair(row, way.row_step, column, count, both, pair);
    for (int of_turn = 0; of_turn < (both ? 2 : 1); ++of_turn)
      for (int i = 0; i < count; ++i) body(row + of_turn * way.row_step, column + i, whole);
  }
  [[nodiscard]] ASSAY_FUNCTION typename Work::Measured measured_alone(Index row, Index column) const {
    typename Work::Measured single;
    work.measure_one(row, column, single);
    if (!single.has_references()) {
      double out = 0, reference = 0;
      work.values(row, column, out, reference);
      single.only_zeros = reference == 0;
    }
    return single;
  }

  /// Turns at odd times: what is not whole, or not ordinary, element by element.
  [[gnu::noinline]] ASSAY_FUNCTION void measure_singly(const BlockLayout::Window& window, const Way& way,
                                                       std::uint32_t odd, ThreadMemory& memory) const {
    ThreadTotals own = memory.totals;
    for (std::uint32_t turn = 0; turn < way.turns; ++turn) {
      const std::uint32_t time = way.time(turn);
      if ((odd >> time & 1) == 0) continue;
      typename Work::Sum part[4] = {};
      each_of_turn(way, turn, [&](Index row, Index column, bool whole) {
        if (whole) return;  // it was measured
        const typename Work::Measured single = measured_alone(row, column);
        if (work.ordinary(single)) {
          take(single, time, own, part);
        } else {
          ++own.looked_at;
          look(window, row, column, memory.found());
        }
      });
      settle(part, own.sums);
    }
    memory.totals = own;
  }

  template <class Sum>
  ASSAY_FUNCTION static void take(const typename Work::Measured& vector, std::uint32_t time, ThreadTotals& own,
                                  Sum (&part)[4]) {
    for (int measure = 0; measure < measures; ++measure)
      own.keys.keep(static_cast<Measure>(measure), vector.most[measure], time);
    part[0] += vector.signed_error;
    part[1] += vector.squared_error;
    part[2] += vector.squared_reference;
    part[3] += vector.chance;
    own.roundings = JoinRoundings{}(own.roundings, {vector.misrounded, vector.inward});
  }
  template <class Sum>
  ASSAY_FUNCTION static void settle(Sum (&part)[4], UnitSums& sums) {
    sums = JoinSums{}(sums, {static_cast<double>(part[0]), static_cast<double>(part[1]), static_cast<double>(part[2]),
                             static_cast<double>(part[3])});
    for (Sum& sum : part) sum = 0;
  }

  /// One element, exactly and in every respect.
  [[gnu::noinline]] ASSAY_FUNCTION void look(const BlockLayout::Window& window, Index row, Index column,
                                             ThreadFindings& found) const {
    const auto seen = work.look(row, column);
    const std::uint32_t place = place_of(window, row, column);
    found.counts.refined += seen.refined ? 1 : 0;
    if (seen.accepted.undetermined) {
      ++found.counts.undetermined;
      ++found.counts.left_out;
      return;
    }
    found.peaks[ratio_measure].consider(seen.ratio, place);
    if (!seen.accepted.contains(seen.out)) {
      found.counts.count(violation_kind(seen.out, seen.accepted));
      found.worst.remember(Peak{seen.ratio, place});
    }
    if (!is_finite(seen.out) || !is_finite(seen.reference)) {
      ++found.counts.left_out;
      return;
    }
    for (int measure = 0; measure < ratio_measure; ++measure)
      measure_exactly(static_cast<Measure>(measure), seen.out, seen.reference, seen.place, place, found);
    const double error = seen.out - seen.reference, chance = seen.error_of_sums / seen.place;
    found.sums =
        JoinSums{}(found.sums, {error, error * error, seen.reference * seen.reference, chance < 1 ? chance : 1});
    if (seen.out != seen.rounded)
      found.roundings = JoinRoundings{}(found.roundings, {1, absolute(seen.out) < absolute(seen.rounded) ? 1u : 0u});
  }
  ASSAY_FUNCTION static void measure_exactly(Measure measure, double out, double reference, double unit,
                                             std::uint32_t place, ThreadFindings& found) {
    const double size = absolute(out - reference);
    if (measure == absolute_measure)
      found.peaks[measure].consider(size, place);
    else if (measure == ulp_measure)
      found.peaks[measure].consider(size / unit, place);
    else if (reference != 0)
      found.peaks[measure].consider(size / absolute(reference), place);
  }

  /// Looks for the largest of each measure among what this thread measured, if it came near that of the unit.
  [[gnu::noinline]] ASSAY_FUNCTION void find_peaks(const BlockLayout::Window& window, int thread,
                                                   const UnitKeys& largest, ThreadMemory& memory) const {
    const ThreadKeys keys = memory.totals.keys;
    const Way way = way_of(window, thread);
    // Differences of singles so near each other are exact, and have few digits: only what equals the largest has it,
    // and came first at its time.
    const bool few_digits =
        sizeof(typename Work::Sum) == 4 && ThreadKeys::value_of(largest.most[relative_measure]) < 0x1p-7F;
    for (int measure = 0; measure < measures; ++measure) {
      const float most = ThreadKeys::value_of(largest.most[measure]);
      const bool zero = !(most > 0), certain = few_digits && (measure == absolute_measure || measure == ulp_measure);
      if (zero && measure != relative_measure && largest.looked_at == 0) {
        if (thread == 0 && way.turns > 0) memory.found().peaks[measure].consider(0, 0);
        continue;
      }
      const float least = certain || zero ? most : most * ThreadKeys::least_share;
      if (!(ThreadKeys::value_of(keys.most[measure]) >= least)) continue;
      const bool everywhere = zero || (!certain && ThreadKeys::value_of(keys.second[measure]) >= least);
      const std::uint32_t time = ThreadKeys::time_of(keys.most[measure]);
      const std::uint32_t first = everywhere ? 0 : time * way.turns_at_once, wished = first + way.turns_at_once,
                          end = everywhere || wished > way.turns ? way.turns : wished;
      bool settled = false;
      for (std::uint32_t turn = first; turn < end && !settled; ++turn)
        each_of_turn(way, turn, [&](Index row, Index column, bool whole) {
          if (settled) return;
          const typename Work::Measured single = measured_alone(row, column);
          if (!whole && !work.ordinary(single)) return;  // it was looked at
          if (!(single.most[measure] >= least) || (measure == relative_measure && single.only_zeros)) return;
          settle_peak(window, row, column, static_cast<Measure>(measure), memory.found());
          settled = zero && way.turns == way.turns_of_pass;  // the first of zeros is enough
        });
    }
  }
  [[gnu::noinline]] ASSAY_FUNCTION void settle_peak(const BlockLayout::Window& window, Index row, Index column,
                                                    Measure measure, ThreadFindings& found) const {
    const std::uint32_t place = place_of(window, row, column);
    if (measure == ratio_measure) {
      found.peaks[ratio_measure].consider(work.accepted_ratio(row, column), place);
    } else {
      double out = 0, reference = 0;
      work.values(row, column, out, reference);
      measure_exactly(measure, out, reference, work.place_at(reference), place, found);
    }
  }

  /// Joins what the threads found, and writes it.
  template <class Block>
  ASSAY_FUNCTION void conclude(Block& block, Shared& shared, Index unit, const BlockLayout::Window& window,
                               bool looked_at, typename Block::template PerThread<ThreadMemory>& memory) const {
    UnitFindings joined;
    typename Block::template PerThread<Peak> peak;
    for (int measure = 0; measure < measures; ++measure) {
      block.each([&](int thread) {
        peak[thread] = memory[thread].any_findings ? memory[thread].findings.peaks[measure] : Peak{};
      });
      joined.peaks[measure] = block.reduce(peak, JoinPeaks{});
    }
    block.each(
        [&](int thread) { shared.ratio[thread] = peak[thread].place == Peak::nowhere ? 0 : peak[thread].value; });
    typename Block::template PerThread<UnitSums> sums;
    typename Block::template PerThread<UnitRoundings> roundings;
    block.each([&](int thread) {
      sums[thread] = memory[thread].totals.sums;
      roundings[thread] = memory[thread].totals.roundings;
      if (memory[thread].any_findings) {
        sums[thread] = JoinSums{}(sums[thread], memory[thread].findings.sums);
        roundings[thread] = JoinRoundings{}(roundings[thread], memory[thread].findings.roundings);
      }
    });
    joined.sums = block.reduce(sums, JoinSums{});
    joined.roundings = block.reduce(roundings, JoinRoundings{});
    if (looked_at) {
      typename Block::template PerThread<UnitCounts> counts;
      block.each([&](int thread) {
        counts[thread] = memory[thread].any_findings ? memory[thread].findings.counts : UnitCounts{};
      });
      joined.counts = block.reduce(counts, JoinCounts{});
      if (joined.counts.violations > 0) joined.worst_used = find_worst(block, unit, window, memory);
    }
    block.each([&](int thread) { write(thread, shared, unit, joined); });
  }
  ASSAY_FUNCTION void write(int thread, const Shared& shared, Index unit, const UnitFindings& joined) const {
    if (thread == 0) findings[unit] = joined;
    if (layout.tiles_of_unit == 1) {
      if (thread == 0)
        tiles[unit] = joined.peaks[ratio_measure].place == Peak::nowhere ? 0 : joined.peaks[ratio_measure].value;
    } else if (thread < layout.tiles_of_unit) {
      tiles[unit * layout.tiles_of_unit + thread] = largest_in_tile<double>(shared, shared.ratio, thread);
    }
  }
  template <class Value>
  [[nodiscard]] ASSAY_FUNCTION static Value largest_in_tile(const Shared& shared, const Value* values, int tile) {
    Value largest = 0;
    for (int thread = 0; thread < threads; ++thread)
      if (shared.tile[thread] == tile && values[thread] > largest) largest = values[thread];
    return largest;
  }

  /// The worst elements of all threads, one after the other.
  template <class Block>
  [[nodiscard]] ASSAY_FUNCTION std::uint32_t find_worst(
      Block& block, Index unit, const BlockLayout::Window& window,
      typename Block::template PerThread<ThreadMemory>& memory) const {
    typename Block::template PerThread<Peak> head;
    typename Block::template PerThread<std::uint32_t> taken;
    std::uint32_t used = 0;
    for (; used < WorstOfThread::most; ++used) {
      block.each([&](int thread) {
        head[thread] = memory[thread].any_findings && taken[thread] < memory[thread].findings.worst.used
                           ? memory[thread].findings.worst[taken[thread]]
                           : Peak{};
      });
      const Peak next = block.reduce(head, JoinPeaks{});
      if (next.place == Peak::nowhere) break;
      block.each([&](int thread) {
        if (head[thread].place != next.place) return;
        ++taken[thread];
        const Index columns = window.last_column - window.first_column, place = next.place;
        const Index row = window.first_row + place / columns, column = window.first_column + place % columns;
        const auto seen = work.look(row, column);
        worst[unit * static_cast<Index>(Comparison::worst_count) + used] = {
            {row, column}, seen.out, seen.reference, seen.accepted.lower, seen.accepted.upper, seen.ratio};
      });
    }
    return used;
  }
};

}  // namespace assay::inline v0::detail
