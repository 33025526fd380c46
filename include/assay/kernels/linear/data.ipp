#pragma once

#include "assay/kernels/linear/data.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE LinearDataMaker::LinearDataMaker(const LinearProblem& problem, FillKind kind,
                                                            const Arithmetic& arithmetic, std::uint64_t seed)
    : problem_(problem), kind_(kind), seed_(seed) {
  GemmProblem product;
  product.m = problem.m;
  product.n = problem.columns_of_b();
  product.k = problem.k;
  const auto layout_of = [](const LinearMatrix& matrix) {
    const bool floating = !matrix.is_block_scaled() && matrix.format.is_float();
    return floating ? matrix.format.layout : FormatTraits<float32>::layout;
  };
  const FloatLayout a = layout_of(problem.a), b = layout_of(problem.b);
  const bool ends_of_codes =
      kind == FillKind::extreme &&
      problem.b.is_block_scaled();  // partial sums of codes times the largest number overflow in some kernels only
  const FloatLayout output = problem.output.is_float() ? problem.output.layout : FormatTraits<float32>::layout;
  fills_ = GemmData::make(ends_of_codes ? FillKind::normal : kind, product, a.precision() <= b.precision() ? a : b,
                          output, arithmetic.accumulation, seed);
  // where something follows that is not linear, sums of about 1
  if (problem.has_epilogue() && (kind == FillKind::normal || kind == FillKind::special))
    spread_ = power_of_two(-static_cast<int>(std::log2(std::sqrt(static_cast<double>(problem.k) + 1))));
  data_.operands.resize(LinearOperands::count);
  make_matrix(problem.a, GemmOperand::a, LinearOperands::a, problem.m, 1);
  make_matrix(problem.b, GemmOperand::b, LinearOperands::b, product.n, problem.matrices());
  make_rest();
  data_.model = model(arithmetic.accumulation);
}

ASSAY_DETAIL_HEADER_INLINE void LinearDataMaker::make_matrix(const LinearMatrix& matrix, GemmOperand operand,
                                                             int position, Index vectors, Index matrices) {
  if (matrix.is_block_scaled()) return make_block_scaled(matrix, operand, position, vectors, matrices);
  const Index k = problem_.k, terms = matrix.is_sparse() ? k / 2 : k, lanes = matrices * vectors;
  const bool transposed = operand == GemmOperand::b && !problem_.transpose_b;
  Values values(static_cast<std::size_t>(lanes * terms)),
      metadata(static_cast<std::size_t>(matrix.is_sparse() ? lanes * ((k + 7) / 8) : 0)), zero_points;
  if (matrix.zero_points != LinearGranularity::none) {
    const Index count = matrix.zero_points == LinearGranularity::tensor ? 1 : lanes;
    for (Index lane = 0; lane < count; ++lane) zero_points.push_back(zero_point(matrix.format, position, lane));
  }
  for (Index lane = 0; lane < lanes; ++lane)
    for (Index term = 0; term < terms; ++term) {
      Index source = term;
      if (matrix.is_sparse()) {
        const Index pair = kept_pair(lane, term / 2);
        source = term / 2 * 4 + (term % 2 == 0 ? pair & 3 : pair >> 2);
        double& byte = metadata[static_cast<std::size_t>(lane * ((k + 7) / 8) + term / 4)];
        if (term % 2 == 0) byte += static_cast<double>(term / 2 % 2 == 0 ? pair : pair << 4);
      }
      const double value =
          matrix.is_integer() ? integer(matrix.format, operand, lane, source) : pattern(operand, lane, source);
      note(operand, value);
      const Index group = lane / vectors, vector = lane % vectors;
      values[static_cast<std::size_t>(transposed ? (group * terms + term) * vectors + vector : lane * terms + term)] =
          value;
    }
  set(position, std::move(values));
  set(position + 2, std::move(zero_points));
  if (matrix.is_sparse()) set(LinearOperands::metadata, std::move(metadata));
  Values scales;
  if (matrix.scales != LinearGranularity::none) {
    const double base =
        matrix.is_integer()
            ? (operand == GemmOperand::a ? 1.0 / 32 : 1.0 / 32 / std::sqrt(static_cast<double>(problem_.k) + 1))
            : 1;
    for (Index lane = 0; lane < (matrix.scales == LinearGranularity::tensor ? 1 : lanes); ++lane)
      scales.push_back(base * positive(position + 1, lane, -1, 1));
  }
  set(position + 1, std::move(scales));
}

