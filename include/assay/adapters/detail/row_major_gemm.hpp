#pragma once

#include "assay/kernels/gemm/gemm.hpp"

namespace assay::inline v0::detail {

/// One operand as a library is told of it: extents of op(X), strides in elements, one of the two being 1.
template <class T>
struct OperandView {
  T* data = nullptr;
  Index rows = 0;
  Index columns = 0;
  Index row_stride = 1;
  Index column_stride = 1;
  Index batch_stride = 0;
};

/// A product whose C has contiguous rows. For libraries that write no other: a column-major C = op(A)·op(B) is told to
/// them as the row-major Cᵀ = op(B)ᵀ·op(A)ᵀ, which is the same memory.
template <Format Input, Format Output>
struct RowMajorGemm {
  OperandView<const Input> a;  ///< m×k
  OperandView<const Input> b;  ///< k×n
  OperandView<Output> c;       ///< m×n
};

template <class T>
[[nodiscard]] OperandView<T> operand_view(T* data, const GemmOperandLayout& layout, bool transposed) {
  if (transposed)
    return {data, layout.columns, layout.rows, layout.column_stride, layout.row_stride, layout.batch_stride};
  return {data, layout.rows, layout.columns, layout.row_stride, layout.column_stride, layout.batch_stride};
}

/// `problem` as a row-major product. Fails as `lay_out` does.
template <Format Input, Format Output>
[[nodiscard]] Result<RowMajorGemm<Input, Output>> row_major_gemm(const GemmProblem& problem,
                                                                 const GemmArguments<Input, Input, Output>& arguments) {
  const auto layout = lay_out(problem);
  if (!layout) return layout.propagate();
  const bool transposed = problem.order == StorageOrder::column_major;
  const auto a = operand_view(arguments.a.data, layout.value().a, transposed);
  const auto b = operand_view(arguments.b.data, layout.value().b, transposed);
  const auto c = operand_view(arguments.c.data, layout.value().c, transposed);
  if (transposed) return RowMajorGemm<Input, Output>{b, a, c};
  return RowMajorGemm<Input, Output>{a, b, c};
}

}  // namespace assay::inline v0::detail
