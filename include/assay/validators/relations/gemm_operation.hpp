#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/validators/gemm_subject.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay::inline v0 {

/// A GEMM whose formats are types, seen as an operation whose operands are data: what relations are written for.
/// Operands A, B and C are dense, row-major as stored: (batch, rows, columns).
template <class Op>
struct GemmOperation {
  using Problem = GemmProblem;
  using Arguments = OperandArray;  ///< operands as data
  /// Positions of operands.
  enum Position { a, b, c };

  /// As the GEMM's.
  [[nodiscard]] static const char* name() { return Op::name(); }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem&) { return Op::formats(); }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    if (const auto layout = lay_out(problem); !layout) return layout.propagate();
    if (problem.order != StorageOrder::row_major || problem.leading_dimension_a != 0 ||
        problem.leading_dimension_b != 0 || problem.leading_dimension_c != 0)
      return failure(
          ErrorKind::unsupported,
          "order and leading dimensions are for checks against the reference; here matrices are dense and row-major");
    const auto stored = [&](Index rows, Index columns, bool transposed) {
      return transposed ? std::vector<Index>{problem.batch, columns, rows}
                        : std::vector<Index>{problem.batch, rows, columns};
    };
    return std::vector<OperandSpec>{{"A", OperandRole::input, element_format<typename Op::FormatA>(),
                                     stored(problem.m, problem.k, problem.transpose_a)},
                                    {"B", OperandRole::input, element_format<typename Op::FormatB>(),
                                     stored(problem.k, problem.n, problem.transpose_b)},
                                    {"C", problem.beta != 0 ? OperandRole::updated : OperandRole::output,
                                     element_format<typename Op::FormatC>(), stored(problem.m, problem.n, false)}};
  }
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&,
                                          std::uint64_t seed) {
    OperationData data;
    for (std::uint64_t operand = 0; operand < 3; ++operand) {
      OperandFill fill;
      fill.pattern = {kind, seed * 4 + operand, problem.k};
      data.operands.push_back(fill);
    }
    return data;
  }
  [[nodiscard]] static std::vector<std::string> derivation(const Problem&, RoundingModel, const Arithmetic&) {
    return {};
  }

  /// Tails of every tile size, batches and transpositions; few enough terms that units sum up exactly in a significand
  /// of 8 bits.
  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    std::vector<OperationShape<Problem>> shapes;
    if (!(format == element_format<typename Op::FormatA>())) return shapes;
    const auto add = [&](Index m, Index n, Index k, Index batch, bool transpose_b, double beta) {
      Problem problem;
      problem.m = m;
      problem.n = n;
      problem.k = k;
      problem.batch = batch;
      problem.transpose_b = transpose_b;
      problem.beta = beta;
      shapes.push_back({problem, {FillKind::normal}});
    };
    add(1, 1, 1, 1, false, 0);
    add(16, 16, 16, 1, false, 0);
    add(33, 17, 41, 2, false, 0);
    add(24, 40, 64, 1, true, 0);
    add(5, 70, 99, 1, false, 1);
    add(7, 48, 100, 3, true, 1);
    return shapes;
  }
};

/// The same kernel, for relations.
template <class Op>
[[nodiscard]] OperationSubject<GemmOperation<Op>> relation_subject(GemmSubject<Op> own) {
  OperationSubject<GemmOperation<Op>> subject;
  subject.name = own.name;
  subject.arithmetic = [accumulation = own.accumulation](const GemmProblem& problem) {
    Arithmetic arithmetic;
    arithmetic.accumulation = accumulation(problem);
    return arithmetic;
  };
  subject.run = [run = std::move(own.run)](const GemmProblem& problem, const OperandArray& operands) -> Result<void> {
    const auto matrix = [](auto view, bool transposed) {
      if (transposed) std::swap(view.extents[1], view.extents[2]), std::swap(view.strides[1], view.strides[2]);
      return view;
    };
    return run(problem, {matrix(operands[0].view<const typename Op::FormatA, 3>(), problem.transpose_a),
                         matrix(operands[1].view<const typename Op::FormatB, 3>(), problem.transpose_b),
                         operands[2].view<typename Op::FormatC, 3>()});
  };
  return subject;
}

}  // namespace assay::inline v0
