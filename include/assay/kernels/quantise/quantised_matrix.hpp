#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/kernels/quantise/reference.hpp"

namespace assay::inline v0 {

/// A quantised matrix on the host, with memory of its own. Scales are stored as bytes of the scale format, in the machine's order.
struct QuantisedMatrix {
  std::vector<std::uint8_t> codes;         ///< packed as the scheme says
  std::vector<std::uint32_t> scale_words;  ///< aligned storage of `layout.scale_bytes` bytes
  std::vector<std::uint8_t> zero_points;   ///< one a block; empty without
  float tensor_scale = 1;                  ///< of the whole tensor
  QuantiseLayout layout;

  /// Room for the quantised matrix of a problem, all zeros. Errors as of `lay_out`.
  [[nodiscard]] static Result<QuantisedMatrix> create(const QuantiseProblem& problem) {
    auto layout = lay_out(problem);
    if (!layout) return layout.propagate();
    QuantisedMatrix matrix;
    matrix.layout = layout.value();
    matrix.codes.resize(static_cast<std::size_t>(matrix.layout.code_bytes));
    matrix.scale_words.resize(static_cast<std::size_t>((matrix.layout.scale_bytes + 3) / 4));
    if (problem.scheme.zero_points) matrix.zero_points.resize(static_cast<std::size_t>(matrix.layout.scales.elements()));
    return matrix;
  }
  /// What kernels take; valid as long as this lives.
  [[nodiscard]] MutableQuantisedView view() { return {codes.data(), scale_words.data(), zero_points.data(), &tensor_scale, layout}; }
  /// What kernels take; valid as long as this lives.
  [[nodiscard]] ConstQuantisedView view() const { return {codes.data(), scale_words.data(), zero_points.data(), &tensor_scale, layout}; }
};

/// Whether a quantised matrix that somebody else made can be read as a problem says: its memory has the extents, scales of
/// blocks and tensor are positive numbers, where the scheme does not mark blocks by NaN. A scale of zero is accepted only
/// in formats narrower than float32, in which small scales round to it. `ErrorKind::malformed` names what was found.
[[nodiscard]] inline Result<void> check(const QuantiseProblem& problem, const QuantisedMatrix& matrix) {
  auto layout = lay_out(problem);
  if (!layout) return layout.propagate();
  const BlockScaling& scheme = problem.scheme;
  const auto extent = [&](const char* what, std::size_t given, Index needed) -> Result<void> {
    if (static_cast<Index>(given) >= needed) return {};
    return failure(ErrorKind::malformed,
                   std::string(what) + " have " + std::to_string(given) + " bytes; " + scheme.name + " of " + std::to_string(problem.rows) +
                       "×" + std::to_string(problem.columns) + " elements, a table of " + std::to_string(layout.value().scales.rows) + "×" +
                       std::to_string(layout.value().scales.columns) + " scales" +
                       (scheme.order == ScaleOrder::tiles_128x4 ? " in tiles of 128×4," : ",") + " needs " + std::to_string(needed));
  };
  if (auto enough = extent("codes", matrix.codes.size(), layout.value().code_bytes); !enough) return enough;
  if (auto enough = extent("scales", matrix.scale_words.size() * 4, layout.value().scale_bytes); !enough) return enough;
  if (scheme.zero_points)
    if (auto enough = extent("zero points", matrix.zero_points.size(), layout.value().scales.elements()); !enough) return enough;
  const auto refuse = [](const std::string& where, double scale) {
    return failure(ErrorKind::malformed, where + " is " + detail::number(scale) + "; scales are finite numbers above 0");
  };
  if (scheme.tensor_scale != TensorScale::none && !(is_finite(matrix.tensor_scale) && matrix.tensor_scale > 0))
    return refuse("the scale of the tensor", matrix.tensor_scale);
  ConstQuantisedView view = matrix.view();
  view.layout = layout.value();
  const bool zero_is_rounded = scheme.scale.bits < 32;
  for (Index row = 0; row < view.layout.scales.rows; ++row)
    for (Index column = 0; column < view.layout.scales.columns; ++column) {
      const double scale = scheme.scale.decode(view.scale(scheme, row, column));
      const bool marked = is_nan(scale) && scheme.specials == SpecialValueRule::poison_block;
      const bool usable = is_finite(scale) && (scale > 0 || (scale == 0 && zero_is_rounded && !is_negative(scale)));
      if (!marked && !usable) return refuse("the scale of block (" + std::to_string(row) + ", " + std::to_string(column) + ")", scale);
    }
  return {};
}

/// A matrix quantised by definition on the host: `values` has rows of `leading_dimension` elements. Scales and zero points
/// that the scheme calls given are taken from `given`. Errors: as of `lay_out`; `ErrorKind::malformed` for given scales that
/// are unusable. Misuse: fewer values than the problem says.
[[nodiscard]] inline Result<QuantisedMatrix> quantise(const QuantiseProblem& problem, const std::vector<float>& values,
                                                      const QuantisedMatrix* given = nullptr) {
  auto made = QuantisedMatrix::create(problem);
  if (!made) return made;
  QuantisedMatrix matrix = std::move(made).value();
  expect(static_cast<Index>(values.size()) >= matrix.layout.elements, [&] {
    return "quantise: " + std::to_string(values.size()) + " values were given, the problem has " + std::to_string(matrix.layout.elements);
  });
  const bool needs_given = problem.scheme.rule == ScaleRule::given || problem.scheme.tensor_scale == TensorScale::given;
  expect(!needs_given || given != nullptr,
         [&] { return std::string("quantise: the scheme ") + problem.scheme.name + " has given scales; give them"; });
  if (problem.scheme.tensor_scale == TensorScale::given) {
    matrix.tensor_scale = given->tensor_scale;
    if (!(is_finite(matrix.tensor_scale) && matrix.tensor_scale > 0))
      return failure(ErrorKind::malformed,
                     "the scale of the tensor is " + detail::number(matrix.tensor_scale) + "; scales are finite numbers above 0");
  }
  if (problem.scheme.rule == ScaleRule::given) {
    if (auto checked = check(problem, *given); !checked) return checked.propagate();
    matrix.scale_words = given->scale_words;
    matrix.zero_points = given->zero_points;
  }
  Host host(1);
  auto stream = host.make_stream();
  if (!stream) return stream.propagate();
  const QuantiseArguments<float32> arguments{{values.data(), {problem.rows, problem.columns}, {matrix.layout.leading_dimension, 1}},
                                             matrix.view()};
  if (auto done = quantise_reference<float32>(host, stream.value(), problem, arguments); !done) return done.propagate();
  return matrix;
}

/// The values of a quantised matrix, row by row without gaps: exact products. Errors: as of `check`.
[[nodiscard]] inline Result<std::vector<double>> dequantise(const QuantiseProblem& problem, const QuantisedMatrix& matrix) {
  if (auto checked = check(problem, matrix); !checked) return checked.propagate();
  ConstQuantisedView view = matrix.view();
  view.layout = lay_out(problem).value();
  const DequantiseExpected expected = DequantiseExpected::of(problem, view, {});
  std::vector<double> values;
  for (Index row = 0; row < problem.rows; ++row)
    for (Index column = 0; column < problem.columns; ++column) values.push_back(expected(row, column).value);
  return values;
}

}  // namespace assay::inline v0
