#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/elementwise/fill.hpp"
#include "assay/kernels/elementwise/portable.hpp"
#include "assay/kernels/elementwise/reference.hpp"
#include "assay/kernels/elementwise/suite_shapes.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// output = f(x, y, z), element by element, or the gradient f'(x)·dy of an activation. Operands: `x`; `y`, which is the
/// gradient dy where the problem is backward, and `z` (each absent unless the function reads it); `output`. See
/// ElementwiseProblem for extents.
struct Elementwise {
  using Problem = ElementwiseProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { x, y, z, output };

  [[nodiscard]] static const char* name() { return "elementwise"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    return std::string(assay::name_of(problem.function)) + (problem.backward ? "_backward" : "");
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + (problem.inputs() > 1 ? std::string(".") + problem.second.name : "") +
           "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal (three times as wide; positive numbers where the function wants them): the everyday case; wrong
  ///   functions, wrong constants, narrow arithmetic;
  /// - uniform: numbers just around 0, or around 1 for log: cancellation in log(1 + t), 1 − e^x, t/(1 + t); absolute
  ///   where relative accuracy is due;
  /// - log_uniform: magnitudes over 12 binades: coefficients of the lower orders; of add and subtract terms of which
  ///   one is lost;
  /// - canceling: operands that nearly cancel each other; for sin and cos arguments near multiples of π;
  /// - near_tie: (cast) midpoints between values of the output and their neighbors on either side: double rounding,
  ///   truncation, ties away from zero;
  /// - subnormal: flushing where none is promised;
  /// - extreme: all codes of the format, or codes drawn at random, so all binades alike: overflow, saturation,
  ///   reduction of large arguments;
  /// - special: NaN, infinities, zeros, ends of the range and turning points, of two operands in all pairs.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    return elementwise_shapes(format);
  }

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<ElementwiseExpected>> reference(B& backend, typename B::Stream& stream,
                                                                                 const Problem& problem,
                                                                                 const OperandArray& operands,
                                                                                 RoundingModel model,
                                                                                 const Arithmetic& arithmetic) {
    return elementwise_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_elementwise(backend, stream, problem, operands);
  }

 private:
  /// 0.75 for those few numbers of which nothing is known, see ElementwiseFormula.
  [[nodiscard]] static double suited(const Problem& problem, double value) {
    using Function = ElementwiseFunction;
    const bool gelu = problem.function == Function::gelu || problem.function == Function::gelu_tanh,
               silu = problem.function == Function::silu;
    const bool nothing_known = ((gelu || silu) && is_infinite(value) && value < 0) ||
                               (gelu && is_finite(value) && detail::absolute(value) > problem.input.max_finite() / 2) ||
                               (problem.function == Function::cast && is_nan(value) && !problem.output.is_float()) ||
                               (problem.backward && ((problem.function == Function::relu && is_nan(value)) ||
                                                     ((gelu || silu) && detail::absolute(value) > 100)));
    return nothing_known ? 0.75 : value;
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/elementwise/elementwise.ipp"
#endif
