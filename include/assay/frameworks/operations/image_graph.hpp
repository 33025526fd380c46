#pragma once

#include "assay/core/result.hpp"
#include "assay/frameworks/operations/operation_graph.hpp"
#include "assay/kernels/convolution/problem.hpp"
#include "assay/kernels/pooling/problem.hpp"
#include "assay/kernels/resize/problem.hpp"

namespace assay::inline v0 {

/// The problem of an operation as a graph of ONNX's operators: one, in the formats that it has, wherever ONNX has one;
/// what 16-bit formats would round in between is computed in float32 between casts.
///
/// `unsupported`, with the reason, where ONNX cannot express the problem. O(operands), and of constants of the graph
/// their elements.
///
/// MaxPool and AveragePool, forward; channels that are last are moved by Transpose.
[[nodiscard]] Result<OperationGraph> operation_graph(const PoolingProblem& problem);
/// Resize to given extents, forward.
[[nodiscard]] Result<OperationGraph> operation_graph(const ResizeProblem& problem);
/// Conv and ConvTranspose, forward.
[[nodiscard]] Result<OperationGraph> operation_graph(const ConvolutionProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/operations/image_graph.ipp"
#endif
