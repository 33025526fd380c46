#pragma once

#include <cstdint>

#include "assay/kernels/linear/operands.hpp"

namespace assay::inline v0 {

/// The magnitudes of the two parts of code − zero point.
struct LinearParts {
  double of_code = 0;        ///< |code|
  double of_zero_point = 0;  ///< |zero point|
};

/// What the elements of one operand of the product stand for: code · factor. A vector is a row of A or a column of B.
struct LinearReader {
  LinearMatrix matrix;
  Operand values, scales, zero_points, metadata;
  Index vectors = 0, terms = 0;
  Index group_stride = 0, vector_stride = 0, term_stride = 1;
  Operand whole_scales{};  ///< of tensors; absent if this one has none
  Index own_whole_scale = 0;

  /// The reader of the first factor.
  [[nodiscard]] ASSAY_FUNCTION static LinearReader of_a(const LinearProblem& problem, const OperandArray& operands) {
    using Position = LinearOperands;
    LinearReader reader{problem.a,
                        operands[Position::a],
                        operands[Position::a_scales],
                        operands[Position::a_zero_points],
                        {},
                        problem.m,
                        problem.k};
    reader.vector_stride = reader.values.strides[0];
    if (problem.a.has_tensor_scale()) reader.whole_scales = operands[Position::whole_scales];
    return reader;
  }
  /// The reader of the second factor.
  [[nodiscard]] ASSAY_FUNCTION static LinearReader of_b(const LinearProblem& problem, const OperandArray& operands) {
    using Position = LinearOperands;
    LinearReader reader{problem.b,
                        operands[Position::b],
                        operands[Position::b_scales],
                        operands[Position::b_zero_points],
                        operands[Position::metadata],
                        problem.columns_of_b(),
                        problem.k};
    const int first = problem.groups > 0 ? 1 : 0;
    reader.group_stride = first > 0 ? reader.values.strides[0] : 0;
    reader.vector_stride = reader.values.strides[problem.transpose_b ? first : first + 1];
    reader.term_stride = reader.values.strides[problem.transpose_b ? first + 1 : first];
    reader.own_whole_scale = 1;
    if (problem.b.has_tensor_scale()) reader.whole_scales = operands[Position::whole_scales];
    return reader;
  }

  /// What is stored for an element, less its zero point; 0 for terms that sparse weights leave out.
  [[nodiscard]] ASSAY_FUNCTION double code(Index group, Index vector, Index term) const {
    const Index start = group * group_stride + vector * vector_stride;
    if (matrix.is_block_scaled()) {
      const std::uint8_t* row = static_cast<const std::uint8_t*>(values.data) + start;
      return matrix.scheme.element.decode(read_code(row, matrix.scheme.packing, matrix.scheme.element.bits, term),
                                          zero_point_of_block(group, vector, term));
    }
    if (matrix.is_sparse()) {
      const Index slot = kept_slot(group, vector, term);
      return slot < 0 ? 0 : values.format.load(values.data, start + (term / 4 * 2 + slot) * term_stride);
    }
    return values.format.load(values.data, start + term * term_stride) - zero_point(group, vector);
  }
  /// Which of the two sparse weights that are kept of four terms is that of `term`; −1: neither.
  [[nodiscard]] ASSAY_FUNCTION Index kept_slot(Index group, Index vector, Index term) const {
    const std::uint64_t byte = metadata.format.load_code(
        metadata.data, (group * vectors + vector) * metadata.strides[metadata.rank - 2] + term / 8);
    const Index kept = static_cast<Index>(term / 4 % 2 == 0 ? byte & 15 : byte >> 4);
    return (kept & 3) == term % 4 ? 0 : kept >> 2 == term % 4 ? 1 : -1;
  }
  /// The scale of an element's block times that of the tensor; 1 without.
  [[nodiscard]] ASSAY_FUNCTION double factor(Index group, Index vector, Index term) const {
    if (!matrix.is_block_scaled()) return 1;
    return scales.format.load(scales.data, place_of_scale(scales, group, vector, term)) * whole_scale();
  }
  /// Of the tensor; 1 without. Read where it lies, which may be a device.
  [[nodiscard]] ASSAY_FUNCTION double whole_scale() const {
    return whole_scales.present() ? whole_scales.load(own_whole_scale) : 1;
  }
  /// What rounding errors are relative to, times the factor, where zero points of a block-scaled operand are expanded.
  [[nodiscard]] ASSAY_FUNCTION LinearParts expanded_parts(Index group, Index vector, Index term) const {
    const double zero = matrix.is_block_scaled() ? zero_point_of_block(group, vector, term) : 0;
    return {detail::absolute(code(group, vector, term) + zero), detail::absolute(zero)};
  }
  [[nodiscard]] ASSAY_FUNCTION double operator()(Index group, Index vector, Index term) const {
    return code(group, vector, term) * factor(group, vector, term);
  }

  /// One past the last term that shares the factor of `term`.
  [[nodiscard]] ASSAY_FUNCTION Index end_of_block(Index term) const {
    const Index length = matrix.is_block_scaled() ? matrix.scheme.columns_of_block(terms) : terms,
                end = (term / length + 1) * length;
    return end < terms ? end : terms;
  }

  /// The zero point of a row or column; 0 without.
  [[nodiscard]] ASSAY_FUNCTION double zero_point(Index group, Index vector) const {
    return number(zero_points, matrix.zero_points, group, vector, 0);
  }
  /// The factor of a whole row of A or column of B.
  [[nodiscard]] ASSAY_FUNCTION double vector_scale(Index group, Index vector) const {
    return number(scales, matrix.scales, group, vector, 1);
  }

  /// The zero point of the block of a term; 0 without.
  [[nodiscard]] ASSAY_FUNCTION int zero_point_of_block(Index group, Index vector, Index term) const {
    if (!matrix.scheme.zero_points) return 0;
    return matrix.scheme.element.integer_of(static_cast<std::uint32_t>(
        zero_points.format.load_code(zero_points.data, place_of_scale(zero_points, group, vector, term))));
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION double number(const Operand& numbers, LinearGranularity granularity, Index group,
                                             Index vector, double without) const {
    if (granularity == LinearGranularity::none || matrix.is_block_scaled()) return without;
    return numbers.load(granularity == LinearGranularity::tensor ? 0 : group * vectors + vector);
  }
  [[nodiscard]] ASSAY_FUNCTION Index place_of_scale(const Operand& table, Index group, Index vector, Index term) const {
    const Index row = vector / matrix.scheme.rows_of_block(vectors),
                column = term / matrix.scheme.columns_of_block(terms);
    if (matrix.scheme.order == ScaleOrder::strided)
      return (table.rank > 2 ? group * table.strides[0] : 0) + row * table.strides[table.rank - 2] +
             column * table.strides[table.rank - 1];
    return (table.rank > 1 ? group * table.strides[0] : 0) +
           tiled_scales(matrix.scheme.scale_rows(vectors), matrix.scheme.scale_columns(terms)).offset(row, column);
  }
};

}  // namespace assay::inline v0
