#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "assay/adapters/cudnn/cudnn.hpp"
#include "assay/adapters/detail/tensor_core_sums.hpp"
#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// Why an attention is not offered, or nothing.
[[nodiscard]] inline std::string cudnn_attention_refusal(const AttentionProblem& problem) {
  if (problem.storage != AttentionStorage::dense || !problem.key_lengths.empty())
    return "cuDNN's attention is offered for dense sequences of one length";
  if (!(problem.query == element_format<float16>() || problem.query == element_format<bfloat16>()))
    return std::string("cuDNN's attention is offered in f16 and bf16, not ") + problem.query.name;
  if (!(problem.key_value == problem.query && problem.output == problem.query))
    return "cuDNN's attention has one format for queries, keys, values and output";
  if (!(problem.weights == problem.query))
    return std::string("cuDNN's attention rounds its weights to ") + problem.query.name +
           " before it multiplies values; the problem's contract says " + problem.weights.name;
  if (problem.soft_cap != 0 || problem.alibi || problem.key_value_scale != KeyValueScale::none)
    return "soft caps, ALiBi and scales of keys and values are not asked of cuDNN";
  const bool bottom_right = problem.alignment == AttentionAlignment::bottom_right;
  const bool right = problem.causal || problem.window_right >= 0;
  if (right && bottom_right && problem.queries > problem.keys)
    return "cuDNN leaves rows that see no key undefined, and with more queries than keys there are some";
  if (problem.window_left >= 0 && !right)
    return "cuDNN's attention has no window to the left without a limit to the right";
  if (problem.window_left >= 0 && !bottom_right && problem.queries > problem.keys + problem.window_left)
    return "cuDNN leaves rows that see no key undefined";
  if (problem.batch * problem.heads * problem.queries * problem.keys * problem.value_depth == 0)
    return "cuDNN has no tensors without elements";
  return "";
}

/// softmax(scale·QKᵀ + mask)·V with its log-sum-exp, as the graph that cuDNN's fused kernels know: scores and what is
/// made of them are never stored. Needs no device.
class CudnnAttention {
  using P = AttentionOperand;
  using Tensor = CudnnGraph::Tensor;
  using Function = CudnnGraph::Function;

 public:
  CudnnAttention(const AttentionProblem& problem, const OperandArray& operands)
      : problem_(problem), operands_(operands), layout_(problem, operands) {}

  [[nodiscard]] CudnnGraph graph() {
    const Tensor query = of(P::query), key = of(P::key, true);
    Tensor score = graph_.multiply(query, key, scores());
    score = graph_.pointwise(
        {.mode = CUDNN_POINTWISE_MUL, .x = score, .b = graph_.number(static_cast<float>(layout_.scale))}, scores());
    if (problem_.additive_mask != AdditiveMask::none)
      score = graph_.pointwise({.mode = CUDNN_POINTWISE_ADD, .x = score, .b = mask()}, scores());
    const Index shift = problem_.alignment == AttentionAlignment::bottom_right ? problem_.keys - problem_.queries : 0;
    if (problem_.causal || problem_.window_right >= 0)
      score = not_after(score, shift + (problem_.causal ? 0 : problem_.window_right));
    if (problem_.window_left >= 0) score = not_before(score, problem_.window_left - shift);
    const Tensor highest = graph_.reduce(CUDNN_REDUCE_TENSOR_MAX, score, rows());
    const Tensor below = graph_.pointwise({.mode = CUDNN_POINTWISE_SUB, .x = score, .b = highest}, scores());
    const Tensor power = graph_.pointwise({.mode = CUDNN_POINTWISE_EXP, .x = below}, scores());
    const Tensor sum = graph_.reduce(CUDNN_REDUCE_TENSOR_ADD, power, rows());
    const Tensor logarithm = graph_.pointwise({.mode = CUDNN_POINTWISE_LOG, .x = sum}, rows());
    graph_.pointwise({.mode = CUDNN_POINTWISE_ADD, .x = highest, .b = logarithm}, statistics());
    const Tensor weight =
        graph_.pointwise({.mode = CUDNN_POINTWISE_DIV, .x = power, .b = sum}, scores(*cudnn_type_of(problem_.query)));
    graph_.multiply(weight, of(P::value), of(P::output));
    return std::move(graph_);
  }

