#pragma once

#include <string>
#include <vector>

#include "assay/kernels/optimizer/portable.hpp"
#include "assay/kernels/optimizer/reference.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// One step of SGD, Adam or AdamW. Operands, each of `count` elements: `gradient`; `weights`, `first_state` (momentum
/// or m; absent from sgd without momentum) and `second_state` (v; of adam and adamw) are updated; `half_weights`
/// (absent unless the problem has them) are written.
struct Optimizer {
  using Problem = OptimizerProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { gradient, weights, first_state, second_state, half_weights };

  [[nodiscard]] static const char* name() { return "optimizer"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    return std::string(assay::name_of(problem.kind)) + "_step";
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.gradient.name) + "." + problem.weight.name + "." + problem.state.name +
           (problem.half_weights ? std::string(".") + problem.half.name : "");
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal: gradients of 0.01 on weights of 0.05: wrong constants, bias correction, decay, a master copy that is
  ///   rounded; log_uniform: gradients over 12 binades: epsilon's place, squares that underflow in 16 bits;
  /// - constant: all alike; uniform: gradients of one sign; canceling: gradients against the momentum;
  /// - subnormal: gradients that vanish where they are squared; special: NaN and infinities, which must reach the
  ///   weights;
  /// - one_hot: most gradients are 0: m and v decay alone.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel,
                                                           const Arithmetic& arithmetic) {
    return {operation_of(problem) +
                ": the formulas of OptimizerProblem by running error analysis (Higham 2002, section 3.3), u = " +
                detail::number(arithmetic.unit_roundoff()) + ", eps = " + detail::number(arithmetic.function_error()),
            "every constant is rounded once; 1 - beta^t is off by (eps + t*u)*beta^t + u; states are used before or "
            "after they are stored"};
  }

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<OptimizerExpected>> reference(B& backend, typename B::Stream& stream,
                                                                               const Problem& problem,
                                                                               const OperandArray& operands,
                                                                               RoundingModel,
                                                                               const Arithmetic& arithmetic) {
    return optimizer_reference(backend, stream, problem, operands, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_optimizer(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/optimizer/optimizer.ipp"
#endif
