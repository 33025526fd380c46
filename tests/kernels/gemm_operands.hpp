#pragma once

#include <limits>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/kernels/gemm/bound.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay::testing {

__extension__ typedef __float128 Quad;  // 113 bits: an oracle that shares no code with the references

/// E = |α|·S + |β·c|: shows S through the error.
inline GemmBound magnitude_only(const GemmProblem& problem) {
  GemmBound bound;
  bound.alpha = problem.alpha;
  bound.beta = problem.beta;
  bound.growth = 1;
  bound.accumulator_max = std::numeric_limits<double>::infinity();
  return bound;
}

/// A GEMM's operands in plain vectors, from a pattern or from any function of (batch, row, column).
template <class Op>
struct GemmVectors {
  GemmProblem problem;
  GemmLayout layout;
  std::vector<typename Op::FormatA> a;
  std::vector<typename Op::FormatB> b;
  std::vector<typename Op::FormatC> c;

  explicit GemmVectors(const GemmProblem& of)
      : problem(of), layout(lay_out(of).value()), a(size(layout.a)), b(size(layout.b)), c(size(layout.c)) {}

  GemmVectors(const GemmProblem& of, const GemmData& data) : GemmVectors(of) {
    set([&](Index batch, Index i, Index k) { return data.a(batch * of.m + i, k); },
        [&](Index batch, Index k, Index j) { return data.b(batch * of.n + j, k); },
        [&](Index batch, Index i, Index j) { return data.c(batch * of.m + i, j); });
  }

  template <class FillA, class FillB, class FillC>
  void set(const FillA& fill_a, const FillB& fill_b, const FillC& fill_c) {
    each(view(a, layout.a), fill_a);
    each(view(b, layout.b), fill_b);
    each(view(c, layout.c), fill_c);
  }

  [[nodiscard]] typename Op::Arguments arguments() {
    return {constant(view(a, layout.a)), constant(view(b, layout.b)), view(c, layout.c)};
  }

  /// α·Σ a·b + β·c of one element, and |α|·Σ |a·b| + |β·c|.
  struct Exact {
    Quad value = 0, magnitude = 0;
  };
  [[nodiscard]] Exact exact(Index batch, Index i, Index j) {
    const auto [av, bv, cv] = arguments();
    Exact sum;
    for (Index k = 0; k < problem.k; ++k) {
      const Quad product = static_cast<Quad>(decode(av(batch, i, k))) * static_cast<Quad>(decode(bv(batch, k, j)));
      sum.value += product;
      sum.magnitude += product < 0 ? -product : product;
    }
    const Quad alpha = static_cast<Quad>(problem.alpha),
               added = problem.beta == 0 ? Quad{0}
                                         : static_cast<Quad>(problem.beta) * static_cast<Quad>(decode(cv(batch, i, j)));
    sum.value = alpha * sum.value + added;
    sum.magnitude = (alpha < 0 ? -alpha : alpha) * sum.magnitude + (added < 0 ? -added : added);
    return sum;
  }

 private:
  static std::size_t size(const GemmOperandLayout& layout) { return static_cast<std::size_t>(layout.elements); }
  template <class T>
  StridedView<T, 3> view(std::vector<T>& values, const GemmOperandLayout& at) const {
    return {values.data(), {problem.batch, at.rows, at.columns}, {at.batch_stride, at.row_stride, at.column_stride}};
  }
  template <class T>
  static StridedView<const T, 3> constant(const StridedView<T, 3>& view) {
    return StridedView<const T, 3>(view);
  }
  template <class T, class Function>
  static void each(const StridedView<T, 3>& view, const Function& function) {
    for (Index s = 0; s < view.extents[0]; ++s)
      for (Index i = 0; i < view.extents[1]; ++i)
        for (Index j = 0; j < view.extents[2]; ++j) view(s, i, j) = encode<T>(function(s, i, j));
  }
};

inline GemmProblem gemm_of(Index m, Index n, Index k, Index batch = 1) {
  GemmProblem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.batch = batch;
  return problem;
}

/// The data of a kind for an operation whose inputs have one format.
template <class Op>
GemmData gemm_data(FillKind kind, const GemmProblem& problem, std::uint64_t seed,
                   const AccumulationModel& accumulation = accumulation_in<typename Op::Accumulator>()) {
  return GemmData::make(kind, problem, FormatTraits<typename Op::FormatA>::layout,
                        FormatTraits<typename Op::FormatC>::layout, accumulation, seed);
}

}  // namespace assay::testing
