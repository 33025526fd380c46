#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/elementwise/fill.hpp"
#include "assay/kernels/elementwise/portable.hpp"
#include "assay/kernels/elementwise/reference.hpp"
#include "assay/kernels/elementwise/suite_shapes.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// output = f(x, y, z), element by element, or the gradient f'(x)·dy of an activation. Operands: `x`; `y`, which is the gradient dy
/// where the problem is backward, and `z` (each absent unless the function reads it); `output`. See ElementwiseProblem for extents.
struct Elementwise {
  using Problem = ElementwiseProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { x, y, z, output };

  [[nodiscard]] static const char* name() { return "elementwise"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    return std::string(assay::name_of(problem.function)) + (problem.backward ? "_backward" : "");
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + (problem.inputs() > 1 ? std::string(".") + problem.second.name : "") + "." +
           problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    if (auto checked = check(problem); !checked) return checked.propagate();
    const int inputs = problem.inputs();
    const std::vector<Index> all(problem.extents, problem.extents + problem.rank);
    return std::vector<OperandSpec>{{"x", OperandRole::input, problem.input, problem.extents_of(0)},
                                    {problem.backward ? "dy" : "y", OperandRole::input, problem.second, problem.extents_of(1), inputs > 1},
                                    {"z", OperandRole::input, problem.second, problem.extents_of(2), inputs > 2},
                                    {"output", OperandRole::output, problem.output, all}};
  }

