#pragma once

#include <vector>

#include "assay/formats/code_packing.hpp"
#include "assay/formats/scale_layout.hpp"
#include "assay/kernels/linear/problem.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// The operands of a linear layer, by position. Absent where the problem does without them.
/// - `a` (m, k), `b` ((groups,) k, n) or ((groups,) n, k): elements; of block-scaled operands bytes of codes ((groups,)
///   vectors, bytes of a row); of sparse ones ((groups,) n, k/2);
/// - scales and zero points of dense operands: (1), or one a vector; of block-scaled ones the table of their scheme
///   ((groups,) rows, columns), or ((groups,) elements) in tiles, zero points as bytes of codes;
/// - `metadata` ((groups,) n, ⌈k/8⌉): of sparse weights, two fours of terms a byte, the first in the low bits;
/// - `offsets` (groups + 1), int32: the first row of each group, and m;
/// - `bias` (columns of B), `residual` (m, n); `whole_scales` (3): of the tensors A and B, and of the output.
struct LinearOperands {
  /// Positions of the operands.
  enum Position {
    a,
    a_scales,
    a_zero_points,
    b,
    b_scales,
    b_zero_points,
    metadata,
    offsets,
    bias,
    residual,
    whole_scales,
    output,
    count
  };
};

namespace detail {

/// The format of a code format that is a floating-point one.
[[nodiscard]] constexpr ElementFormat element_format_of(const CodeFormat& code) {
  ElementFormat format;
  format.name = code.name;
  format.bytes = code.bytes();
  format.layout = code.layout;
  return format;
}

}  // namespace detail

/// What a launch is given.
[[nodiscard]] Result<std::vector<OperandSpec>> linear_operands(const LinearProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/linear/operands.ipp"
#endif
