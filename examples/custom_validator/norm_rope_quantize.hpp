#pragma once

// Path 1 of README.md: a new operation, its reference and bound, its data and its default suite.

#include <cmath>
#include <string>
#include <vector>

#include "assay/formats/small_formats.hpp"
#include "assay/kernels/normalization/bound.hpp"
#include "assay/kernels/reference_by_rows.hpp"
#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"

namespace custom {

using namespace assay;

/// What writes quantized keys to a cache: z = x/√(mean x² + ε)·weight over each head, y = z turned by the angles of its
/// position, then scale = max(max|y|, 2⁻⁴⁰)/largest, a number a head, and code = y/scale, rounded and kept within
/// ±largest. Inputs are finite.
struct NormRopeQuantizeProblem {
  RotaryEmbeddingProblem rotary;  ///< extents, angles and input format; positions count from its offset
  double epsilon = 1e-6;
  ElementFormat codes = element_format<std::int8_t>(), scales = element_format<float32>();

  [[nodiscard]] Index rows() const { return rotary.batch * rotary.sequence * rotary.heads; }
  [[nodiscard]] double largest() const { return codes.is_float() && codes.bytes == 1 ? codes.max_finite() : 127; }
};

/// Reference in double, and E by running error analysis (Higham 2002, section 3.3; tolerance/bounded.hpp). With u, ε_f
/// of the accumulator: i = 1/√(mean x² + ε) within δi of kernels/normalization/bound.hpp; z = x·i·weight, two roundings
/// in either order; y = z·c ∓ z'·s, with c, s off by δθ + ε_f, δθ of kernels/rotary_embedding/reference.hpp;
///   |max|ŷ| − max|y|| ≤ max E(y): a maximum moves no farther than what it is taken of; scale by a division (a rounded reciprocal is better);
///   E(code) ≤ (E(y) + |code|·E(scale))/(scale − E(scale)) + ε_f·|code|. Proof: ŷ/ŝ − y/s = (ŷ − y)/ŝ − (y/s)·(ŝ −
///   s)/ŝ, and ŝ ≥ s − E(s).
struct NormRopeQuantizeExpected {
  struct Row {
    Bounded inverse, scale;
  };
  NormRopeQuantizeProblem problem;
  BoundedArithmetic bounded;
  NormalizationBound norm;
  RotaryEmbeddingExpected rope;
  Operand input, weight;
  const Row* rows = nullptr;
  int output = 0;

  [[nodiscard]] Bounded turned(Index row, Index column, Bounded inverse) const {
    const RotaryEmbeddingProblem& rotary = problem.rotary;
    const auto z = [&](Index c) {
      return bounded.multiply(bounded.multiply(bounded.exact(input.load(row * rotary.dimension + c)), inverse),
                              bounded.exact(weight.load(c)));
    };
    if (column >= rotary.rotary_dimension) return z(column);
    const Bounded angle = rope.angle(rope.position(row), rotary.pair(column));
    const Bounded across = bounded.multiply(z(rotary.partner(column)), bounded.sin(angle));
    return bounded.add(bounded.multiply(z(column), bounded.cos(angle)),
                       rotary.is_first(column) ? bounded.negate(across) : across);
  }
  [[nodiscard]] Row row_of(Index row) const {
    double squares = 0;
    for (Index c = 0; c < problem.rotary.dimension; ++c)
      squares += std::pow(input.load(row * problem.rotary.dimension + c), 2);
    const NormalizationRow common = norm.row_of(0, squares / static_cast<double>(problem.rotary.dimension));
    const Bounded inverse{common.inverse, common.inverse_error};
    Bounded amax = bounded.exact(0x1p-40);
    for (Index c = 0; c < problem.rotary.dimension; ++c) {
      const Bounded y = turned(row, c, inverse);
      amax = bounded.maximum(amax, y.value < 0 ? bounded.negate(y) : y);
    }
    return {inverse, bounded.divide(amax, bounded.exact(problem.largest()))};
  }
  [[nodiscard]] ExpectedElement operator()(Index row, Index column) const {
    if (output == 1) return rows[row * problem.rotary.heads + column].scale.expected();
    return bounded.divide(turned(row, column, rows[row].inverse), rows[row].scale).expected();
  }
};

struct NormRopeQuantize {
  using Problem = NormRopeQuantizeProblem;
  using Arguments = OperandArray;

