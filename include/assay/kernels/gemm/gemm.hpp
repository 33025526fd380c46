#pragma once

#include <string>

#include "assay/formats/format_traits.hpp"
#include "assay/kernels/gemm/problem.hpp"

namespace assay::inline v0 {

/// What a GEMM kernel is given: views whose dimensions are (batch, row, column) of op(A), op(B) and C, so that
/// transposition, storage order and leading dimension are all in the strides. `problem` says the same in BLAS's terms.
template <Format A, Format B, Format C>
struct GemmArguments {
  StridedView<const A, 3> a;  ///< (batch, m, k)
  StridedView<const B, 3> b;  ///< (batch, k, n)
  StridedView<C, 3> c;        ///< (batch, m, n)
};

/// The operation C = α·op(A)·op(B) + β·C with operands stored in formats A, B, C, and sums kept in `AccumulatorFormat`.
template <Format A, Format B, Format AccumulatorFormat, Format C>
struct Gemm {
  using FormatA = A;                         ///< storage format of A
  using FormatB = B;                         ///< storage format of B
  using FormatC = C;                         ///< storage format of C
  using Accumulator = AccumulatorFormat;     ///< format in which sums are promised to be kept
  using Problem = GemmProblem;               ///< plain data
  using Arguments = GemmArguments<A, B, C>;  ///< views of the three matrices

  /// In case ids and on the command line.
  [[nodiscard]] static const char* name() { return "gemm"; }
  /// "bf16.f32.bf16": inputs, accumulator, output; "f16xbf16.f32.f32" where A and B differ.
  [[nodiscard]] static std::string formats() {
    std::string inputs = FormatTraits<A>::name();
    if constexpr (!std::is_same_v<A, B>) inputs += std::string("x") + FormatTraits<B>::name();
    return inputs + "." + FormatTraits<Accumulator>::name() + "." + FormatTraits<C>::name();
  }
};

}  // namespace assay::inline v0
