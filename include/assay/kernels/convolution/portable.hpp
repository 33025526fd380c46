#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/convolution/geometry.hpp"

namespace assay::inline v0 {

/// Which operand of a convolution is which, whatever the pass: gradients stand where what they are the gradients of
/// stands.
struct ConvolutionOperands {
  /// Positions of the operands.
  enum Position { input, weights, bias, output };
  static constexpr int count = 4;  ///< how many there are

  /// The operand that a pass writes.
  [[nodiscard]] static int result(const ConvolutionProblem& problem) {
    return problem.pass == ConvolutionPass::forward         ? output
           : problem.pass == ConvolutionPass::backward_data ? input
                                                            : weights;
  }
  /// The operands as tensors of the relation.
  [[nodiscard]] static ConvolutionTerms terms(const ConvolutionProblem& problem, const OperandArray& operands) {
    const bool last = problem.layout == ConvolutionLayout::channels_last;
    const ConvolutionTensor in = ConvolutionTensor::of(operands[input], last),
                            out = ConvolutionTensor::of(operands[output], last);
    return {ConvolutionGeometry::of(problem), problem.transposed ? out : in, problem.transposed ? in : out,
            ConvolutionTensor::of(operands[weights], last)};
  }
};

/// A sum of products in single precision.
struct SinglePrecisionSum {
  static constexpr bool visits_edges = false;
  float sum = 0;

  ASSAY_FUNCTION void operator()(double left, double right, bool) {
    sum += static_cast<float>(left) * static_cast<float>(right);
  }
};

/// One element of a convolution's result.
struct PortableConvolutionElement {
  ConvolutionTerms terms;
  Operand bias, result;
  bool adds_bias;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index element = static_cast<Index>(index);
    SinglePrecisionSum sum;
    terms.each(element, sum);
    if (adds_bias) {
      const bool of_fine = terms.geometry.product == ConvolutionProduct::fine;
      sum.sum += static_cast<float>(bias.load(terms.geometry.image_position(element, of_fine).channel));
    }
    result.store(element, sum.sum);
  }
};

/// The gradient of one channel's bias: the sum of its output gradients.
struct PortableBiasGradient {
  ConvolutionTensor output;
  Index batch, extents[3];
  Operand result;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index channel = static_cast<Index>(index);
    float sum = 0;
    Index at[3];
    for (Index image = 0; image < batch; ++image)
      for (at[0] = 0; at[0] < extents[0]; ++at[0])
        for (at[1] = 0; at[1] < extents[1]; ++at[1])
          for (at[2] = 0; at[2] < extents[2]; ++at[2]) sum += static_cast<float>(output.load(image, channel, at));
    result.store(channel, sum);
  }
};

/// A convolution for any parallel backend and formats, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_convolution(B& backend, typename B::Stream& stream,
                                                const ConvolutionProblem& problem, const OperandArray& operands) {
  using Operands = ConvolutionOperands;
  const ConvolutionTerms terms = Operands::terms(problem, operands);
  const ConvolutionGeometry& geometry = terms.geometry;
  const bool adds_bias = problem.bias && problem.pass == ConvolutionPass::forward;
  const PortableConvolutionElement element{terms, operands[Operands::bias], operands[Operands::result(problem)],
                                           adds_bias};
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(geometry.results()), element); !run) return run;
  if (!problem.bias || adds_bias) return {};
  const Index(&extents)[3] = problem.transposed ? geometry.fine : geometry.coarse;
  const PortableBiasGradient gradient{problem.transposed ? terms.fine : terms.coarse,
                                      problem.batch,
                                      {extents[0], extents[1], extents[2]},
                                      operands[Operands::bias]};
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.output_channels), gradient);
}

}  // namespace assay::inline v0