 private:
  [[nodiscard]] Tensor of(P::Position position, bool transposed = false) {
    const Operand& operand = operands_[position];
    CudnnShape shape;
    for (const int d : {0, 1, transposed ? 3 : 2, transposed ? 2 : 3})
      shape.append(operand.extents[d], operand.strides[d]);
    return graph_.tensor(operand, shape);
  }
  [[nodiscard]] Tensor scores(cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    return graph_.intermediate(score_shape(), type);
  }
  [[nodiscard]] CudnnShape score_shape() const {
    return CudnnShape::dense({problem_.batch, problem_.heads, problem_.queries, problem_.keys});
  }
  [[nodiscard]] Tensor rows() {
    return graph_.intermediate(CudnnShape::dense({problem_.batch, problem_.heads, problem_.queries, 1}));
  }
  [[nodiscard]] Tensor statistics() {
    const Operand& operand = operands_[P::log_sum_exp];
    CudnnShape shape;
    for (int d = 0; d < 3; ++d) shape.append(operand.extents[d], operand.strides[d]);
    shape.append(1, 1);
    return graph_.tensor(operand, shape);
  }
  [[nodiscard]] Tensor mask() {
    const Operand& operand = operands_[P::additive_mask];
    const bool shared = problem_.additive_mask == AdditiveMask::shared;
    CudnnShape shape;
    const Index matrix = problem_.queries * (shared ? operand.strides[0] : Index{0});
    shape.append(shared ? 1 : operand.extents[0], shared ? matrix : operand.strides[0]);
    shape.append(shared ? 1 : operand.extents[1], shared ? matrix : operand.strides[1]);
    for (int d = operand.rank - 2; d < operand.rank; ++d) shape.append(operand.extents[d], operand.strides[d]);
    return graph_.tensor(operand, shape);
  }
  [[nodiscard]] Tensor index(std::int64_t axis, Tensor score, cudnnDataType_t type) {
    return graph_.pointwise({.mode = CUDNN_POINTWISE_GEN_INDEX, .x = score, .axis = axis, .precision = type},
                            graph_.intermediate(score_shape(), type));
  }
  [[nodiscard]] Tensor keep(Tensor score, Tensor left, cudnnPointwiseMode_t comparison, Tensor right,
                            cudnnDataType_t type) {
    const Tensor kept =
        graph_.pointwise({.mode = comparison,
                          .x = left,
                          .b = right,
                          .precision = type == CUDNN_DATA_INT32 ? CUDNN_DATA_INT32 : CUDNN_DATA_BOOLEAN},
                         graph_.intermediate(score_shape(), CUDNN_DATA_BOOLEAN));
    return graph_.pointwise({.mode = CUDNN_POINTWISE_BINARY_SELECT,
                             .x = score,
                             .b = graph_.number(-std::numeric_limits<float>::infinity()),
                             .choice = kept},
                            scores());
  }
  /// Of a query, the keys up to `shift` behind it.
  [[nodiscard]] Tensor not_after(Tensor score, Index shift) {
    Tensor row = index(2, score, CUDNN_DATA_INT32);
    if (shift != 0)
      row = graph_.pointwise({.mode = CUDNN_POINTWISE_ADD,
                              .x = row,
                              .b = graph_.number(static_cast<std::int32_t>(shift)),
                              .precision = CUDNN_DATA_INT32},
                             graph_.intermediate(score_shape(), CUDNN_DATA_INT32));
    return keep(score, row, CUDNN_POINTWISE_CMP_GE, index(3, score, CUDNN_DATA_INT32), CUDNN_DATA_INT32);
  }
  /// Of a query, the keys from `reach` before it on.
  [[nodiscard]] Tensor not_before(Tensor score, Index reach) {
    const Tensor row = index(2, score, CUDNN_DATA_INT32), column = index(3, score, CUDNN_DATA_INT32);
    const Tensor far = graph_.pointwise({.mode = CUDNN_POINTWISE_ADD,
                                         .x = column,
                                         .b = graph_.number(static_cast<std::int32_t>(reach + 1)),
                                         .precision = CUDNN_DATA_INT32},
                                        graph_.intermediate(score_shape(), CUDNN_DATA_INT32));
    return keep(score, far, CUDNN_POINTWISE_CMP_GT, row, CUDNN_DATA_INT32);
  }

  AttentionProblem problem_;
  OperandArray operands_;
  AttentionLayout layout_;
  CudnnGraph graph_;
};

}  // namespace detail

/// cuDNN's fused attention in f16 and bf16, with causal masks, windows and additive masks, grouped queries, and its
/// log-sum-exp. Weights are rounded to the format of the values, which must be the problem's contract. What its engines
/// refuse (depths, alignments, combinations of masks) is unsupported in cuDNN's words.
template <>
struct kernel<Cudnn, Attention> {
  static constexpr bool available = true;

  static Result<void> run(Cudnn& backend, Cudnn::Stream& stream, const AttentionProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (const std::string refusal = detail::cudnn_attention_refusal(problem); !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    return backend.submit(stream, detail::CudnnAttention(problem, operands).graph(), {},
                          "attention " + formats_of(problem) + " " + name_of(problem));
  }
  /// Sums of tensor cores, which are cut.
  [[nodiscard]] static Arithmetic arithmetic(const AttentionProblem&) {
    Arithmetic arithmetic;
    arithmetic.accumulation = detail::tensor_core_sums(8);
    return arithmetic;
  }
};

}  // namespace assay::inline v0
