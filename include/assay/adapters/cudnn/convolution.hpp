#pragma once

#include <string>
#include <vector>

#include "assay/adapters/cudnn/cudnn.hpp"
#include "assay/adapters/detail/tensor_core_sums.hpp"
#include "assay/kernels/convolution/convolution.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// A convolution as a graph of cuDNN's: (batch, channels, axes…) and (output channels, input channels of a group,
/// axes…) in the operands' own strides, with an axis of extent 1 before a single one. A transposed convolution is the
/// gradient of the plain one. Needs no device.
class CudnnConvolution {
  using Operands = ConvolutionOperands;
  using Tensor = CudnnGraph::Tensor;

 public:
  CudnnConvolution(const ConvolutionProblem& problem, const OperandArray& operands)
      : problem_(problem), operands_(operands) {}

  [[nodiscard]] CudnnGraph graph() const {
    CudnnGraph graph;
    const Tensor weights = graph.tensor(operands_[Operands::weights], shape(Operands::weights));
    const Tensor input = graph.tensor(operands_[Operands::input], shape(Operands::input));
    const bool fused = problem_.bias && problem_.pass == ConvolutionPass::forward;
    const Tensor output = fused ? graph.intermediate(shape(Operands::output))
                                : graph.tensor(operands_[Operands::output], shape(Operands::output));
    const Tensor fine = problem_.transposed ? output : input, coarse = problem_.transposed ? input : output;
    const bool gradient = problem_.transposed ? problem_.pass == ConvolutionPass::forward
                                              : problem_.pass == ConvolutionPass::backward_data;
    if (problem_.pass == ConvolutionPass::backward_weights)
      scaled(geometry(graph.operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR),
                      CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, fine)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, coarse)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, weights),
             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA);
    else if (gradient)
      scaled(geometry(graph.operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR),
                      CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, fine)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, coarse)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, weights),
             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA);
    else
      scaled(geometry(graph.operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR),
                      CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, fine)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, coarse)
                 .tensor(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, weights),
             CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA);
    if (fused) {
      std::vector<std::int64_t> extents(shape(Operands::output).extents.size(), 1);
      extents[1] = problem_.output_channels;
      CudnnShape channels = CudnnShape::dense(extents);
      const Operand& bias = operands_[Operands::bias];
      channels.strides[1] = bias.strides[0];
      channels.strides[0] = bias.strides[0] * problem_.output_channels;
      graph.pointwise({.mode = CUDNN_POINTWISE_ADD, .x = output, .b = graph.tensor(bias, channels)},
                      graph.tensor(operands_[Operands::output], shape(Operands::output)));
    }
    return graph;
  }

  /// Which engines compute what the problem says.
  [[nodiscard]] CudnnEngineRules rules() const {
    CudnnEngineRules rules;
    rules.without = {CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION};
    if (problem_.algorithm == ConvolutionAlgorithm::winograd)
      rules.with.push_back(CUDNN_NUMERICAL_NOTE_WINOGRAD);
    else
      rules.without.push_back(CUDNN_NUMERICAL_NOTE_WINOGRAD);
    if (problem_.algorithm == ConvolutionAlgorithm::fft)
      rules.with.push_back(CUDNN_NUMERICAL_NOTE_FFT);
    else
      rules.without.push_back(CUDNN_NUMERICAL_NOTE_FFT);
    if (problem_.input == element_format<float32>() && problem_.weights == problem_.input)  // TF32 is another operation
      rules.without.insert(rules.without.end(),
                           {CUDNN_NUMERICAL_NOTE_TENSOR_CORE, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS});
    return rules;
  }

 private:
  static void scaled(CudnnGraph::Operation& operation, cudnnBackendAttributeName_t alpha,
                     cudnnBackendAttributeName_t beta) {
    operation.number(alpha, 1).number(beta, 0).finish("the convolution");
  }

  [[nodiscard]] bool single() const { return problem_.dimensions == 1; }
  [[nodiscard]] CudnnShape shape(Operands::Position position) const {
    const Operand& operand = operands_[position];
    const bool last = problem_.layout == ConvolutionLayout::channels_last;
    const int channel = last ? operand.rank - 1 : 1, first = last ? 1 : 2;
    CudnnShape shape;
    shape.append(operand.extents[0], operand.strides[0]);
    shape.append(operand.extents[channel], operand.strides[channel]);
    if (single()) shape.append(1, operand.extents[first] * operand.strides[first]);
    for (int d = 0; d < problem_.dimensions; ++d) shape.append(operand.extents[first + d], operand.strides[first + d]);
    return shape;
  }
  [[nodiscard]] CudnnGraph::Operation geometry(CudnnGraph::Operation operation,
                                               cudnnBackendAttributeName_t part) const {
    std::vector<std::int64_t> strides, dilations, before, after;
    const auto append = [&](const ConvolutionAxis& axis) {
      strides.push_back(axis.stride);
      dilations.push_back(axis.dilation);
      before.push_back(axis.padding_before);
      // the division by the stride drops an output padding below it; a longer one is what the padding behind covers
      // less
      after.push_back(axis.padding_after - (axis.output_padding >= axis.stride ? axis.output_padding : 0));
    };
    if (single()) append({});
    for (int d = 0; d < problem_.dimensions; ++d) append(problem_.axes[d]);
    const bool doubles = problem_.input == element_format<float64>();
    const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
    CudnnDescriptor how(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    how.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, doubles ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
    how.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, static_cast<std::int64_t>(strides.size()))
        .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, strides)
        .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, dilations);
    how.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, before)
        .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, after)
        .finalize("the convolution's geometry");
    operation.part(part, how)
        .note(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, strides)
        .note(CUDNN_ATTR_CONVOLUTION_DILATIONS, dilations);
    operation.note(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, before).note(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, after);
    return operation;
  }

  ConvolutionProblem problem_;
  OperandArray operands_;
};

}  // namespace detail

/// cuDNN's convolutions in f32, f64, f16 and bf16, all passes, plain and transposed, on the layouts and strides that
/// the operands have. Of the engines that cuDNN proposes the first is taken whose numerical notes fit the problem's
/// algorithm: no Winograd, no Fourier transform and no TF32 unless it says so. Gradients of a bias are unsupported:
/// cuDNN has them as a reduction.
template <>
struct kernel<Cudnn, Convolution> {
  static constexpr bool available = true;

  static Result<void> run(Cudnn& backend, Cudnn::Stream& stream, const ConvolutionProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (problem.batch == 0 || problem.input_channels == 0 || problem.output_channels == 0)
      return failure(ErrorKind::unsupported, "cuDNN has no tensors without elements");
    if (problem.bias && problem.pass == ConvolutionPass::backward_weights)
      return failure(ErrorKind::unsupported, "cuDNN's convolutions have no gradient of a bias");
    const detail::CudnnConvolution convolution(problem, operands);
    return backend.submit(
        stream, convolution.graph(), convolution.rules(),
        Convolution::operation_of(problem) + " " + Convolution::formats_of(problem) + " " + name_of(problem));
  }
  /// Of 16-bit inputs tensor cores' sums, which are cut; see adapters/cublas.
  [[nodiscard]] static Arithmetic arithmetic(const ConvolutionProblem& problem) {
    Arithmetic arithmetic;
    if (problem.input.bytes == 2 && problem.weights.bytes == 2) arithmetic.accumulation = detail::tensor_core_sums(8);
    if (problem.input == element_format<float64>()) arithmetic.accumulation = accumulation_in<float64>();
    return arithmetic;
  }
};

}  // namespace assay::inline v0
