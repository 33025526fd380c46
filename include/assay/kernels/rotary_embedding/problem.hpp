#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// Which two elements of a head are rotated together.
enum class RotaryLayout {
  interleaved,  ///< 2i and 2i + 1, as in the paper and GPT-J
  half_split    ///< i and i + rotary_dimension/2, as in GPT-NeoX and Llama's weights for Transformers
};

/// In which arithmetic a kernel promises its angles.
enum class AngleArithmetic {
  accumulator,  ///< position times frequency, both in the accumulator's format: off by several u of the angle
  exact  ///< sines and cosines of angles that are good to half an ulp of the sine, from tables or extended arithmetic
};

/// Rotary position embedding of (batch, sequence, heads, dimension): the pair number i of the first `rotary_dimension`
/// elements of a head is rotated by the angle (position·position_scale)·base^(−2i/rotary_dimension); the others are
/// copied. `inverse` rotates back, which is the backward pass.
struct RotaryEmbeddingProblem {
  Index batch = 1, sequence = 1, heads = 1, dimension = 64;
  Index rotary_dimension = 64;
  RotaryLayout layout = RotaryLayout::half_split;
  double base = 10000;
  double position_scale = 1;     ///< below 1: positions are interpolated
  Index offset = 0;              ///< of the first position, where positions are not an operand
  bool given_positions = false;  ///< positions are an operand of int64, (batch, sequence)
  bool inverse = false;
  AngleArithmetic angles = AngleArithmetic::accumulator;
  bool rounded_tables = false;  ///< sines and cosines come from tables in the output's format, as those of vLLM do
  ElementFormat input = element_format<float32>();   ///< storage format of the input
  ElementFormat output = element_format<float32>();  ///< storage format of the output

  /// The column that is rotated together with this one.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index partner(Index column) const {
    if (layout == RotaryLayout::interleaved) return column ^ 1;
    return column < rotary_dimension / 2 ? column + rotary_dimension / 2 : column - rotary_dimension / 2;
  }
  /// Whether the column is the first of its pair.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_first(Index column) const {
    return layout == RotaryLayout::interleaved ? column % 2 == 0 : column < rotary_dimension / 2;
  }
  /// The number of the column's pair.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index pair(Index column) const {
    return layout == RotaryLayout::interleaved ? column / 2 : column % (rotary_dimension / 2);
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(RotaryEmbeddingProblem& problem, Visit&& visit) {
  visit("batch", problem.batch, "sequence", problem.sequence, "heads", problem.heads, "dimension", problem.dimension,
        "rotary_dimension", problem.rotary_dimension, "layout", problem.layout, "base", problem.base, "position_scale",
        problem.position_scale, "offset", problem.offset, "given_positions", problem.given_positions, "inverse",
        problem.inverse, "angles", problem.angles, "rounded_tables", problem.rounded_tables, "input", problem.input,
        "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const RotaryEmbeddingProblem& problem);

/// "1x16x8x128-half_split-offset4096-inverse".
[[nodiscard]] std::string name_of(const RotaryEmbeddingProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/rotary_embedding/problem.ipp"
#endif
