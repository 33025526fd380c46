#pragma once

#include "assay/core/result.hpp"
#include "assay/frameworks/operations/operation_graph.hpp"
#include "assay/kernels/attention/problem.hpp"
#include "assay/kernels/gemm/problem.hpp"
#include "assay/kernels/linear/problem.hpp"
#include "assay/kernels/rotary_embedding/problem.hpp"

namespace assay::inline v0 {

/// The problem of an operation as a graph of ONNX's operators: one, in the formats that it has, wherever ONNX has one;
/// what 16-bit formats would round in between is computed in float32 between casts.
///
/// `unsupported`, with the reason, where ONNX cannot express the problem. O(operands), and of constants of the graph
/// their elements.
///
/// Attention of ONNX 23 on dense sequences; the logarithms of sums from its scores.
[[nodiscard]] Result<OperationGraph> operation_graph(const AttentionProblem& problem);
/// MatMul or MatMulInteger of dense factors, with what is fused into the product.
[[nodiscard]] Result<OperationGraph> operation_graph(const LinearProblem& problem);
/// RotaryEmbedding of ONNX 23, its sines and cosines computed in float64 and rounded once.
[[nodiscard]] Result<OperationGraph> operation_graph(const RotaryEmbeddingProblem& problem);

/// A product whose formats are these, as MatMul or, with factors and transposes, Gemm: A, B and C at the positions 0 to
/// 2. Sums in 16 bits cannot be expressed.
[[nodiscard]] Result<OperationGraph> gemm_graph(const GemmProblem& problem, const ElementFormat& a,
                                                const ElementFormat& b, const ElementFormat& accumulator,
                                                const ElementFormat& c);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/operations/product_graph.ipp"
#endif
