#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/convolution/data.hpp"
#include "assay/kernels/convolution/portable.hpp"
#include "assay/kernels/convolution/reference.hpp"
#include "assay/kernels/convolution/shapes.hpp"

namespace assay::inline v0 {

/// Convolutions on 1 to 3 axes, plain and transposed, forward and both gradients. Operands, whatever the pass: `input`
/// or its gradient (batch, channels, axes…), `weights` or their gradient, `bias` or its gradient (output channels),
/// `output` or its gradient (batch, channels, axes…); weights are (output channels, input channels / groups, axes…), of
/// transposed convolutions (input channels, output channels / groups, axes…). With channels_last what is second comes
/// last.
struct Convolution {
  using Problem = ConvolutionProblem;
  using Arguments = OperandArray;
  using Position = ConvolutionOperands::Position;  ///< positions of the operands

  [[nodiscard]] static const char* name() { return "convolution"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    const std::string kind = problem.transposed ? "transposed_convolution" : "convolution";
    return kind + (problem.pass == ConvolutionPass::backward_data      ? "_backward_data"
                   : problem.pass == ConvolutionPass::backward_weights ? "_backward_weights"
                                                                       : "");
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + "." + problem.weights.name + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic& arithmetic,
                                          std::uint64_t seed) {
    return ConvolutionData::make(problem, kind, arithmetic, seed);
  }
  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    return ConvolutionShapes::of(format);
  }

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic) {
    return convolution_bound(problem, model, arithmetic).derivation;
  }

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<ConvolutionExpected>> reference(B& backend, typename B::Stream& stream,
                                                                                 const Problem& problem,
                                                                                 const OperandArray& operands,
                                                                                 RoundingModel model,
                                                                                 const Arithmetic& arithmetic) {
    return convolution_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_convolution(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/convolution/convolution.ipp"
#endif
