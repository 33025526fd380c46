#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/gemm/detail/blocked_reference.hpp"
#include "assay/kernels/gemm/detail/count_magnitudes.hpp"

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
    const Index batches = arguments_.c.extents[0], m = arguments_.c.extents[1], n = arguments_.c.extents[2],
                k = arguments_.a.extents[2];
    if (batches == 0 || m == 0 || n == 0) return {};
    const unsigned threads = backend_.capabilities().concurrency;
    const BlockShape shape = BlockShape::of(m, n, batches, threads);
    const Index column_doubles = round_up(k, 1) * panel_columns;
    const Index panels_at_once = column_doubles > 0 ? panel_budget / column_doubles : 0;
    const bool shared = m > shape.rows && panels_at_once * panel_columns >= shape.columns;
    // as many columns of a matrix, or as many whole matrices, as the panels may take
    const Index columns = !shared || panels_at_once * panel_columns >= n
                              ? n
                              : panels_at_once * panel_columns / shape.columns * shape.columns;
    const Index matrices =
        bounded_scales_ || columns < n ? 1
        : !shared                      ? batches
                  : least(batches, greatest(1, panels_at_once * panel_columns / round_up(n, panel_columns)));

    auto panels = backend_.template allocate<double>(
        shared ? static_cast<std::size_t>(matrices * round_up(columns, panel_columns) * k) : 0);
    if (!panels) return panels.propagate();
    const std::size_t slots = threads > 0 ? threads : 1,
                      workspace = static_cast<std::size_t>(round_up(shape.workspace(), 8));
    auto memory = backend_.template allocate<double>(slots * workspace);
    if (!memory) return memory.propagate();
    auto taken = backend_.template allocate<int>(slots);
    if (!taken) return taken.propagate();
    for (std::size_t slot = 0; slot < slots; ++slot) taken.value().data()[slot] = 0;
    const Index chunks = bounded_scales_ ? (k + chunk_depth - 1) / chunk_depth : 0;
    auto norms = backend_.template allocate<double>(static_cast<std::size_t>(2 * chunks * (m + n)));
    if (!norms) return norms.propagate();
    auto shares = backend_.template allocate<MagnitudeShares>(static_cast<std::size_t>(
        chunks > 0 ? of_rows(0, nullptr, nullptr).tasks() + of_columns(0, nullptr, nullptr).tasks() : 0));
    if (!shares) return shares.propagate();

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
      if (auto bounded = bound_scales(batch, chunks, norms.value().data(), shares.value().data(), block.norms);
          !bounded)
        return bounded;
      for (Index column = 0; column < n; column += columns) {
        block.first_column = column;
        block.columns = least(columns, n - column);
        if (shared) {
          const PackPanels<typename Op::FormatB> pack{arguments_.b,          batch, column, block.columns,
                                                      panels.value().data(), set_};
          const Index tasks = group * pack.groups(block.columns) * pack.depths(k);
          if (auto packed = backend_.parallel_for(stream_, static_cast<std::size_t>(tasks), pack); !packed)
            return packed;
        }
        const Index tasks = group * block.row_blocks() * block.column_blocks();
        if (auto summed = backend_.parallel_for(stream_, static_cast<std::size_t>(tasks), block); !summed)
          return summed;
      }
    }
    return backend_.synchronize(stream_);
  }

  /// Whether scales of any matrix were bounded, after `run`.
  [[nodiscard]] bool bounded() const { return bounded_; }

 private:
  static constexpr Index panel_budget = (Index{32} << 20) / static_cast<Index>(sizeof(double));

  static Index least(Index left, Index right) { return left < right ? left : right; }
  static Index greatest(Index left, Index right) { return left > right ? left : right; }

  /// Leaves no norms where they may be too loose: scales are then exact.
  [[nodiscard]] Result<void> bound_scales(Index batch, Index chunks, double* memory, MagnitudeShares* shares,
                                          Norms& norms) {
    norms = {};
    if (chunks == 0) return {};
    const Index m = arguments_.c.extents[1], n = arguments_.c.extents[2];
    double* rows[2] = {memory, memory + m * chunks};
    double* columns[2] = {memory + 2 * m * chunks, memory + 2 * m * chunks + n * chunks};
    const BoundChunk<typename Op::FormatA, typename Op::FormatB> work{
        arguments_.a, arguments_.b, batch, {rows[0], rows[1]}, {columns[0], columns[1]}, set_};
    if (auto bounded = backend_.parallel_for(stream_, static_cast<std::size_t>(chunks), work); !bounded) return bounded;
    const auto left = of_rows(batch, rows[0], shares);
    const auto right = of_columns(batch, columns[0], shares + left.tasks());
    if (auto counted = backend_.parallel_for(stream_, static_cast<std::size_t>(left.tasks()), left); !counted)
      return counted;
    if (auto counted = backend_.parallel_for(stream_, static_cast<std::size_t>(right.tasks()), right); !counted)
      return counted;
    if (auto done = backend_.synchronize(stream_); !done) return done;
    if (!(most_looseness(left.of_all(), right.of_all()) <= tolerated_looseness)) return {};
    norms = {{rows[0], rows[1]}, {columns[0], columns[1]}, chunks};
    bounded_ = true;
    return {};
  }
  [[nodiscard]] CountShares<typename Op::FormatA> of_rows(Index batch, const double* norms,
                                                          MagnitudeShares* shares) const {
    const auto& a = arguments_.a;
    return {a.data + batch * a.strides[0], a.strides[1], a.strides[2], a.extents[1], a.extents[2], norms, shares, set_};
  }
  [[nodiscard]] CountShares<typename Op::FormatB> of_columns(Index batch, const double* norms,
                                                             MagnitudeShares* shares) const {
    const auto& b = arguments_.b;
    return {b.data + batch * b.strides[0], b.strides[2], b.strides[1], b.extents[2], b.extents[1], norms, shares, set_};
  }

  B& backend_;
  typename B::Stream& stream_;
  const typename Op::Arguments& arguments_;
  const GemmBound& bound_;
  bool bounded_scales_, bounded_ = false;
  InstructionSet set_;
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail
