#pragma once

#include "assay/kernels/elementwise/suite_shapes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<ElementwiseProblem>> elementwise_shapes(
    const ElementFormat& format) {
  using enum FillKind;
  using Function = ElementwiseFunction;
  std::vector<OperationShape<ElementwiseProblem>> shapes;
  const auto add = [&](Function function, std::initializer_list<Index> extents, const std::vector<FillKind>& fills,
                       bool large = false) -> ElementwiseProblem& {
    ElementwiseProblem problem;
    problem.function = function;
    problem.rank = 0;
    for (const Index extent : extents) problem.extents[problem.rank++] = extent;
    problem.input = problem.second = problem.output = format;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  const bool all_codes = format.bytes == 2;
  for (const Function function : all_elementwise_functions) {
    if (operands_of(function) > 1 || function == Function::cast) continue;
    add(function, {8, 197}, {normal, uniform, log_uniform, subnormal, extreme, special});
    add(function, {31}, {normal, extreme});
    if (all_codes) add(function, {256, 256}, {extreme});
    if (function == Function::sin || function == Function::cos) add(function, {4, 64}, {canceling});
    if (function == Function::scale_shift) {
      for (auto shape = shapes.rbegin(); shape != shapes.rend() && shape->problem.function == function; ++shape) {
        shape->problem.a = -1.7;
        shape->problem.b = 0.3;
      }
    }
    if (function == Function::relu) add(function, {4, 16, 8}, {special}).nan_policy = NanPolicy::number;
    if (!has_gradient(function)) continue;
    add(function, {6, 100}, {normal, uniform, log_uniform, extreme, special}).backward = true;
    if (all_codes) add(function, {256, 256}, {extreme}).backward = true;
  }
  for (const Function function : {Function::add, Function::subtract, Function::multiply, Function::divide,
                                  Function::maximum, Function::minimum, Function::multiply_add}) {
    add(function, {32, 36}, {normal, log_uniform, canceling, subnormal, extreme, special});
    add(function, {2, 3, 5, 7}, {normal});
    add(function, {7, 64}, {normal, special}).broadcast[1] = 1;   // a row, as bias is
    add(function, {7, 33}, {normal}).broadcast[1] = 2;            // a column
    add(function, {3, 5, 4}, {normal}).broadcast[1] = 5;          // a channel's constant
    ElementwiseProblem& both = add(function, {6, 11}, {normal});  // an outer product
    both.broadcast[0] = 1;
    both.broadcast[1] = 2;
    if (function == Function::maximum || function == Function::minimum)
      add(function, {32, 36}, {special}).nan_policy = NanPolicy::number;
    if (function == Function::multiply_add) add(function, {5, 24}, {normal}).broadcast[2] = 1;
  }
  const auto cast = [&](const ElementFormat& from, const ElementFormat& to, bool saturating, Rounding rounding,
                        std::initializer_list<Index> extents, const std::vector<FillKind>& fills) {
    ElementwiseProblem& problem = add(Function::cast, extents, fills);
    problem.input = from;
    problem.output = to;
    problem.saturating = saturating;
    problem.rounding = rounding;
  };
  constexpr ElementFormat f32 = element_format<float32>(), f16 = element_format<float16>(),
                          bf16 = element_format<bfloat16>(), e4m3 = element_format<float8_e4m3fn>(),
                          e5m2 = element_format<float8_e5m2>(), int8 = element_format<std::int8_t>(),
                          uint8 = element_format<std::uint8_t>();
  for (const ElementFormat& to : {f32, f16, bf16, e4m3, e5m2}) {
    if (to == format) continue;
    for (const bool saturating : {false, true})
      cast(format, to, saturating, Rounding::nearest_even, {13, 60}, {near_tie, normal, subnormal, extreme, special});
    if (all_codes) cast(format, to, false, Rounding::nearest_even, {256, 256}, {extreme});
  }
  for (const ElementFormat& to : {int8, uint8})
    for (const Rounding rounding : {Rounding::nearest_even, Rounding::toward_zero})
      cast(format, to, true, rounding, {13, 60}, {near_tie, normal, extreme, special});
  for (const ElementFormat& from : {e4m3, e5m2, int8, uint8})
    cast(from, format, false, Rounding::nearest_even, {4, 64}, {extreme});
  add(Function::relu, {}, {normal});
  add(Function::add, {}, {normal});
  add(Function::silu, {0}, {normal});
  add(Function::add, {3, 0, 5}, {normal});
  add(Function::silu, {1, 14336}, {normal});         // a token of Llama 3's 8B feed-forward
  add(Function::gelu, {197, 3072}, {normal}, true);  // ViT-B/16
  add(Function::multiply, {512, 14336}, {normal}, true);
  add(Function::gelu_tanh, {1024, 16384}, {normal}, true);
  return shapes;
}

}  // namespace assay::inline v0
