#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// What a tensor of a graph is in exact arithmetic, and how far a right runtime's may lie from it.
struct BoundedTensor {
  std::vector<std::int64_t> extents;  ///< outermost first
  std::vector<double> values;         ///< to float64's own rounding
  std::vector<double> errors;         ///< absolute; 0 of what is given
};

/// Tensors by their names.
using BoundedTensors = std::map<std::string, BoundedTensor>;

/// Computes a graph in float64, node by node, with a bound on the error of a runtime that computes each node in
/// float32: what its inputs' errors become, plus its own roundings in whatever order it sums (Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., lemma 8.4: γₙ Σ|aᵢbᵢ|), plus 16 units in the last place and 2⁻²² in all
/// of functions. A bound of a chain also holds for a compiler that fuses it, as long as what it fuses rounds no more
/// often: it may leave roundings out, reassociate sums and products, and multiply constants beforehand. Quantizing is
/// exact unless the error bound reaches the next tie; then codes on both sides are right.
///
/// Values beyond float32's largest are infinite. Casts to 16-bit floats round, which no compiler may leave out.
///
/// Operators: Add, Sub, Mul, Div, Pow (exponent 2 or 3), Sqrt, Exp, Log, Erf, Tanh, Sigmoid, Relu, Clip, Identity, Cast
/// to float16, bfloat16 and float32, MatMul, Gemm without transposition, Softmax, ReduceMean, ReduceSum, ReduceMax
/// along the last axis, Transpose, Conv of two dimensions without groups and dilations, BatchNormalization,
/// LayerNormalization along the last axis, QuantizeLinear and DequantizeLinear of one scale.
/// Errors: `unsupported` for all others and for extents that do not fit; `invalid` where an input is missing.
/// O(work of the graph).
[[nodiscard]] Result<BoundedTensors> evaluate_with_bounds(const OperatorGraph& graph, BoundedTensors given);

/// A tensor of a runtime's, without an error. Precondition: its type has an element format.
[[nodiscard]] BoundedTensor exact_tensor(const GraphTensor& tensor);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/fusions/bounded_evaluation.ipp"
#endif
