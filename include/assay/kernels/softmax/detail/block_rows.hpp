#pragma once

#include <cstddef>

#include "assay/backends/block_backend.hpp"
#include "assay/kernels/detail/block_row.hpp"
#include "assay/kernels/softmax/expected.hpp"

namespace assay::inline v0::detail {

/// What the elements of a row have been found to be, before their maximum is known and after it.
struct SoftmaxSeen {
  double maximum = -SoftmaxExpected::infinity(), least = SoftmaxExpected::infinity();
  bool any_nan = false;

  ASSAY_FUNCTION void meet(double z) {
    any_nan |= is_nan(z);
    if (z > maximum) maximum = z;
    if (z < least && z > -SoftmaxExpected::infinity()) least = z;
  }
  [[nodiscard]] ASSAY_FUNCTION static SoftmaxSeen joined(const SoftmaxSeen& a, const SoftmaxSeen& b) {
    return {a.maximum > b.maximum ? a.maximum : b.maximum, a.least < b.least ? a.least : b.least,
            a.any_nan || b.any_nan};
  }
};
struct SoftmaxSum {
  double value = 0;  ///< Σ exp(z − m)

  ASSAY_FUNCTION void meet(const SoftmaxExpected& expected, double maximum, double z) {
    const double descent = z - maximum;
    if (descent > -0x1p1000) value += expected.power_of(descent);
  }
  [[nodiscard]] ASSAY_FUNCTION static SoftmaxSum joined(const SoftmaxSum& a, const SoftmaxSum& b) {
    return {a.value + b.value};
  }
};

/// The row of a maximum: what is not finite decides at once; see `SoftmaxExpected::row_of`.
[[nodiscard]] ASSAY_FUNCTION inline SoftmaxRow softmax_row_of(const SoftmaxSeen& seen) {
  SoftmaxRow row;
  row.maximum = seen.any_nan || seen.maximum == SoftmaxExpected::infinity() ? double_of(binary64_layout.nan_bits())
                                                                            : seen.maximum;
  return row;
}
[[nodiscard]] ASSAY_FUNCTION inline SoftmaxRow softmax_row_of(const SoftmaxExpected& expected, const SoftmaxSeen& seen,
                                                              const SoftmaxSum& sum) {
  SoftmaxRow row;
  row.maximum = seen.maximum;
  return expected.prepared(expected.summed(row, sum.value, seen.least));
}

/// What the elements of one row share, found by one block. The row lies without gaps and has no mask.
///
/// The sum is added up by each thread, then by a tree: n/threads + log₂ threads roundings instead of n, so that the
/// allowance for the reference's own (n·2⁻⁵³ in `SoftmaxBound::growth`) covers it with room to spare.
template <int ThreadCount>
struct BlockSoftmaxRow {
  static constexpr int threads = ThreadCount;
  struct Shared {};
  SoftmaxExpected expected;
  SoftmaxRow* rows;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    const auto index = static_cast<Index>(block.index());
    const Operand& input = expected.input;
    const BlockRow row(input.data, input.offset(index), expected.problem.length, input.format.bytes);
    const auto scaled = [&](std::uint64_t code) {
      const double x = expected.decoder(code);
      return expected.problem.temperature == 1 ? x : x / expected.problem.temperature;
    };
    typename Block::template PerThread<BlockRow::Kept> kept;
    typename Block::template PerThread<SoftmaxSeen> seen;
    block.each([&](int thread) {
      row.keep<ThreadCount>(thread, kept[thread]);
      SoftmaxSeen own;
      row.visit<ThreadCount>(thread, kept[thread], [&](std::uint64_t code) { own.meet(scaled(code)); });
      seen[thread] = own;
    });
    const SoftmaxSeen all =
        block.reduce(seen, [&](const SoftmaxSeen& a, const SoftmaxSeen& b) { return SoftmaxSeen::joined(a, b); });
    const SoftmaxRow found = softmax_row_of(all);
    if (!is_finite(found.maximum)) {
      block.each([&](int thread) {
        if (thread == 0) rows[index] = found;
      });
      return;
    }
    typename Block::template PerThread<SoftmaxSum> sums;
    block.each([&](int thread) {
      SoftmaxSum own;
      row.visit<ThreadCount>(thread, kept[thread],
                             [&](std::uint64_t code) { own.meet(expected, found.maximum, scaled(code)); });
      sums[thread] = own;
    });
    const SoftmaxSum total =
        block.reduce(sums, [&](const SoftmaxSum& a, const SoftmaxSum& b) { return SoftmaxSum::joined(a, b); });
    block.each([&](int thread) {
      if (thread == 0) rows[index] = softmax_row_of(expected, all, total);
    });
  }
};

/// What elements share of `columns` rows that lie beside each other in memory (a power of two, at most 32; 1 for rows
/// with a mask or with gaps): thread t takes of row t mod columns the elements t/columns, t/columns + threads/columns,
/// …, so that threads side by side read side by side.
struct BlockSoftmaxColumns {
  static constexpr int threads = 256;
  struct Shared {
    SoftmaxSeen seen[threads];
    SoftmaxSum sums[threads];
  };
  SoftmaxExpected expected;
  SoftmaxRow* rows;
  int columns;
  Index groups;  ///< of columns, in one index of the outermost dimension

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    const SoftmaxProblem& problem = expected.problem;
    const auto index = static_cast<Index>(block.index());
    const Index outer = index / groups, first = index % groups * columns;
    const auto visit = [&](int thread, const auto& take) {
      const Index inner = first + thread % columns;
      if (inner >= problem.inner) return;
      for (Index j = thread / columns; j < problem.length; j += threads / columns)
        take(problem.inner == 1 ? expected.scaled_at(outer, j) : expected.scaled_at(outer, j, inner));
    };
    block.each([&](int thread) {
      SoftmaxSeen own;
      visit(thread, [&](double z) { own.meet(z); });
      shared.seen[thread] = own;
    });
    join_parts(block, shared.seen);
    block.each([&](int thread) {
      SoftmaxSum own;
      const SoftmaxRow found = softmax_row_of(shared.seen[thread % columns]);
      if (is_finite(found.maximum)) visit(thread, [&](double z) { own.meet(expected, found.maximum, z); });
      shared.sums[thread] = own;
    });
    join_parts(block, shared.sums);
    block.each([&](int thread) {
      if (thread >= columns || first + thread >= problem.inner) return;
      const SoftmaxRow found = softmax_row_of(shared.seen[thread]);
      rows[outer * problem.inner + first + thread] =
          is_finite(found.maximum) ? softmax_row_of(expected, shared.seen[thread], shared.sums[thread]) : found;
    });
  }

 private:
  /// Leaves what is joined of a row at the thread that is its column.
  template <class Block, class Part>
  ASSAY_FUNCTION void join_parts(Block& block, Part* parts) const {
    for (int half = threads / 2; half >= columns; half /= 2)
      block.each([&](int thread) {
        if (thread < half) parts[thread] = Part::joined(parts[thread], parts[thread + half]);
      });
  }
};

/// What the elements of a row of a few elements share, found by one thread: those beside it read what lies beside them.
struct ShortSoftmaxRow {
  SoftmaxExpected expected;
  SoftmaxRow* rows;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const auto row = static_cast<Index>(index);
    SoftmaxSeen seen;
    SoftmaxSum sums;
    for (Index j = 0; j < expected.problem.length; ++j) seen.meet(expected.scaled_at(row, j));
    const SoftmaxRow found = softmax_row_of(seen);
    if (is_finite(found.maximum))
      for (Index j = 0; j < expected.problem.length; ++j)
        sums.meet(expected, found.maximum, expected.scaled_at(row, j));
    rows[row] = is_finite(found.maximum) ? softmax_row_of(expected, seen, sums) : found;
  }
};

/// Finds what all rows share on a device. A thread for each row where they are too short for more, else a warp or a
/// block.
template <BlockBackend B>
[[nodiscard]] Result<void> find_softmax_rows(B& backend, typename B::Stream& stream, const SoftmaxExpected& expected,
                                             SoftmaxRow* rows) {
  const SoftmaxProblem& problem = expected.problem;
  const Operand& input = expected.input;
  if (problem.inner != 1 || expected.mask.present() || input.strides[1] != 1) {
    int columns = 1;
    while (columns < 32 && columns < problem.inner) columns *= 2;
    const Index groups = (problem.inner + columns - 1) / columns;
    return backend.parallel_blocks(stream, static_cast<std::size_t>(problem.outer * groups),
                                   BlockSoftmaxColumns{expected, rows, columns, groups});
  }
  const Index bytes = problem.length * input.format.bytes;
  const auto count = static_cast<std::size_t>(problem.outer);
  if (bytes <= 64) return backend.parallel_for(stream, count, ShortSoftmaxRow{expected, rows});
  if (bytes <= 2048) return backend.parallel_blocks(stream, count, BlockSoftmaxRow<32>{expected, rows});
  if (bytes <= 65536) return backend.parallel_blocks(stream, count, BlockSoftmaxRow<256>{expected, rows});
  return backend.parallel_blocks(stream, count, BlockSoftmaxRow<1024>{expected, rows});
}

}  // namespace assay::inline v0::detail
