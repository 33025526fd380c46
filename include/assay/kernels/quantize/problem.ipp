#pragma once

#include "assay/kernels/quantize/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The table of scales of a problem, or why it cannot be.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<ScaleLayout> scale_table(const QuantizeProblem& problem) {
  const Index rows = problem.scheme.scale_rows(problem.rows), columns = problem.scheme.scale_columns(problem.columns);
  Index row_stride = problem.scale_row_stride, column_stride = problem.scale_column_stride;
  const std::string table = "a table of " + std::to_string(rows) + "×" + std::to_string(columns) + " scales";
  if (problem.scheme.order == ScaleOrder::tiles_128x4) {
    if (row_stride != 0 || column_stride != 0)
      return failure(ErrorKind::invalid, "scale_row_stride and scale_column_stride are " + std::to_string(row_stride) +
                                             " and " + std::to_string(column_stride) +
                                             "; scales in tiles of 128×4 have no strides, leave both 0");
    if (checked_product(rows + 127, columns + 3) < 0)
      return failure(ErrorKind::invalid, table + " exceeds 2^63 − 1 elements");
    return tiled_scales(rows, columns);
  }
  if (row_stride == 0 && column_stride == 0) row_stride = columns > 0 ? columns : 1, column_stride = 1;
  if (row_stride < 1 || column_stride < 1)
    return failure(ErrorKind::invalid, "scale_row_stride and scale_column_stride are " + std::to_string(row_stride) +
                                           " and " + std::to_string(column_stride) +
                                           "; give both, 1 or more, or 0 for the tightest");
  const Index along_rows = checked_product(rows > 0 ? rows : 1, row_stride),
              along_columns = checked_product(columns > 0 ? columns : 1, column_stride);
  if (along_rows < 0 || along_columns < 0 || along_rows > INT64_MAX - along_columns)
    return failure(ErrorKind::invalid, table + " with these strides exceeds 2^63 − 1 elements");
  const bool apart = row_stride >= along_columns - column_stride + 1 || column_stride >= along_rows - row_stride + 1;
  if (rows > 1 && columns > 1 && !apart)
    return failure(ErrorKind::invalid, table + " with scale_row_stride " + std::to_string(row_stride) +
                                           " and scale_column_stride " + std::to_string(column_stride) +
                                           " would overlap itself; row-major needs a row stride of at least " +
                                           std::to_string(columns) + ", column-major a column stride of at least " +
                                           std::to_string(rows));
  return ScaleLayout{ScaleOrder::strided, rows, columns, row_stride, column_stride};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<QuantizeLayout> lay_out(const QuantizeProblem& problem) {
  const BlockScaling& scheme = problem.scheme;
  if (auto checked = check(scheme); !checked) return checked.propagate();
  if (problem.rows < 0 || problem.columns < 0)
    return failure(ErrorKind::invalid, "rows and columns are " + std::to_string(problem.rows) + " and " +
                                           std::to_string(problem.columns) + "; they must be 0 or more");
  const bool empty = problem.rows == 0 || problem.columns == 0;
  const auto rows_of = [&](const char* field, Index given, Index tightest, Index& stride,
                           Index& whole) -> Result<void> {
    stride = given != 0 ? given : tightest > 0 ? tightest : 1;
    if (stride < 1 || stride < tightest)
      return failure(ErrorKind::invalid, std::string(field) + " is " + std::to_string(given) + "; rows of " +
                                             std::to_string(problem.columns) + " elements need at least " +
                                             std::to_string(tightest));
    whole = empty ? 0 : checked_product(problem.rows, stride);
    if (whole < 0)
      return failure(ErrorKind::invalid, std::to_string(problem.rows) + " rows at " + field + " " +
                                             std::to_string(stride) + " exceed 2^63 − 1");
    if (!empty) whole -= stride - tightest;
    return {};
  };
  if (checked_product(problem.columns, 8) < 0)
    return failure(ErrorKind::invalid, std::to_string(problem.columns) + " columns exceed 2^63 − 1 bits");
  QuantizeLayout layout;
  layout.bytes_of_row = packed_bytes(scheme.packing, scheme.element.bits, problem.columns);
  if (auto done = rows_of("leading_dimension", problem.leading_dimension, problem.columns, layout.leading_dimension,
                          layout.elements);
      !done)
    return done.propagate();
  if (auto done = rows_of("code_row_bytes", problem.code_row_bytes, layout.bytes_of_row, layout.code_row_bytes,
                          layout.code_bytes);
      !done)
    return done.propagate();
  auto scales = detail::scale_table(problem);
  if (!scales) return scales.propagate();
  layout.scales = scales.value();
  layout.scale_bytes = checked_product(layout.scales.elements(), scheme.scale.bytes());
  if (layout.scale_bytes < 0) return failure(ErrorKind::invalid, "the table of scales exceeds 2^63 − 1 bytes");
  return layout;
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const QuantizeProblem& problem) {
  std::string name = "r" + std::to_string(problem.rows) + "-c" + std::to_string(problem.columns);
  if (problem.leading_dimension != 0) name += "-ld";
  if (problem.code_row_bytes != 0) name += "-cr";
  if (problem.scale_row_stride != 0 || problem.scale_column_stride != 0)
    name += problem.scale_row_stride == 1 ? "-scol" : "-srow";
  if (problem.scheme.order == ScaleOrder::tiles_128x4) name += "-tiles";
  return name;
}

}  // namespace assay::inline v0
