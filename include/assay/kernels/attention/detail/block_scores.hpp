#pragma once

#include "assay/core/rolled.hpp"
#include "assay/kernels/attention/bound.hpp"
#include "assay/kernels/detail/quick_exponential.hpp"

namespace assay::inline v0::detail {

/// The statistics of one row of scores, as a block of threads gathers them tile by tile: `parts` threads have `of_part`
/// consecutive keys each of every tile of a row. It is `AttentionScan` without its walks from key to key, one of which
/// goes backwards.
///
/// How often the maximum rises for who reads backwards is how many scores are larger than all behind them. Those stand
/// on a stack, from the largest to the last: a tile throws out what its maximum reaches, and puts its own on top. The
/// newest 64 are kept; what is older counts as if it were never reached, so that rows in which scores fall more than 64
/// times and then rise again are allowed a little more.
struct BlockScores {
  static constexpr int parts = 8, of_part = 8, kept = 64;

  /// What a thread knows of its own keys.
  struct Part {
    double maximum, least;
    double sum, spread, spread_squares;
    int rises, falls;
    bool any_nan;
  };
  /// A row between tiles.
  struct Row {
    double stack[kept];
    int height, reached;  ///< of the stack, and what of it is kept no more
    int base;             ///< where a tile's own begin
  };
  /// The scores of one thread in one tile, where they stand: `parts` numbers apart. Of hidden keys they are −∞, which
  /// nothing counts.
  struct Own {
    double* values;
    double* stores;  ///< τ
    [[nodiscard]] ASSAY_FUNCTION double& value(int i) const { return values[i * parts]; }
    [[nodiscard]] ASSAY_FUNCTION double& stored(int i) const { return stores[i * parts]; }
  };

  [[nodiscard]] ASSAY_FUNCTION static double larger(double a, double b) { return b > a ? b : a; }
  [[nodiscard]] ASSAY_FUNCTION static double power_of(double x) {
    return x > -708 ? quick_exponential(x) : std::exp(x);
  }

  /// First phase of a tile: what needs no other thread's scores.
  ASSAY_FUNCTION static void look(Own own, Part& part) {
    AttentionScan seen;
    for (int i = 0; i < of_part; ++i) seen.meet(own.value(i));
    part.maximum = seen.maximum;
    part.least = seen.least;
    part.any_nan = seen.any_nan;
  }
  /// Second phase: rises, and sums by the maximum of all so far.
  ASSAY_FUNCTION static void count(Own own, const Part* row, int index, const AttentionBound& bound,
                                   const AttentionScan& so_far, Part& part) {
    double before = so_far.maximum, behind = -AttentionBound::infinity();
    for (int p = 0; p < index; ++p) before = larger(before, row[p].maximum);
    for (int p = index + 1; p < parts; ++p) behind = larger(behind, row[p].maximum);
    const double maximum = larger(larger(before, behind), row[index].maximum);
    part.rises = part.falls = 0;
    part.sum = part.spread = part.spread_squares = 0;
    ASSAY_DETAIL_ROLLED
    for (int i = 0; i < of_part; ++i) {
      const double score = own.value(i), last = own.value(of_part - 1 - i);
      if (score > before) {
        before = score;
        ++part.rises;
      }
      if (last > behind) {
        behind = last;
        ++part.falls;
      }
      const double shifted = score - maximum;
      if (!(shifted > -0x1p1000)) continue;
      const double power = power_of(shifted), spread = power * bound.weight_unit + power * own.stored(i);
      part.sum += power;
      part.spread += spread;
      part.spread_squares += spread * spread;
    }
  }
  /// Third phase, of one thread a row: joins what all have.
  ASSAY_FUNCTION static void join(const Part* row, AttentionScan& scan, Row& stack) {
    Part all = row[0];
    for (int p = 1; p < parts; ++p) {
      all.maximum = larger(all.maximum, row[p].maximum);
      all.least = row[p].least < all.least ? row[p].least : all.least;
      all.any_nan = all.any_nan || row[p].any_nan;
      all.sum += row[p].sum;
      all.spread += row[p].spread;
      all.spread_squares += row[p].spread_squares;
      all.rises += row[p].rises;
      all.falls += row[p].falls;
    }
    while (stack.height > stack.reached && stack.stack[(stack.height - 1) % kept] <= all.maximum) --stack.height;
    stack.base = stack.height;
    stack.height += all.falls;
    if (stack.height - kept > stack.reached) stack.reached = stack.height - kept;
    const double factor = all.maximum > scan.maximum ? power_of(scan.maximum - all.maximum) : 1;
    scan.sum = scan.sum * factor + all.sum;
    scan.spread = scan.spread * factor + all.spread;
    scan.spread_squares = scan.spread_squares * (factor * factor) + all.spread_squares;
    scan.maximum = larger(scan.maximum, all.maximum);
    scan.least = all.least < scan.least ? all.least : scan.least;
    scan.any_nan = scan.any_nan || all.any_nan;
    scan.rises += all.rises;
    scan.rises_backwards = stack.height;
  }
  /// Fourth phase: a thread's own on the stack.
  ASSAY_FUNCTION static void push(Own own, const Part* row, int index, Row& stack) {
    double behind = -AttentionBound::infinity();
    for (int p = index + 1; p < parts; ++p) behind = larger(behind, row[p].maximum);
    int place = stack.base;
    for (int p = 0; p <= index; ++p) place += row[p].falls;
    for (int i = of_part - 1; i >= 0; --i)
      if (own.value(i) > behind) {
        behind = own.value(i);
        stack.stack[--place % kept] = own.value(i);
      }
  }
};

}  // namespace assay::inline v0::detail