ASSAY_DETAIL_HEADER_INLINE void LinearDataMaker::make_block_scaled(const LinearMatrix& matrix, GemmOperand operand,
                                                                   int position, Index vectors, Index matrices) {
  const BlockScaling& scheme = matrix.scheme;
  const CodeFormat& element = scheme.element;
  const Index k = problem_.k, bytes = packed_bytes(scheme.packing, element.bits, k), rows = scheme.scale_rows(vectors),
              columns = scheme.scale_columns(k);
  const ScaleLayout table =
      scheme.order == ScaleOrder::tiles_128x4 ? tiled_scales(rows, columns) : row_major_scales(rows, columns);
  const Index entries = table.elements();
  Values scales(static_cast<std::size_t>(matrices * entries)),
      zero_points(static_cast<std::size_t>(scheme.zero_points ? matrices * entries : 0));
  for (Index entry = 0; entry < matrices * rows * columns; ++entry) {
    const Index group = entry / (rows * columns), row = entry / columns % rows, column = entry % columns;
    double scale = positive(position + 1, entry, -2, 3);
    if (integral())
      scale = power_of_two(static_cast<int>(uniform_below(bits(position + 1, entry).words[0], 3)));
    else if (kind_ == FillKind::constant)
      scale = 1 / element.max_value();
    else
      scale /= element.max_value();
    if (kind_ == FillKind::special && scheme.scale.has_nan() && row % 7 == 3 && column == columns / 2)
      scale = double_of(binary64_layout.nan_bits());
    if (kind_ == FillKind::extreme && operand == GemmOperand::a && scheme.scale.holds_only_powers_of_two() &&
        row % 5 == 4)
      scale = 0;  // the smallest, which is subnormal in float32
    const auto place = static_cast<std::size_t>(group * entries + table.offset(row, column));
    scales[place] = scheme.scale.decode(scheme.scale.encode(scale));
    if (scheme.zero_points)
      zero_points[place] = static_cast<double>(
          static_cast<std::uint32_t>(zero_point_of_block(element, position, entry)) & element.code_mask());
    if (integral()) note(operand, scales[place] * 4);
  }
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(matrices * vectors * bytes));
  for (Index lane = 0; lane < matrices * vectors; ++lane)
    for (Index term = 0; term < k; ++term) {
      const Index entry = lane / vectors * rows * columns + lane % vectors / scheme.rows_of_block(vectors) * columns +
                          term / scheme.columns_of_block(k);
      write_code(codes.data() + lane * bytes, scheme.packing, element.bits, term,
                 code(scheme, operand, position, lane, term, entry));
    }
  set(position, Values(codes.begin(), codes.end()));
  set(position + 1, std::move(scales));
  set(position + 2, std::move(zero_points));
}

ASSAY_DETAIL_HEADER_INLINE void LinearDataMaker::make_rest() {
  Values offsets, whole;
  for (Index group = 0; group <= problem_.groups; ++group)
    offsets.push_back(static_cast<double>(problem_.first_row(group)));
  set(LinearOperands::offsets, std::move(offsets));
  for (int tensor = 0; tensor < 2; ++tensor) whole.push_back(integral() ? tensor + 1 : positive(12, tensor, -1, 1));
  whole.push_back(
      problem_.output_scaled ? (integral() ? 0.5 : 4 * positive(12, 2, -1, 1) / problem_.output.max_finite()) : 1);
  set(LinearOperands::whole_scales, std::move(whole));
  for (const int position : {LinearOperands::bias, LinearOperands::residual}) {
    OperandFill& fill = data_.operands[static_cast<std::size_t>(position)];
    fill.pattern = {integral() ? FillKind::exact_integer : FillKind::normal,
                    seed_ * 16 + static_cast<std::uint64_t>(position), problem_.n > 0 ? problem_.n : 1};
    if (kind_ == FillKind::extreme && !problem_.is_integer())
      fill.scale = 0;  // the largest number and something more may overflow, or not
  }
}

ASSAY_DETAIL_HEADER_INLINE RoundingModel LinearDataMaker::model(const AccumulationModel& accumulation) const {
  if (problem_.is_integer()) return RoundingModel::exact;
  const bool blocks = problem_.a.is_block_scaled() || problem_.b.is_block_scaled();
  const double whole = problem_.b.has_tensor_scale() ? 2 : 1;
  switch (kind_) {
    case FillKind::exact_integer: {
      if (blocks &&
          (problem_.b.scheme.element.kind == CodeKind::table || problem_.a.scheme.element.kind == CodeKind::table))
        return RoundingModel::worst_case;
      const double largest =
          static_cast<double>(problem_.terms()) * largest_a_ * largest_b_ * whole;  // in units of the codes
      return largest <= power_of_two(accumulation.precision) && largest < accumulation.max_finite
                 ? RoundingModel::exact
                 : RoundingModel::worst_case;
    }
    case FillKind::normal:
    case FillKind::log_uniform:
    case FillKind::special: return RoundingModel::statistical;
    case FillKind::uniform:
      if (problem_.b.is_block_scaled() && !problem_.a.is_block_scaled())
        return RoundingModel::worst_case;  // A is positive: dequantized weights have no random signs
      return positive_sum_model(problem_.terms(), accumulation, RoundingModel::statistical);
    case FillKind::extreme:
      if (blocks) return problem_.a.is_block_scaled() ? RoundingModel::worst_case : RoundingModel::statistical;
      return problem_.b.is_sparse() ? RoundingModel::worst_case : fills_.model;
    default: return blocks || problem_.b.is_sparse() ? RoundingModel::worst_case : fills_.model;
  }
}

}  // namespace assay::inline v0::detail
