#pragma once

#include "assay/kernels/quantize/quantized_matrix.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<QuantizedMatrix> QuantizedMatrix::create(const QuantizeProblem& problem) {
  auto layout = lay_out(problem);
  if (!layout) return layout.propagate();
  QuantizedMatrix matrix;
  matrix.layout = layout.value();
  matrix.codes.resize(static_cast<std::size_t>(matrix.layout.code_bytes));
  matrix.scale_words.resize(static_cast<std::size_t>((matrix.layout.scale_bytes + 3) / 4));
  if (problem.scheme.zero_points) matrix.zero_points.resize(static_cast<std::size_t>(matrix.layout.scales.elements()));
  return matrix;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const QuantizeProblem& problem, const QuantizedMatrix& matrix) {
  auto layout = lay_out(problem);
  if (!layout) return layout.propagate();
  const BlockScaling& scheme = problem.scheme;
  const auto extent = [&](const char* what, std::size_t given, Index needed) -> Result<void> {
    if (static_cast<Index>(given) >= needed) return {};
    return failure(ErrorKind::malformed, std::string(what) + " have " + std::to_string(given) + " bytes; " +
                                             scheme.name + " of " + std::to_string(problem.rows) + "×" +
                                             std::to_string(problem.columns) + " elements, a table of " +
                                             std::to_string(layout.value().scales.rows) + "×" +
                                             std::to_string(layout.value().scales.columns) + " scales" +
                                             (scheme.order == ScaleOrder::tiles_128x4 ? " in tiles of 128×4," : ",") +
                                             " needs " + std::to_string(needed));
  };
  if (auto enough = extent("codes", matrix.codes.size(), layout.value().code_bytes); !enough) return enough;
  if (auto enough = extent("scales", matrix.scale_words.size() * 4, layout.value().scale_bytes); !enough) return enough;
  if (scheme.zero_points)
    if (auto enough = extent("zero points", matrix.zero_points.size(), layout.value().scales.elements()); !enough)
      return enough;
  const auto refuse = [](const std::string& where, double scale) {
    return failure(ErrorKind::malformed,
                   where + " is " + detail::number(scale) + "; scales are finite numbers above 0");
  };
  if (scheme.tensor_scale != TensorScale::none && !(is_finite(matrix.tensor_scale) && matrix.tensor_scale > 0))
    return refuse("the scale of the tensor", matrix.tensor_scale);
  ConstQuantizedView view = matrix.view();
  view.layout = layout.value();
  const bool zero_is_rounded = scheme.scale.bits < 32;
  for (Index row = 0; row < view.layout.scales.rows; ++row)
    for (Index column = 0; column < view.layout.scales.columns; ++column) {
      const double scale = scheme.scale.decode(view.scale(scheme, row, column));
      const bool marked = is_nan(scale) && scheme.specials == SpecialValueRule::poison_block;
      const bool usable = is_finite(scale) && (scale > 0 || (scale == 0 && zero_is_rounded && !is_negative(scale)));
      if (!marked && !usable)
        return refuse("the scale of block (" + std::to_string(row) + ", " + std::to_string(column) + ")", scale);
    }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<QuantizedMatrix> quantize(const QuantizeProblem& problem,
                                                            const std::vector<float>& values,
                                                            const QuantizedMatrix* given) {
  auto made = QuantizedMatrix::create(problem);
  if (!made) return made;
  QuantizedMatrix matrix = std::move(made).value();
  expect(static_cast<Index>(values.size()) >= matrix.layout.elements, [&] {
    return "quantize: " + std::to_string(values.size()) + " values were given, the problem has " +
           std::to_string(matrix.layout.elements);
  });
  const bool needs_given = problem.scheme.rule == ScaleRule::given || problem.scheme.tensor_scale == TensorScale::given;
  expect(!needs_given || given != nullptr,
         [&] { return std::string("quantize: the scheme ") + problem.scheme.name + " has given scales; give them"; });
  if (problem.scheme.tensor_scale == TensorScale::given) {
    matrix.tensor_scale = given->tensor_scale;
    if (!(is_finite(matrix.tensor_scale) && matrix.tensor_scale > 0))
      return failure(ErrorKind::malformed, "the scale of the tensor is " + detail::number(matrix.tensor_scale) +
                                               "; scales are finite numbers above 0");
  }
  if (problem.scheme.rule == ScaleRule::given) {
    if (auto checked = check(problem, *given); !checked) return checked.propagate();
    matrix.scale_words = given->scale_words;
    matrix.zero_points = given->zero_points;
  }
  Host host(1);
  auto stream = host.make_stream();
  if (!stream) return stream.propagate();
  const QuantizeArguments<float32> arguments{
      {values.data(), {problem.rows, problem.columns}, {matrix.layout.leading_dimension, 1}}, matrix.view()};
  if (auto done = quantize_reference<float32>(host, stream.value(), problem, arguments); !done) return done.propagate();
  return matrix;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<double>> dequantize(const QuantizeProblem& problem,
                                                                  const QuantizedMatrix& matrix) {
  if (auto checked = check(problem, matrix); !checked) return checked.propagate();
  ConstQuantizedView view = matrix.view();
  view.layout = lay_out(problem).value();
  const DequantizeExpected expected = DequantizeExpected::of(problem, view, {});
  std::vector<double> values;
  for (Index row = 0; row < problem.rows; ++row)
    for (Index column = 0; column < problem.columns; ++column) values.push_back(expected(row, column).value);
  return values;
}

}  // namespace assay::inline v0
