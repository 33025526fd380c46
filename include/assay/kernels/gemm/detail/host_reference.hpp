#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/gemm/detail/blocked_reference.hpp"

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Computes r and E on a backend that runs in threads of this process, by blocks that fit the caches.
///
/// Packed panels of B take at most 32 MiB at a time, shared by all blocks of rows; where C has only one block of rows,
/// or a panel would be too long, every task packs what it needs.
template <class Op, bool DoubleDoubleSums, ParallelBackend B>
class HostReference {
 public:
  HostReference(B& backend, typename B::Stream& stream, const typename Op::Arguments& arguments, const GemmBound& bound,
                bool bounded_scales, InstructionSet set)
      : backend_(backend),
        stream_(stream),
        arguments_(arguments),
        bound_(bound),
        bounded_scales_(bounded_scales && !DoubleDoubleSums),
        set_(set) {}

  [[nodiscard]] Result<void> run(double* value, double* error) {
    const Index batches = arguments_.c.extents[0], m = arguments_.c.extents[1], n = arguments_.c.extents[2], k = arguments_.a.extents[2];
    if (batches == 0 || m == 0 || n == 0) return {};
    const unsigned threads = backend_.capabilities().concurrency;
    const BlockShape shape = BlockShape::of(m, n, batches, threads);
    const Index column_doubles = round_up(k, 1) * panel_columns;
    const Index panels_at_once = column_doubles > 0 ? panel_budget / column_doubles : 0;
    const bool shared = m > shape.rows && panels_at_once * panel_columns >= shape.columns;
    // as many columns of a matrix, or as many whole matrices, as the panels may take
    const Index columns =
        !shared || panels_at_once * panel_columns >= n ? n : panels_at_once * panel_columns / shape.columns * shape.columns;
    const Index matrices = bounded_scales_ || columns < n ? 1
                           : !shared                      ? batches
                                     : least(batches, greatest(1, panels_at_once * panel_columns / round_up(n, panel_columns)));

    auto panels =
        backend_.template allocate<double>(shared ? static_cast<std::size_t>(matrices * round_up(columns, panel_columns) * k) : 0);
    if (!panels) return panels.propagate();
    const std::size_t slots = threads > 0 ? threads : 1, workspace = static_cast<std::size_t>(round_up(shape.workspace(), 8));
    auto memory = backend_.template allocate<double>(slots * workspace);
    if (!memory) return memory.propagate();
    auto taken = backend_.template allocate<int>(slots);
    if (!taken) return taken.propagate();
    for (std::size_t slot = 0; slot < slots; ++slot) taken.value().data()[slot] = 0;
    const Index chunks = bounded_scales_ ? (k + chunk_depth - 1) / chunk_depth : 0;
    auto norms = backend_.template allocate<double>(static_cast<std::size_t>(2 * chunks * (m + n)));
    if (!norms) return norms.propagate();

    ReferenceBlock<Op, DoubleDoubleSums> block{
        arguments_,
        bound_,
        shape,
        0,
        0,
        columns,
        shared ? panels.value().data() : nullptr,
        {},
        {memory.value().data(), taken.value().data(), static_cast<Index>(slots), static_cast<Index>(workspace)},
        value,
        error,
        set_};
    for (Index batch = 0; batch < batches; batch += matrices) {
      block.first_batch = batch;
      const Index group = least(matrices, batches - batch);
      if (auto bounded = bound_scales(batch, chunks, norms.value().data(), block.norms); !bounded) return bounded;
      for (Index column = 0; column < n; column += columns) {
        block.first_column = column;
        block.columns = least(columns, n - column);
        if (shared) {
          const PackPanels<typename Op::FormatB> pack{arguments_.b, batch, column, block.columns, panels.value().data(), set_};
          const Index tasks = group * pack.groups(block.columns) * pack.depths(k);
          if (auto packed = backend_.parallel_for(stream_, static_cast<std::size_t>(tasks), pack); !packed) return packed;
        }
        const Index tasks = group * block.row_blocks() * block.column_blocks();
        if (auto summed = backend_.parallel_for(stream_, static_cast<std::size_t>(tasks), block); !summed) return summed;
      }
    }
    return backend_.synchronize(stream_);
  }

 private:
  static constexpr Index panel_budget = (Index{32} << 20) / static_cast<Index>(sizeof(double));

  static Index least(Index left, Index right) { return left < right ? left : right; }
  static Index greatest(Index left, Index right) { return left > right ? left : right; }

  [[nodiscard]] Result<void> bound_scales(Index batch, Index chunks, double* memory, Norms& norms) {
    if (chunks == 0) return {};
    const Index m = arguments_.c.extents[1], n = arguments_.c.extents[2];
    double* rows[2] = {memory, memory + m * chunks};
    double* columns[2] = {memory + 2 * m * chunks, memory + 2 * m * chunks + n * chunks};
    const BoundChunk<typename Op::FormatA, typename Op::FormatB> work{
        arguments_.a, arguments_.b, batch, {rows[0], rows[1]}, {columns[0], columns[1]}, set_};
    norms = {{rows[0], rows[1]}, {columns[0], columns[1]}, chunks};
    return backend_.parallel_for(stream_, static_cast<std::size_t>(chunks), work);
  }

  B& backend_;
  typename B::Stream& stream_;
  const typename Op::Arguments& arguments_;
  const GemmBound& bound_;
  bool bounded_scales_;
  InstructionSet set_;
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail
