#pragma once

#include <cstddef>
#include <utility>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/gemm/bound.hpp"
#include "assay/kernels/gemm/detail/reference_work.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay {

/// The reference r and the error bound E of every output element, row-major over (batch·m) × n, on a backend.
template <Backend B>
struct GemmReference {
  typename B::template Buffer<double> value;
  typename B::template Buffer<double> error;
  Index columns = 0;

  /// For `compare`: what is expected at (row, column).
  struct Expected {
    const double* value;
    const double* error;
    Index columns;

    ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
      const Index element = row * columns + column;
      return {value[element], error[element]};
    }
  };
  [[nodiscard]] Expected expected() { return {value.data(), error.data(), columns}; }
};

/// Whether a reference in plain double is precise enough, or sums must carry twice its precision.
template <class Op>
inline constexpr bool gemm_needs_double_double = FormatTraits<typename Op::FormatA>::layout.precision() + FormatTraits<typename Op::FormatB>::layout.precision() > 53 ||
                                                 FormatTraits<typename Op::FormatC>::layout.precision() > 24;

/// Computes α·op(A)·op(B) + β·C on the stored operands in float64, or in double-double where an operand or the output is
/// float64, together with S = |A||B| and from both the bound E. `arguments.c` holds C before the kernel ran; it is not
/// read where β = 0 (and may then be null).
///
/// Sums run in ascending k for every element, so the result is bit-identical for any number of threads, any blocking and
/// any backend with IEEE arithmetic. Blocked over k with the operands decoded panel by panel: O(batch·m·n·k) time,
/// 16·batch·m·n bytes for the result (24 more in double-double) and 2 KiB per row of A and column of B of workspace.
template <class Op, ParallelBackend B>
[[nodiscard]] Result<GemmReference<B>> gemm_reference(B& backend, typename B::Stream& stream, const GemmProblem& problem,
                                                      const GemmArguments<typename Op::FormatA, typename Op::FormatB, typename Op::FormatC>& arguments, const GemmBound& bound) {
  constexpr bool double_double = gemm_needs_double_double<Op>;
  const std::size_t rows = static_cast<std::size_t>(problem.m), columns = static_cast<std::size_t>(problem.n);
  const std::size_t elements = static_cast<std::size_t>(problem.batch) * rows * columns;
  const std::size_t row_tiles = detail::tiles_of(problem.m), column_tiles = detail::tiles_of(problem.n);

  auto product = backend.template allocate<double>(elements);
  if (!product) return product.propagate();
  auto magnitude = backend.template allocate<double>(elements);
  if (!magnitude) return magnitude.propagate();
  auto residual = backend.template allocate<double>(double_double ? elements : 0);
  if (!residual) return residual.propagate();
  auto panel_a = backend.template allocate<double>(row_tiles * detail::panel_elements);
  if (!panel_a) return panel_a.propagate();
  auto panel_b = backend.template allocate<double>(column_tiles * detail::panel_elements);
  if (!panel_b) return panel_b.propagate();

  const detail::GemmSums sums{product.value().data(), residual.value().data(), magnitude.value().data()};
  if (auto zeroed = backend.parallel_for(stream, elements, detail::ZeroSums{sums, double_double}); !zeroed) return zeroed.propagate();
  for (Index batch = 0; batch < problem.batch && elements > 0; ++batch) {
    for (Index start = 0; start < problem.k; start += detail::panel_depth) {
      const Index depth = problem.k - start < detail::panel_depth ? problem.k - start : detail::panel_depth;
      const detail::PackPanel<typename Op::FormatA> pack_a{arguments.a, batch, start, depth, false, panel_a.value().data()};
      const detail::PackPanel<typename Op::FormatB> pack_b{arguments.b, batch, start, depth, true, panel_b.value().data()};
      if (auto packed = backend.parallel_for(stream, row_tiles, pack_a); !packed) return packed.propagate();
      if (auto packed = backend.parallel_for(stream, column_tiles, pack_b); !packed) return packed.propagate();
      const detail::MultiplyPanels<double_double> multiply{panel_a.value().data(), panel_b.value().data(), depth, problem.m, problem.n, batch, column_tiles, sums};
      if (auto multiplied = backend.parallel_for(stream, row_tiles * column_tiles, multiply); !multiplied) return multiplied.propagate();
    }
  }
  const detail::FinishReference<typename Op::FormatC, double_double> finish{sums, arguments.c, bound};
  if (auto finished = backend.parallel_for(stream, elements, finish); !finished) return finished.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  return GemmReference<B>{std::move(product).value(), std::move(magnitude).value(), problem.n};
}

}  // namespace assay
