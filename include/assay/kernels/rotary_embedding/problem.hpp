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
  exact         ///< sines and cosines of angles that are good to half an ulp of the sine, from tables or extended arithmetic
};

/// Rotary position embedding of (batch, sequence, heads, dimension): the pair number i of the first `rotary_dimension` elements of a head is
/// rotated by the angle (position·position_scale)·base^(−2i/rotary_dimension); the others are copied. `inverse` rotates back, which is the backward pass.
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
  visit("batch", problem.batch, "sequence", problem.sequence, "heads", problem.heads, "dimension", problem.dimension, "rotary_dimension",
        problem.rotary_dimension, "layout", problem.layout, "base", problem.base, "position_scale", problem.position_scale, "offset",
        problem.offset, "given_positions", problem.given_positions, "inverse", problem.inverse, "angles", problem.angles, "input",
        problem.input, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const RotaryEmbeddingProblem& problem) {
  if (auto extents = check_extents(
          {{"batch", problem.batch}, {"sequence", problem.sequence}, {"heads", problem.heads}, {"dimension", problem.dimension}});
      !extents)
    return extents;
  if (problem.rotary_dimension < 0 || problem.rotary_dimension > problem.dimension || problem.rotary_dimension % 2 != 0)
    return failure(ErrorKind::invalid, "rotary_dimension is " + std::to_string(problem.rotary_dimension) +
                                           "; it must be even and from 0 to dimension = " + std::to_string(problem.dimension));
  if (!(problem.base > 0) || !is_finite(problem.base))
    return failure(ErrorKind::invalid, "base is " + plain_number(problem.base) + "; it must be finite and above 0");
  if (!(problem.position_scale > 0) || !is_finite(problem.position_scale))
    return failure(ErrorKind::invalid, "position_scale is " + plain_number(problem.position_scale) + "; it must be finite and above 0");
  if (problem.offset < 0) return failure(ErrorKind::invalid, "offset is " + std::to_string(problem.offset) + "; it must be 0 or more");
  return check_float_formats({{"input", problem.input}, {"output", problem.output}});
}

/// "1x16x8x128-half_split-offset4096-inverse".
[[nodiscard]] inline std::string name_of(const RotaryEmbeddingProblem& problem) {
  std::string name = extents_name({problem.batch, problem.sequence, problem.heads, problem.dimension});
  name += problem.layout == RotaryLayout::interleaved ? "-interleaved" : "-half_split";
  if (problem.rotary_dimension != problem.dimension) name += "-rotary" + std::to_string(problem.rotary_dimension);
  if (problem.base != 10000) name += "-base" + plain_number(problem.base);
  if (problem.position_scale != 1) name += "-scale" + plain_number(problem.position_scale);
  if (problem.offset != 0) name += "-offset" + std::to_string(problem.offset);
  if (problem.given_positions) name += "-positions";
  if (problem.inverse) name += "-inverse";
  if (problem.angles == AngleArithmetic::exact) name += "-exact_angles";
  return name;
}

}  // namespace assay::inline v0
