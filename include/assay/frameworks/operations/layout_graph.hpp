#pragma once

#include "assay/core/result.hpp"
#include "assay/frameworks/operations/operation_graph.hpp"
#include "assay/kernels/gather/problem.hpp"
#include "assay/kernels/rearrangement/problem.hpp"

namespace assay::inline v0 {

/// The problem of an operation as a graph of ONNX's operators: one, in the formats that it has, wherever ONNX has one;
/// what 16-bit formats would round in between is computed in float32 between casts.
///
/// `unsupported`, with the reason, where ONNX cannot express the problem. O(operands), and of constants of the graph
/// their elements.
///
/// Gather, and ScatterND that adds; indices within the table only.
[[nodiscard]] Result<OperationGraph> operation_graph(const GatherProblem& problem);
/// Transpose, Slice, Pad, Concat.
[[nodiscard]] Result<OperationGraph> operation_graph(const RearrangementProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/operations/layout_graph.ipp"
#endif
