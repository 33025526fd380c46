#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "assay/backends/block_backend.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/kernels/softmax/detail/block_rows.hpp"
#include "assay/kernels/softmax/detail/power_table.hpp"

namespace assay::inline v0 {

/// Finds what a row shares.
struct SoftmaxRowWork {
  SoftmaxExpected expected;
  SoftmaxRow* rows;
  const detail::SoftmaxPowerTable* powers = nullptr;  ///< null where there is none

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index);
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if (powers != nullptr && powers->row_of(expected, row, rows[row])) return;
#endif
    rows[row] = expected.row_of(row / expected.problem.inner, row % expected.problem.inner);
  }
};

/// O(elements) time, 64 bytes a row: elements are computed again while they are compared. Devices with blocks read each
/// row once or twice, side by side.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<SoftmaxExpected>> softmax_reference(B& backend, typename B::Stream& stream,
                                                                            const SoftmaxProblem& problem,
                                                                            const OperandArray& operands,
                                                                            RoundingModel model,
                                                                            const Arithmetic& arithmetic) {
  const auto rows = static_cast<std::size_t>(problem.outer * problem.inner);
  auto buffer = backend.template allocate<SoftmaxRow>(rows + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<SoftmaxRow>>(std::move(buffer).value());
  SoftmaxExpected expected{problem, SoftmaxBound::of(problem, model, arithmetic), operands[0], operands[1],
                           owned->data()};
#if ASSAY_DETAIL_VECTOR_VARIANTS
  const auto powers = backend_runs_on_host<B> ? detail::SoftmaxPowerTable::of(expected) : detail::SoftmaxPowerTable();
  [[maybe_unused]] const detail::SoftmaxPowerTable* const by_table = powers.ready() ? &powers : nullptr;
#else
  [[maybe_unused]] constexpr const detail::SoftmaxPowerTable* by_table = nullptr;
#endif
  if constexpr (BlockBackend<B> && !backend_runs_on_host<B>) {
    expected.decoder = detail::QuickDecoder(operands[0].format);
    if (auto run = detail::find_softmax_rows(backend, stream, expected, owned->data()); !run) return run.propagate();
  } else {
    if (auto run = backend.parallel_for(stream, rows, SoftmaxRowWork{expected, owned->data(), by_table}); !run)
      return run.propagate();
  }
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  return OperationReference<SoftmaxExpected>{expected, std::move(owned)};
}

}  // namespace assay::inline v0