  /// What each pattern is for:
  /// - normal (three times as wide; positive numbers where the function wants them): the everyday case; wrong functions, wrong constants, narrow arithmetic;
  /// - uniform: numbers just around 0, or around 1 for log: cancellation in log(1 + t), 1 − e^x, t/(1 + t); absolute where relative accuracy is due;
  /// - log_uniform: magnitudes over 12 binades: coefficients of the lower orders; of add and subtract terms of which one is lost;
  /// - cancelling: operands that nearly cancel each other; for sin and cos arguments near multiples of π;
  /// - near_tie: (cast) midpoints between values of the output and their neighbours on either side: double rounding, truncation, ties away from zero;
  /// - subnormal: flushing where none is promised;
  /// - extreme: all codes of the format, or codes drawn at random, so all binades alike: overflow, saturation, reduction of large arguments;
  /// - special: NaN, infinities, zeros, ends of the range and turning points, of two operands in all pairs.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed) {
    OperationData data;
    data.model = RoundingModel::worst_case;
    const bool positive = problem.function == ElementwiseFunction::log || problem.function == ElementwiseFunction::sqrt ||
                          problem.function == ElementwiseFunction::rsqrt;
    const bool periodic = problem.function == ElementwiseFunction::sin || problem.function == ElementwiseFunction::cos;
    for (int i = 0; i < 3; ++i) {
      const ElementFormat& format = i == 0 ? problem.input : problem.second;
      OperandFill fill;
      const std::vector<Index> extents = problem.extents_of(i);
      Index count = 1;
      for (const Index extent : extents) count *= extent;
      fill.pattern = {kind, seed * 4 + static_cast<std::uint64_t>(i), count,
                      format.is_float() ? format.layout : FormatTraits<float32>::layout};
      const auto given = [&](auto&& value) {
        std::vector<double> values(static_cast<std::size_t>(i < problem.inputs() ? count : 0));
        for (std::size_t e = 0; e < values.size(); ++e) values[e] = value(static_cast<Index>(e));
        fill = OperandFill::of(std::move(values));
      };
      const bool second = i > 0;
      switch (kind) {
        case FillKind::normal:
          fill.scale = problem.backward && second ? 1 : 3;
          if (positive || !format.is_float()) {
            fill.pattern.kind = FillKind::uniform;
            fill.scale = 60;
          }
          break;
        case FillKind::uniform:
          if (problem.function == ElementwiseFunction::log)
            fill.offset = 0.5;
          else if (!positive)
            fill.offset = -0.5;
          break;
        case FillKind::log_uniform:
          if (positive) given([pattern = fill.pattern](Index e) { return detail::absolute(pattern(0, e)); });
          break;
        case FillKind::cancelling:
          if (periodic)
            given([&](Index e) { return 1.5707963267948966 * static_cast<double>(e + 1); });
          else
            given([&](Index e) {
              const double common = Fill{FillKind::normal, seed, 1}(e, 0),
                           small = i == 0 ? 0 : 0x1p-6 * Fill{FillKind::normal, seed + 7, 1}(e, i);
              const bool negated = second && (problem.function == ElementwiseFunction::add || i == 2);
              return problem.function == ElementwiseFunction::multiply_add ? (i == 2 ? -common * common : common)
                                                                           : (negated ? -common : common) + small;
            });
          break;
        case FillKind::near_tie: given([&](Index e) { return detail::tie_value(format, problem.output, e, seed); }); break;
        case FillKind::extreme:
          given([&](Index e) {
            return suited(problem, detail::code_value(format, e, second ? 0 : count, seed + static_cast<std::uint64_t>(i)));
          });
          break;
        case FillKind::special:
          given([&](Index e) {
            if (problem.backward && e % 2 == i) return 0.5 + 0.25 * static_cast<double>(e % 7);  // special numbers of x and dy in turn
            return suited(problem, detail::special_value(format, problem.backward ? e / 2
                                                                 : i == 0         ? e
                                                                 : i == 1         ? e / detail::special_values + e
                                                                                  : e / 5));
          });
          break;
        default: break;
      }
      data.operands.push_back(std::move(fill));
    }
    data.operands.emplace_back();
    return data;
  }

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) { return elementwise_shapes(format); }

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel, const Arithmetic& arithmetic) {
    const ElementwiseFormula formula(problem, arithmetic);
    std::vector<std::string> steps{operation_of(problem) + " of each element: u = " + detail::number(formula.arithmetic.unit) + ", eps = " +
                                   detail::number(formula.arithmetic.function_error) + " (" + detail::number(arithmetic.function_errors) +
                                   " u of an elementary function), eta = " + detail::number(formula.arithmetic.underflow)};
    if (problem.backward)
      steps.push_back("E by running error analysis of f'(x)*dy (Higham 2002, section 3.3)");
    else if (formula.one_rounding && operands_of(problem.function) > 1)
      steps.push_back("the one rounding of the accumulator is the output's: E = 0 for one operation");
    else
      steps.push_back(
          "E = |condition number| * (eps + roundings of the argument * u) * |r| + eta, the larger of the usual ways to compute it");
    return steps;
  }

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<ElementwiseExpected>> reference(B& backend, typename B::Stream& stream,
                                                                                 const Problem& problem, const OperandArray& operands,
                                                                                 RoundingModel model, const Arithmetic& arithmetic) {
    return elementwise_reference(backend, stream, problem, operands, model, arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands) {
    return portable_elementwise(backend, stream, problem, operands);
  }

 private:
  /// 0.75 for those few numbers of which nothing is known, see ElementwiseFormula.
  [[nodiscard]] static double suited(const Problem& problem, double value) {
    using Function = ElementwiseFunction;
    const bool gelu = problem.function == Function::gelu || problem.function == Function::gelu_tanh,
               silu = problem.function == Function::silu;
    const bool nothing_known =
        ((gelu || silu) && is_infinite(value) && value < 0) ||
        (gelu && is_finite(value) && detail::absolute(value) > problem.input.max_finite() / 2) ||
        (problem.function == Function::cast && is_nan(value) && !problem.output.is_float()) ||
        (problem.backward && ((problem.function == Function::relu && is_nan(value)) || ((gelu || silu) && detail::absolute(value) > 100)));
    return nothing_known ? 0.75 : value;
  }
};

}  // namespace assay::inline v0
