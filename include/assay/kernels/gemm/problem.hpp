#pragma once

#include <string>

#include "assay/core/detail/printed_number.hpp"
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
  visit("m", problem.m, "n", problem.n, "k", problem.k, "batch", problem.batch, "transpose_a", problem.transpose_a, "transpose_b",
        problem.transpose_b, "order", problem.order, "alpha", problem.alpha, "beta", problem.beta, "leading_dimension_a",
        problem.leading_dimension_a, "leading_dimension_b", problem.leading_dimension_b, "leading_dimension_c", problem.leading_dimension_c,
        "batch_stride_a", problem.batch_stride_a, "batch_stride_b", problem.batch_stride_b, "batch_stride_c", problem.batch_stride_c);
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

namespace detail {

/// The layout of one operand, or why it cannot be: `what` names it in messages.
[[nodiscard]] inline Result<GemmOperandLayout> gemm_operand(const char* what, Index rows, Index columns, bool transposed,
                                                            StorageOrder order, Index leading_dimension, Index batch, Index batch_stride) {
  const Index stored_rows = transposed ? columns : rows;
  const Index stored_columns = transposed ? rows : columns;
  const bool row_major = order == StorageOrder::row_major;
  const Index tightest = row_major ? stored_columns : stored_rows;
  const Index vectors = row_major ? stored_rows : stored_columns;
  const std::string name = std::string("of ") + what;
  if (leading_dimension == 0) leading_dimension = tightest > 0 ? tightest : 1;
  if (leading_dimension < tightest || leading_dimension < 1)
    return failure(ErrorKind::invalid, "leading_dimension " + name + " is " + std::to_string(leading_dimension) + "; " +
                                           (row_major ? "row-major" : "column-major") + " storage of " + std::to_string(stored_rows) + "×" +
                                           std::to_string(stored_columns) + " needs at least " +
                                           std::to_string(tightest > 1 ? tightest : 1));
  const bool empty = rows == 0 || columns == 0;
  const Index whole = checked_product(vectors, leading_dimension);
  if (whole < 0)
    return failure(ErrorKind::invalid, "the extents " + name + ", " + std::to_string(vectors) + " vectors at leading_dimension " +
                                           std::to_string(leading_dimension) + ", exceed 2^63 − 1 elements");
  const Index matrix = empty ? 0 : whole - leading_dimension + tightest;
  if (batch_stride < 0)
    return failure(ErrorKind::invalid,
                   "batch_stride " + name + " is " + std::to_string(batch_stride) + "; it must be 0 (the tightest) or more");
  if (batch_stride == 0 || batch <= 1) batch_stride = whole;  // of a single matrix it says nothing
  if (batch > 1 && batch_stride < matrix)
    return failure(ErrorKind::invalid, "batch_stride " + name + " is " + std::to_string(batch_stride) + "; matrices of " +
                                           std::to_string(matrix) + " elements would overlap, at least that is needed");
  const Index batches = empty || batch == 0 ? 0 : checked_product(batch - 1, batch_stride);
  if (batches < 0 || batches > INT64_MAX - matrix)
    return failure(ErrorKind::invalid, "the batches " + name + ", " + std::to_string(batch) + " at batch_stride " +
                                           std::to_string(batch_stride) + ", exceed 2^63 − 1 elements");
  GemmOperandLayout layout;
  layout.rows = rows;
  layout.columns = columns;
  layout.row_stride = row_major != transposed ? leading_dimension : 1;
  layout.column_stride = row_major != transposed ? 1 : leading_dimension;
  layout.leading_dimension = leading_dimension;
  layout.batch_stride = batch_stride;
  layout.elements = empty || batch == 0 ? 0 : batches + matrix;
  return layout;
}

}  // namespace detail

/// Where everything of a problem is stored, after it has been checked.
struct GemmLayout {
  /// One an operand.
  GemmOperandLayout a, b, c;
};

/// Checks a problem and lays it out. `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<GemmLayout> lay_out(const GemmProblem& problem) {
  const auto negative = [](const char* field, Index value) {
    return failure(ErrorKind::invalid, std::string(field) + " is " + std::to_string(value) + "; it must be 0 or more");
  };
  if (problem.m < 0) return negative("m", problem.m);
  if (problem.n < 0) return negative("n", problem.n);
  if (problem.k < 0) return negative("k", problem.k);
  if (problem.batch < 0) return negative("batch", problem.batch);
  auto a = detail::gemm_operand("A", problem.m, problem.k, problem.transpose_a, problem.order, problem.leading_dimension_a, problem.batch,
                                problem.batch_stride_a);
  if (!a) return a.propagate();
  auto b = detail::gemm_operand("B", problem.k, problem.n, problem.transpose_b, problem.order, problem.leading_dimension_b, problem.batch,
                                problem.batch_stride_b);
  if (!b) return b.propagate();
  auto c = detail::gemm_operand("C", problem.m, problem.n, false, problem.order, problem.leading_dimension_c, problem.batch,
                                problem.batch_stride_c);
  if (!c) return c.propagate();
  return GemmLayout{a.value(), b.value(), c.value()};
}

/// "m64-n64-k3000-b2-tn-row-ld": the problem's part of a case id.
[[nodiscard]] inline std::string name_of(const GemmProblem& problem) {
  std::string name = "m" + std::to_string(problem.m) + "-n" + std::to_string(problem.n) + "-k" + std::to_string(problem.k);
  if (problem.batch != 1) name += "-b" + std::to_string(problem.batch);
  name += std::string("-") + (problem.transpose_a ? "t" : "n") + (problem.transpose_b ? "t" : "n");
  name += problem.order == StorageOrder::row_major ? "-row" : "-col";
  if (problem.leading_dimension_a != 0 || problem.leading_dimension_b != 0 || problem.leading_dimension_c != 0) name += "-ld";
  if (problem.batch_stride_a != 0 || problem.batch_stride_b != 0 || problem.batch_stride_c != 0) name += "-bs";
  const auto scalar = [](double value) {
    std::string text = detail::printed_number(value, 6, std::chars_format::fixed);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
  };
  if (problem.alpha != 1) name += "-alpha" + scalar(problem.alpha);
  if (problem.beta != 0) name += "-beta" + scalar(problem.beta);
  return name;
}

}  // namespace assay::inline v0
