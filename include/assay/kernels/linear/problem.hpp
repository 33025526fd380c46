#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/formats/block_scaling.hpp"
#include "assay/formats/element_format.hpp"
#include "assay/kernels/operation_names.hpp"

namespace assay::inline v0 {

/// How an operand of the product is stored.
enum class LinearStorage {
  dense,  ///< one element after the other
  /// packed codes with scales, by a `BlockScaling`; rows of A and columns of B are the rows of the quantized matrix
  block_scaled,
  sparse  ///< two of four consecutive terms, and for each four of them four bits that say which (low bits: the first)
};

/// For what there is a number of its own: one for all, or one for each row of A or column of B.
enum class LinearGranularity { none, tensor, vector };

/// What is done with the sums.
enum class LinearActivation {
  none,
  relu,       ///< max(x, 0), NaN where x is
  gelu,       ///< x·Φ(x), with the error function
  gelu_tanh,  ///< x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³)))
  silu,       ///< x/(1 + e^−x)
  swiglu      ///< silu(g)·u: B has 2n columns, first those of g, then those of u
};

/// How the rows of A are dealt out to groups, group after group.
enum class GroupSizes {
  even,    ///< as nearly equal as can be
  ragged,  ///< in the ratio 0 : 1 : 7 : 2 : 0 : 0 : 4 : 13, over and over: empty groups, single rows, one large group
  one      ///< all to the middle group
};

/// One operand of the product.
struct LinearMatrix {
  LinearStorage storage = LinearStorage::dense;
  ElementFormat format = element_format<float32>();         ///< of elements; not of block-scaled ones
  BlockScaling scheme{};                                    ///< block_scaled only
  LinearGranularity scales = LinearGranularity::none;       ///< float32 factors; not with block_scaled
  LinearGranularity zero_points = LinearGranularity::none;  ///< int32, of dense integers: what stands for 0

  /// Whether the elements are integers.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_integer() const {
    return storage == LinearStorage::dense && !format.is_float();
  }
  /// Whether the elements are codes with scales for blocks.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_block_scaled() const { return storage == LinearStorage::block_scaled; }
  /// Whether two of four elements are left out.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_sparse() const { return storage == LinearStorage::sparse; }
  /// Whether the whole tensor has a scale beside those of its blocks.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_tensor_scale() const {
    return is_block_scaled() && scheme.tensor_scale != TensorScale::none;
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`. The
/// scheme is not one of them: it stays.
template <class Visit>
void fields(LinearMatrix& problem, Visit&& visit) {
  visit("storage", problem.storage, "format", problem.format, "scales", problem.scales, "zero_points",
        problem.zero_points);
}

/// A linear layer as accelerators compute it, with everything that is fused into its product:
///
///   z = scale_a·scale_b·Σ_k a(row, k)·b(k, column) + bias(column), out = (activation(z) + residual)/output_scale
///
/// a and b are what the stored operands stand for: (code − zero point)·scale. With groups, as in a mixture of experts,
/// each group of rows has a B of its own.
struct LinearProblem {
  Index m = 0;       ///< rows of A and of the output
  Index n = 0;       ///< columns of the output
  Index k = 0;       ///< terms of a sum
  Index groups = 0;  ///< 0: B is one matrix
  GroupSizes group_sizes = GroupSizes::even;
  bool transpose_b = false;  ///< B is stored n×k, as weights are; needed where B is block-scaled or sparse
  /// The two factors.
  LinearMatrix a, b;
  bool bias = false;
  bool residual = false;
  LinearActivation activation = LinearActivation::none;
  bool output_scaled =
      false;  ///< the result is quantized: divided by a scale, and beyond the range of the output its end
  ElementFormat output = element_format<float32>();  ///< storage format of the output
  /// The narrowest format in which a kernel may hold dequantized elements before it multiplies them; wider ones than
  /// the accumulator's change nothing.
  ElementFormat dequantized = element_format<float32>();
  /// Whether kernels may expand (code − zero point)·scale, element by element or summed up, of block-scaled operands:
  /// to rounding errors code and zero point then count each by itself.
  bool expanded_zero_points = false;

  /// Columns of the second factor: twice those of the output where a gate is computed.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index columns_of_b() const {
    return activation == LinearActivation::swiglu ? 2 * n : n;
  }
  /// How many second factors there are: one a group.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index matrices() const { return groups > 0 ? groups : 1; }
  /// Terms of a sum that may be other than zero.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index terms() const { return b.is_sparse() ? k / 2 : k; }
  /// Whether sums are of integers.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_integer() const { return a.is_integer() && b.is_integer(); }
  /// Whether anything is done with the sums before they are stored.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool has_epilogue() const {
    return a.scales != LinearGranularity::none || b.scales != LinearGranularity::none || bias || residual ||
           output_scaled || activation != LinearActivation::none;
  }
  /// Of bias and residual: the output's, where that is a floating-point format of 16 bits or more.
  [[nodiscard]] constexpr ElementFormat epilogue_format() const {
    return output.is_float() && output.bytes > 1 ? output : element_format<float32>();
  }
  /// The first row of a group; of `groups`, m.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index first_row(Index group) const {
    if (groups == 0) return group == 0 ? 0 : m;
    if (group_sizes == GroupSizes::even) return m * group / groups;
    if (group_sizes == GroupSizes::one) return group > groups / 2 ? m : 0;
    constexpr Index shares[8] = {0, 1, 7, 2, 0, 0, 4, 13};
    Index before = 0, all = 0;
    for (Index other = 0; other < groups; ++other) {
      all += shares[other % 8];
      if (other < group) before += shares[other % 8];
    }
    return all > 0 ? m * before / all : group > 0 ? m : 0;
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(LinearProblem& problem, Visit&& visit) {
  visit("m", problem.m, "n", problem.n, "k", problem.k, "groups", problem.groups, "group_sizes", problem.group_sizes,
        "transpose_b", problem.transpose_b, "a", problem.a, "b", problem.b, "bias", problem.bias, "residual",
        problem.residual, "activation", problem.activation, "output_scaled", problem.output_scaled, "output",
        problem.output, "dequantized", problem.dequantized, "expanded_zero_points", problem.expanded_zero_points);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const LinearProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/linear/problem.ipp"
#endif