  [[nodiscard]] static const char* name() { return "norm_rope_quantize"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem.rotary); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.rotary.input.name) + "." + problem.codes.name + "." + problem.scales.name;
  }
  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    const RotaryEmbeddingProblem& rotary = problem.rotary;
    if (auto checked = check(rotary); !checked) return checked.propagate();
    if (rotary.dimension < 1 || rotary.given_positions || rotary.inverse)
      return failure(ErrorKind::invalid,
                     "dimension is at least 1, positions count from offset, and heads are turned forward");
    const std::vector<Index> heads{rotary.batch, rotary.sequence, rotary.heads};
    std::vector<Index> extents = heads;
    extents.push_back(rotary.dimension);
    return std::vector<OperandSpec>{{"input", OperandRole::input, rotary.input, extents},
                                    {"weight", OperandRole::input, rotary.input, {rotary.dimension}},
                                    {"codes", OperandRole::output, problem.codes, extents},
                                    {"scales", OperandRole::output, problem.scales, heads}};
  }
  /// swamping: a large mean, which nobody may subtract; subnormal: a root mean square about √ε; exact_integer: many
  /// elements share the largest magnitude; one_hot: which elements are turned together; constant: rounding errors of
  /// the sum align.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&,
                                          std::uint64_t seed) {
    OperandFill x, weight;
    const bool normal = kind == FillKind::swamping || kind == FillKind::subnormal;
    x.pattern = {normal ? FillKind::normal : kind, seed * 2, problem.rotary.dimension, problem.rotary.input.layout};
    if (kind == FillKind::swamping) x.offset = 64;
    if (kind == FillKind::subnormal) x.scale = 0x1p-11;
    weight.pattern = {FillKind::uniform, seed * 2 + 1, problem.rotary.dimension, problem.rotary.input.layout};
    weight.offset = 0.5;
    return {{x, weight, {}, {}}, kind == FillKind::normal ? RoundingModel::statistical : RoundingModel::worst_case};
  }
  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    using enum FillKind;
    std::vector<OperationShape<Problem>> shapes;
    for (const ElementFormat& codes : {element_format<std::int8_t>(), element_format<float8_e4m3fn>()})
      for (const RotaryLayout layout : {RotaryLayout::half_split, RotaryLayout::interleaved}) {
        const auto add = [&](Index sequence, Index heads, Index dimension, Index offset, std::vector<FillKind> fills) {
          RotaryEmbeddingProblem rotary{1, sequence, heads, dimension, dimension / 5 * 4, layout, 10000, 1, offset};
          rotary.input = format;
          rotary.angles = offset > 100 ? AngleArithmetic::exact : AngleArithmetic::accumulator;
          shapes.push_back({{rotary, 1e-6, codes}, std::move(fills)});
        };
        add(3, 2, 20, 5, {normal, swamping, subnormal, exact_integer, one_hot, constant});
        add(1, 2, 160, 131071, {normal, constant});
        add(4, 1, 80, 0, {normal});
      }
    return shapes;
  }
  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel model,
                                                           const Arithmetic& arithmetic) {
    return {"mean x^2 of " + std::to_string(problem.rotary.dimension) + ": " +
                NormalizationBound::growth_of(rms(problem), model, arithmetic).explanation,
            "z = x*i*weight and y = z*c -+ z'*s by running error analysis, u = " +
                plain_number(arithmetic.unit_roundoff()) + ", eps = " + plain_number(arithmetic.function_error()),
            "|max|y'| - max|y|| <= max E(y); E(code) <= (E(y) + |code|*E(scale))/(scale - E(scale)) + eps*|code|"};
  }
  template <ParallelBackend B>
  [[nodiscard]] static auto reference(B& backend, typename B::Stream& stream, const Problem& problem,
                                      const OperandArray& operands, RoundingModel model, const Arithmetic& arithmetic) {
    const BoundedArithmetic bounded(arithmetic);
    const NormalizationBound norm = NormalizationBound::of(rms(problem), model, arithmetic);
    const RotaryEmbeddingExpected rope{problem.rotary, bounded, operands[0], {}};
    return reference_by_rows(backend, stream, static_cast<std::size_t>(problem.rows()),
                             NormRopeQuantizeExpected{problem, bounded, norm, rope, operands[0], operands[1]});
  }

 private:
  [[nodiscard]] static NormalizationProblem rms(const Problem& problem) {
    return {NormalizationKind::rms, problem.rows(), problem.rotary.dimension, 1, 1, problem.epsilon};
  }
};

}  // namespace custom
