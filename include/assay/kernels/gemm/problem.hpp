#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// How a matrix lies in memory.
enum class StorageOrder { row_major, column_major };

/// C = α·op(A)·op(B) + β·C for each of `batch` independent matrices: op(A) is m×k, op(B) is k×n, C is m×n.
/// β = 0 means that C is not read.
struct GemmProblem {
  Index m = 0;  ///< rows of C
  Index n = 0;  ///< columns of C
  Index k = 0;  ///< terms of a sum
  Index batch = 1;
  bool transpose_a = false;  ///< A is stored k×m
  bool transpose_b = false;  ///< B is stored n×k
  StorageOrder order = StorageOrder::row_major;
  double alpha = 1;  ///< factor of the product
  double beta = 0;   ///< factor of what C held
  /// Distance, in elements, between consecutive rows (row-major) or columns (column-major) as stored; 0: the tightest.
  Index leading_dimension_a = 0;
  Index leading_dimension_b = 0;  ///< of B, in elements; 0: as dense as possible
  Index leading_dimension_c = 0;  ///< of C, in elements; 0: as dense as possible
  /// Distance, in elements, between consecutive matrices of the batch; 0: the tightest.
  Index batch_stride_a = 0;
  Index batch_stride_b = 0;  ///< between matrices B, in elements; 0: as dense as possible
  Index batch_stride_c = 0;  ///< between matrices C, in elements; 0: as dense as possible
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(GemmProblem& problem, Visit&& visit) {
  visit("m", problem.m, "n", problem.n, "k", problem.k, "batch", problem.batch, "transpose_a", problem.transpose_a,
        "transpose_b", problem.transpose_b, "order", problem.order, "alpha", problem.alpha, "beta", problem.beta,
        "leading_dimension_a", problem.leading_dimension_a, "leading_dimension_b", problem.leading_dimension_b,
        "leading_dimension_c", problem.leading_dimension_c, "batch_stride_a", problem.batch_stride_a, "batch_stride_b",
        problem.batch_stride_b, "batch_stride_c", problem.batch_stride_c);
}

/// How one operand is stored: its extents as a matrix of the product, and where its elements are.
struct GemmOperandLayout {
  Index rows = 0;               ///< of op(X)
  Index columns = 0;            ///< of op(X)
  Index row_stride = 0;         ///< in elements
  Index column_stride = 0;      ///< in elements
  Index leading_dimension = 0;  ///< in elements
  Index batch_stride = 0;       ///< in elements
  Index elements = 0;           ///< from the first to one past the last stored element, all batches
};

/// Where everything of a problem is stored, after it has been checked.
struct GemmLayout {
  /// One an operand.
  GemmOperandLayout a, b, c;
};

/// Checks a problem and lays it out. `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<GemmLayout> lay_out(const GemmProblem& problem);

/// "m64-n64-k3000-b2-tn-row-ld": the problem's part of a case id.
[[nodiscard]] std::string name_of(const GemmProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/gemm/problem.ipp"
#endif
