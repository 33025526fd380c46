#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "assay/backends/block_backend.hpp"
#include "assay/kernels/normalization/detail/block_rows.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// O(elements) time, 72 bytes a mean: elements are computed again while they are compared. Devices with blocks read
/// what a mean is taken of once or twice, side by side.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<NormalizationExpected>> normalization_reference(
    B& backend, typename B::Stream& stream, const NormalizationProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic) {
  const auto lanes = static_cast<std::size_t>(problem.lanes());
  auto buffer = backend.template allocate<NormalizationRow>(lanes + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<NormalizationRow>>(std::move(buffer).value());
  NormalizationExpected expected{problem,     NormalizationBound::of(problem, model, arithmetic),
                                 operands[0], operands[1],
                                 operands[2], operands[3],
                                 operands[4], owned->data()};
  if constexpr (BlockBackend<B> && !backend_runs_on_host<B>) {
    expected.decoder = detail::QuickDecoder(problem.input);
    expected.parameters = detail::QuickDecoder(problem.parameters);
    if (problem.kind != NormalizationKind::batch) {
      if (auto run = detail::find_normalization_rows(backend, stream, expected, owned->data()); !run)
        return run.propagate();
      if (auto done = backend.synchronize(stream); !done) return done.propagate();
      return OperationReference<NormalizationExpected>{expected, std::move(owned)};
    }
  }
  if constexpr (backend_runs_on_host<B>) {
    if (problem.inner == 1 && problem.output.bytes <= 4) {  // what approximations are for
      expected.gammas = problem.gamma ? detail::magnitudes_of(operands[1]) : detail::Magnitudes{1, 1};
      expected.most_beta = problem.beta ? detail::magnitudes_of(operands[2]).most : 0;
    }
  }
  if (auto run = backend.parallel_for(stream, lanes, NormalizationRowWork{expected, owned->data()}); !run)
    return run.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  return OperationReference<NormalizationExpected>{expected, std::move(owned)};
}

}  // namespace assay::inline v0
