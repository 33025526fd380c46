#pragma once

#include "assay/kernels/gemm/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The layout of one operand, or why it cannot be: `what` names it in messages.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<GemmOperandLayout> gemm_operand(const char* what, Index rows,
                                                                                Index columns, bool transposed,
                                                                                StorageOrder order,
                                                                                Index leading_dimension, Index batch,
                                                                                Index batch_stride) {
  const Index stored_rows = transposed ? columns : rows;
  const Index stored_columns = transposed ? rows : columns;
  const bool row_major = order == StorageOrder::row_major;
  const Index tightest = row_major ? stored_columns : stored_rows;
  const Index vectors = row_major ? stored_rows : stored_columns;
  const std::string name = std::string("of ") + what;
  if (leading_dimension == 0) leading_dimension = tightest > 0 ? tightest : 1;
  if (leading_dimension < tightest || leading_dimension < 1)
    return failure(ErrorKind::invalid, "leading_dimension " + name + " is " + std::to_string(leading_dimension) + "; " +
                                           (row_major ? "row-major" : "column-major") + " storage of " +
                                           std::to_string(stored_rows) + "×" + std::to_string(stored_columns) +
                                           " needs at least " + std::to_string(tightest > 1 ? tightest : 1));
  const bool empty = rows == 0 || columns == 0;
  const Index whole = checked_product(vectors, leading_dimension);
  if (whole < 0)
    return failure(ErrorKind::invalid, "the extents " + name + ", " + std::to_string(vectors) +
                                           " vectors at leading_dimension " + std::to_string(leading_dimension) +
                                           ", exceed 2^63 − 1 elements");
  const Index matrix = empty ? 0 : whole - leading_dimension + tightest;
  if (batch_stride < 0)
    return failure(ErrorKind::invalid, "batch_stride " + name + " is " + std::to_string(batch_stride) +
                                           "; it must be 0 (the tightest) or more");
  if (batch_stride == 0 || batch <= 1) batch_stride = whole;  // of a single matrix it says nothing
  if (batch > 1 && batch_stride < matrix)
    return failure(ErrorKind::invalid, "batch_stride " + name + " is " + std::to_string(batch_stride) +
                                           "; matrices of " + std::to_string(matrix) +
                                           " elements would overlap, at least that is needed");
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

ASSAY_DETAIL_HEADER_INLINE Result<GemmLayout> lay_out(const GemmProblem& problem) {
  const auto negative = [](const char* field, Index value) {
    return failure(ErrorKind::invalid, std::string(field) + " is " + std::to_string(value) + "; it must be 0 or more");
  };
  if (problem.m < 0) return negative("m", problem.m);
  if (problem.n < 0) return negative("n", problem.n);
  if (problem.k < 0) return negative("k", problem.k);
  if (problem.batch < 0) return negative("batch", problem.batch);
  auto a = detail::gemm_operand("A", problem.m, problem.k, problem.transpose_a, problem.order,
                                problem.leading_dimension_a, problem.batch, problem.batch_stride_a);
  if (!a) return a.propagate();
  auto b = detail::gemm_operand("B", problem.k, problem.n, problem.transpose_b, problem.order,
                                problem.leading_dimension_b, problem.batch, problem.batch_stride_b);
  if (!b) return b.propagate();
  auto c = detail::gemm_operand("C", problem.m, problem.n, false, problem.order, problem.leading_dimension_c,
                                problem.batch, problem.batch_stride_c);
  if (!c) return c.propagate();
  return GemmLayout{a.value(), b.value(), c.value()};
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const GemmProblem& problem) {
  std::string name =
      "m" + std::to_string(problem.m) + "-n" + std::to_string(problem.n) + "-k" + std::to_string(problem.k);
  if (problem.batch != 1) name += "-b" + std::to_string(problem.batch);
  name += std::string("-") + (problem.transpose_a ? "t" : "n") + (problem.transpose_b ? "t" : "n");
  name += problem.order == StorageOrder::row_major ? "-row" : "-col";
  if (problem.leading_dimension_a != 0 || problem.leading_dimension_b != 0 || problem.leading_dimension_c != 0)
    name += "-ld";
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
