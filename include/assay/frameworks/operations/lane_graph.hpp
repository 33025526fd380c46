#pragma once

#include "assay/core/result.hpp"
#include "assay/frameworks/operations/operation_graph.hpp"
#include "assay/kernels/cross_entropy/problem.hpp"
#include "assay/kernels/l2_normalize/problem.hpp"
#include "assay/kernels/normalization/problem.hpp"
#include "assay/kernels/reduction/problem.hpp"
#include "assay/kernels/softmax/problem.hpp"
#include "assay/kernels/sort/problem.hpp"

namespace assay::inline v0 {

/// The problem of an operation as a graph of ONNX's operators: one, in the formats that it has, wherever ONNX has one;
/// what 16-bit formats would round in between is computed in float32 between casts.
///
/// `unsupported`, with the reason, where ONNX cannot express the problem. O(operands), and of constants of the graph
/// their elements.
///
/// Softmax and LogSoftmax; a mask by Where.
[[nodiscard]] Result<OperationGraph> operation_graph(const SoftmaxProblem& problem);
/// LayerNormalization, RMSNormalization, GroupNormalization, BatchNormalization.
[[nodiscard]] Result<OperationGraph> operation_graph(const NormalizationProblem& problem);
/// ReduceL2, Max and Div.
[[nodiscard]] Result<OperationGraph> operation_graph(const L2NormalizeProblem& problem);
/// Reductions, ArgMax, ArgMin, CumSum; a variance by its formula in two passes.
[[nodiscard]] Result<OperationGraph> operation_graph(const ReductionProblem& problem);
/// TopK; ONNX leaves open where NaN stands.
[[nodiscard]] Result<OperationGraph> operation_graph(const SortProblem& problem);
/// SoftmaxCrossEntropyLoss; no gradients, no smoothing.
[[nodiscard]] Result<OperationGraph> operation_graph(const CrossEntropyProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/operations/lane_graph.ipp"
#endif
