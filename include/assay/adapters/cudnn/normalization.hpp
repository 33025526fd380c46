#pragma once

#include <string>
#include <vector>

#include "assay/adapters/cudnn/cudnn.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/normalization/normalization.hpp"

namespace assay::inline v0 {

namespace detail {

/// Why a normalization is not offered, or nothing.
[[nodiscard]] inline std::string cudnn_normalization_refusal(const NormalizationProblem& problem) {
  if (problem.kind == NormalizationKind::batch)
    return "cuDNN's batch normalization takes inverse deviations, and the problem gives variances";
  if (problem.kind == NormalizationKind::group && problem.groups != problem.channels)
    return "cuDNN's graphs have no number of groups of channels";
  if (problem.saved == SavedStatistics::variance) return "cuDNN saves inverse deviations, not variances";
  if (problem.saved != SavedStatistics::none && !(problem.parameters == element_format<float32>()))
    return std::string("cuDNN saves statistics in f32, not in ") + problem.parameters.name;
  if (!problem.gamma) return "cuDNN's normalizations have a gamma";
  if (problem.kind != NormalizationKind::rms && !problem.beta)
    return "cuDNN's normalizations but for rmsnorm have a beta";
  if (problem.outer * problem.channels * problem.inner == 0) return "cuDNN has no tensors without elements";
  return "";
}

/// A normalization as a graph of one operation: (outer, channels, inner, 1), parameters (1, channels, 1, 1), statistics
/// of what is not normalized over. Needs no device.
[[nodiscard]] inline CudnnGraph cudnn_normalization_graph(const NormalizationProblem& problem,
                                                          const OperandArray& operands) {
  using Op = Normalization;
  CudnnGraph graph;
  const bool training = problem.saved != SavedStatistics::none, instances = problem.kind == NormalizationKind::group,
             centered = problem.kind != NormalizationKind::rms;
  const auto whole = [&](int position) {
    const Operand& operand = operands[position];
    CudnnShape shape;
    shape.append(problem.outer, operand.strides[0]);
    shape.append(problem.channels, operand.strides[1]);
    shape.append(problem.inner, operand.rank > 2 ? operand.strides[2] : operand.strides[1] * problem.channels);
    shape.append(1, operand.strides[0] > operand.strides[1]
                        ? operand.strides[1] * (operand.rank > 2 ? 1 : problem.channels)
                        : 1);
    return graph.tensor(operand, shape);
  };
  const auto parameter = [&](int position) {
    CudnnShape shape;
    const Index stride = operands[position].strides[0];
    shape.append(1, stride * problem.channels);
    shape.append(problem.channels, stride);
    shape.append(1, stride * problem.channels);
    shape.append(1, stride * problem.channels);
    return graph.tensor(operands[position], shape);
  };
  // cuDNN refuses means and inverse deviations of different alignments
  const auto statistic = [&](int position) {
    return graph.tensor(operands[position], CudnnShape::dense({problem.outer, instances ? problem.channels : 1, 1, 1}),
                        sizeof(float));
  };
  const auto x = whole(Op::input), scale = parameter(Op::gamma);
  const auto epsilon = graph.number(static_cast<float>(problem.epsilon));
  const auto y = whole(Op::output);
  const cudnnBackendNormMode_t mode = instances ? CUDNN_INSTANCE_NORM : centered ? CUDNN_LAYER_NORM : CUDNN_RMS_NORM;
  auto operation = graph.operation(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
  operation.choice(CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE, mode);
  operation.choice(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE,
                   training ? CUDNN_NORM_FWD_TRAINING : CUDNN_NORM_FWD_INFERENCE);
  operation.tensor(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, x).tensor(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, scale);
  if (problem.beta) operation.tensor(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, parameter(Op::beta));
  operation.tensor(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, epsilon).tensor(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, y);
  if (training && centered) operation.tensor(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, statistic(Op::saved_mean));
  if (training) operation.tensor(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, statistic(Op::saved_deviation));
  operation.finish("the normalization");
  return graph;
}

}  // namespace detail

/// cuDNN's layer, rms and instance normalization (group normalization with a group a channel): f32 arithmetic,
/// statistics in f32.
template <>
struct kernel<Cudnn, Normalization> {
  static constexpr bool available = true;

  static Result<void> run(Cudnn& backend, Cudnn::Stream& stream, const NormalizationProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (const std::string refusal = detail::cudnn_normalization_refusal(problem); !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    return backend.submit(
        stream, detail::cudnn_normalization_graph(problem, operands), {},
        Normalization::operation_of(problem) + " " + Normalization::formats_of(problem) + " " + name_of(problem));
  }
};

}  // namespace assay::inline v0
