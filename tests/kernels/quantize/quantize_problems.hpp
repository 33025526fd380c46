#pragma once

#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/formats/block_schemes.hpp"
#include "assay/kernels/quantize/fill.hpp"
#include "assay/kernels/quantize/judgment.hpp"
#include "assay/kernels/quantize/portable.hpp"
#include "assay/kernels/quantize/quantized_matrix.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

inline QuantizeProblem problem_of(const BlockScaling& scheme, Index rows, Index columns) {
  QuantizeProblem problem;
  problem.rows = rows;
  problem.columns = columns;
  problem.scheme = scheme;
  return problem;
}

inline Host& quantize_host() {
  static Host host(2);
  return host;
}

/// A matrix filled with a pattern, rounded to its format.
template <Format Input>
std::vector<Input> filled(const QuantizeProblem& problem, QuantizeFillKind kind, std::uint64_t seed = 1) {
  const QuantizeLayout layout = lay_out(problem).value();
  const QuantizeFill pattern = QuantizeFill::of(kind, problem, FormatTraits<Input>::layout, seed);
  std::vector<Input> values(static_cast<std::size_t>(layout.elements));
  for (Index row = 0; row < problem.rows; ++row)
    for (Index column = 0; column < problem.columns; ++column)
      values[static_cast<std::size_t>(row * layout.leading_dimension + column)] = encode<Input>(pattern(row, column));
  return values;
}

template <Format Input>
StridedView<const Input, 2> view_of(const QuantizeProblem& problem, const std::vector<Input>& values) {
  return {values.data(), {problem.rows, problem.columns}, {lay_out(problem).value().leading_dimension, 1}};
}

template <Format Input>
QuantizedMatrix by_reference(const QuantizeProblem& problem, const std::vector<Input>& values) {
  QuantizedMatrix matrix = QuantizedMatrix::create(problem).value();
  auto stream = quantize_host().make_stream();
  REQUIRE(quantize_reference<Input>(quantize_host(), stream.value(), problem, {view_of(problem, values), matrix.view()})
              .has_value());
  return matrix;
}

template <Format Input>
QuantizedMatrix by_portable_kernel(const QuantizeProblem& problem, const std::vector<Input>& values) {
  QuantizedMatrix matrix = QuantizedMatrix::create(problem).value();
  auto stream = quantize_host().make_stream();
  REQUIRE(portable_quantize<Input>(quantize_host(), stream.value(), problem, {view_of(problem, values), matrix.view()})
              .has_value());
  return matrix;
}

template <Format Input>
QuantizeJudgment judged(const QuantizeProblem& problem, const std::vector<Input>& values,
                        const QuantizedMatrix& matrix) {
  auto stream = quantize_host().make_stream();
  auto judgment = judge_quantized<Input>(quantize_host(), stream.value(), problem, view_of(problem, values),
                                         matrix.view(), QuantizeArithmetic::usual(problem.scheme));
  REQUIRE(judgment.has_value());
  return judgment.value();
}

/// The first mismatch in words, for messages of tests.
inline std::string said(const QuantizeJudgment& judgment) {
  if (judgment.mismatches_kept == 0) return "no mismatch";
  const QuantizeMismatch& first = judgment.first[0];
  return "kind " + std::to_string(static_cast<int>(first.kind)) + " at (" + std::to_string(first.row) + ", " +
         std::to_string(first.column) + "): " + detail::number(first.actual) + ", accepted " +
         detail::number(first.lowest) + " to " + detail::number(first.highest) + ", of " + detail::number(first.value) +
         "; " + std::to_string(judgment.violations()) + " in all";
}

}  // namespace assay::testing
