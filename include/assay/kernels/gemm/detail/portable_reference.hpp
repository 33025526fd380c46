#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/gemm/detail/reference_work.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay::inline v0::detail {

/// Computes r and E on any parallel backend, by small tiles and panels of k. 2 KiB per row of A and column of B of
/// workspace; in double-double 8 bytes an output more.
template <class Op, bool DoubleDoubleSums, ParallelBackend B>
[[nodiscard]] Result<void> portable_reference(B& backend, typename B::Stream& stream,
                                              const typename Op::Arguments& arguments, const GemmBound& bound,
                                              double* value, double* error) {
  const Index batches = arguments.c.extents[0], m = arguments.c.extents[1], n = arguments.c.extents[2],
              k = arguments.a.extents[2];
  const std::size_t elements = static_cast<std::size_t>(batches * m * n), row_tiles = tiles_of(m),
                    column_tiles = tiles_of(n);
  auto residual = backend.template allocate<double>(DoubleDoubleSums ? elements : 0);
  if (!residual) return residual.propagate();
  auto panel_a = backend.template allocate<double>(row_tiles * panel_elements);
  if (!panel_a) return panel_a.propagate();
  auto panel_b = backend.template allocate<double>(column_tiles * panel_elements);
  if (!panel_b) return panel_b.propagate();

  WaitAtEnd work_on_them(backend, stream);
  const GemmSums sums{value, residual.value().data(), error};
  if (auto zeroed = backend.parallel_for(stream, elements, ZeroSums{sums, DoubleDoubleSums}); !zeroed) return zeroed;
  for (Index batch = 0; batch < batches && elements > 0; ++batch) {
    for (Index start = 0; start < k; start += panel_depth) {
      const Index depth = k - start < panel_depth ? k - start : panel_depth;
      const PackPanel<typename Op::FormatA> pack_a{arguments.a, batch, start, depth, false, panel_a.value().data()};
      const PackPanel<typename Op::FormatB> pack_b{arguments.b, batch, start, depth, true, panel_b.value().data()};
      if (auto packed = backend.parallel_for(stream, row_tiles, pack_a); !packed) return packed;
      if (auto packed = backend.parallel_for(stream, column_tiles, pack_b); !packed) return packed;
      const MultiplyPanels<DoubleDoubleSums> multiply{
          panel_a.value().data(), panel_b.value().data(), depth, m, n, batch, column_tiles, sums};
      if (auto multiplied = backend.parallel_for(stream, row_tiles * column_tiles, multiply); !multiplied)
        return multiplied;
    }
  }
  if (auto finished = backend.parallel_for(
          stream, elements, FinishReference<typename Op::FormatC, DoubleDoubleSums>{sums, arguments.c, bound});
      !finished)
    return finished;
  return work_on_them.wait();
}

}  // namespace assay::inline v0::detail
