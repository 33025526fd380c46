#pragma once

#include <cstddef>

#include "assay/backends/block_backend.hpp"
#include "assay/kernels/detail/block_row.hpp"
#include "assay/kernels/normalization/expected.hpp"

namespace assay::inline v0::detail {

/// Mean and variance in two passes, by what one block does with all elements: `visit_all(thread, take)` gives a thread
/// its own.
///
/// Sums are added up by each thread, then by a tree: n/threads + log₂ threads roundings instead of n, so that the
/// allowance for the reference's own (n·2⁻⁵³ in `NormalizationBound::growth`) covers them with room to spare.
template <class Block, class VisitAll>
[[nodiscard]] ASSAY_FUNCTION NormalizationRow normalization_row(Block& block, const NormalizationExpected& expected,
                                                                const VisitAll& visit_all) {
  const auto add = [&](double a, double b) { return a + b; };
  const double count = expected.bound.count;
  double center = 0;
  if (expected.problem.centered()) {
    typename Block::template PerThread<double> sums;
    block.each([&](int thread) {
      double sum = 0;
      visit_all(thread, [&](double x) { sum += x; });
      sums[thread] = sum;
    });
    center = block.reduce(sums, add) / count;
  }
  typename Block::template PerThread<double> squares;
  block.each([&](int thread) {
    double sum = 0;
    visit_all(thread, [&](double x) {
      const double distance = x - center;
      sum += distance * distance;
    });
    squares[thread] = sum;
  });
  const double variance = block.reduce(squares, add) / count;
  return expected.bound.row_of(center, variance);
}

/// What the elements of a lane share, found by one block; they lie without gaps.
template <int ThreadCount>
struct BlockNormalizationLane {
  static constexpr int threads = ThreadCount;
  struct Shared {};
  NormalizationExpected expected;
  NormalizationRow* rows;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    const auto index = static_cast<Index>(block.index());
    const NormalizationLane lane = NormalizationLane::of(expected.problem, index);
    const Operand& input = expected.input;
    const BlockRow row(input.data,
                       expected.problem.inner == 1 ? input.offset(lane.outer, lane.first_channel)
                                                   : input.offset(lane.outer, lane.first_channel, 0),
                       lane.runs * lane.length, input.format.bytes);
    typename Block::template PerThread<BlockRow::Kept> kept;
    block.each([&](int thread) { row.keep<ThreadCount>(thread, kept[thread]); });
    const NormalizationRow found = normalization_row(block, expected, [&](int thread, const auto& take) {
      row.visit<ThreadCount>(thread, kept[thread], [&](std::uint64_t code) { take(expected.decoder(code)); });
    });
    block.each([&](int thread) {
      if (thread == 0) rows[index] = found;
    });
  }
};

/// The same of elements with gaps between them.
struct BlockNormalizationGaps {
  static constexpr int threads = 256;
  struct Shared {};
  NormalizationExpected expected;
  NormalizationRow* rows;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    const auto index = static_cast<Index>(block.index());
    const NormalizationLane lane = NormalizationLane::of(expected.problem, index);
    const Operand& input = expected.input;
    const Index step_runs = threads / lane.length, step = threads % lane.length;
    const NormalizationRow found = normalization_row(block, expected, [&](int thread, const auto& take) {
      // run and place within it go on without a division
      for (Index run = thread / lane.length, i = thread % lane.length; run < lane.runs; run += step_runs, i += step) {
        if (i >= lane.length) {
          i -= lane.length;
          if (++run == lane.runs) break;
        }
        take(expected.decoder.load(input.data, expected.problem.inner == 1
                                                   ? input.offset(lane.outer, lane.first_channel + i)
                                                   : input.offset(lane.outer, lane.first_channel + run, i)));
      }
    });
    block.each([&](int thread) {
      if (thread == 0) rows[index] = found;
    });
  }
};

/// Finds what all lanes share on a device, where a mean is taken. Lanes too short for a warp go by threads.
template <BlockBackend B>
[[nodiscard]] Result<void> find_normalization_rows(B& backend, typename B::Stream& stream,
                                                   const NormalizationExpected& expected, NormalizationRow* rows) {
  const NormalizationProblem& problem = expected.problem;
  const Operand& input = expected.input;
  const auto count = static_cast<std::size_t>(problem.lanes());
  const Index bytes = problem.lane_length() * input.format.bytes;
  const bool beside =
      problem.inner == 1 ? input.strides[1] == 1 : input.strides[2] == 1 && input.strides[1] == problem.inner;
  if (bytes <= 64) return backend.parallel_for(stream, count, NormalizationRowWork{expected, rows});
  if (!beside) return backend.parallel_blocks(stream, count, BlockNormalizationGaps{expected, rows});
  if (bytes <= 2048) return backend.parallel_blocks(stream, count, BlockNormalizationLane<32>{expected, rows});
  if (bytes <= 65536) return backend.parallel_blocks(stream, count, BlockNormalizationLane<256>{expected, rows});
  return backend.parallel_blocks(stream, count, BlockNormalizationLane<1024>{expected, rows});
}

}  // namespace assay::inline v0::detail
