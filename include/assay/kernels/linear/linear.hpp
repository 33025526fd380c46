#pragma once

#include <string>
#include <vector>

#include "assay/kernels/linear/data.hpp"
#include "assay/kernels/linear/names.hpp"
#include "assay/kernels/linear/portable.hpp"
#include "assay/kernels/linear/reference.hpp"
#include "assay/kernels/linear/shapes.hpp"

namespace assay::inline v0 {

/// The linear layers of neural networks: 8-bit integers, fused epilogues, groups (mixtures of experts), block-scaled
/// operands, 4-bit weights, 2:4 sparsity, and what combines them; see `LinearProblem` and `LinearOperands`. In case ids
/// each has its own name, see `operation_of`.
struct Linear {
  using Problem = LinearProblem;
  using Arguments = OperandArray;

  [[nodiscard]] static const char* name() { return "linear"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) { return assay::operation_of(problem); }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) { return assay::formats_of(problem); }
  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    return linear_operands(problem);
  }
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic& arithmetic,
                                          std::uint64_t seed) {
    return linear_data(problem, kind, arithmetic, seed);
  }
  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    return linear_shapes(format);
  }
  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic) {
    return linear_bound(problem, model, arithmetic).derivation;
  }

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<LinearExpected>> reference(B& backend, typename B::Stream& stream,
                                                                            const Problem& problem,
                                                                            const OperandArray& operands,
                                                                            RoundingModel model,
                                                                            const Arithmetic& arithmetic) {
    return linear_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_linear(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0
