#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/gemm/bound.hpp"
#include "assay/kernels/gemm/detail/residual_rows.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/gemm/reference.hpp"

namespace assay::inline v0 {

/// How a residual is taken.
struct GemmResidualOptions {
  std::uint64_t seed = 0;  ///< of the signs
  unsigned vectors = 4;    ///< rounded up to a multiple of 4, which take one pass together
  bool output_is_exact =
      false;  ///< every output is an integer that its format holds: nothing is rounded, all residuals are 0
  double independent_growth = HUGE_VAL;  ///< see `independent_growth`
  double risk = default_case_risk;       ///< that a correct kernel is accused
};

/// √L·u: how a sum of L rounding errors grows, over λ, where the data's model makes the errors of a whole row
/// independent with zero mean; infinite where it does not, or nothing is gained. `terms` as in `gemm_bound`. Source:
/// Higham and Mary, SISC 41 (2019), theorem 2.4, for the roundings of a row together.
[[nodiscard]] inline double independent_growth(const GemmBound& bound, const AccumulationModel& accumulation,
                                               RoundingModel model, Index terms) {
  if (model != RoundingModel::statistical || accumulation.truncating || accumulation.split > 1) return HUGE_VAL;
  const Index roundings = accumulation.roundings(terms + 2);  // of them perhaps one for α and one for β
  const double growth = std::sqrt(static_cast<double>(roundings)) * accumulation.unit_roundoff;
  return growth < bound.growth ? growth : HUGE_VAL;
}

/// The residuals of all rows of a GEMM, batch after batch, and how they came about.
struct GemmResidual {
  std::vector<GemmRowResidual> rows;
  unsigned vectors = 0;         ///< random vectors that the product was multiplied with
  double confidence = 0;        ///< λ
  double factor = 0;            ///< min(λ, √n)
  double arithmetic_error = 0;  ///< of the check's own sums, relative to the sum of magnitudes
  bool compensated = false;     ///< those sums carry about twice the precision of double
};

/// Freivalds' check: for random vectors x of ±1 compares C·x with α·A·(B·x) + β·C₀·x, row by row, in O(batch·(m·k + k·n
/// + m·n)) time: one pass over each matrix for every four vectors, at the memory's bandwidth. The sums are float64, or
/// compensated where an operand or the output is float64.
///
/// What a correct kernel may leave follows from the element-wise bound. The errors δ_ij of row i, |δ_ij| ≤ E_ij + half
/// a unit in the last place of C_ij, were made before the signs were drawn, so |Σ_j x_j·δ_ij| ≤ λ·√(Σ_j δ_ij²) but for
/// a chance of 2·exp(−λ²/2) (Hoeffding, "Probability inequalities for sums of bounded random variables", JASA 58
/// (1963), theorem 2), however the errors depend on each other; and always ≤ √n·√(Σ_j δ_ij²). No rounding model is
/// asked for; where the data's is statistical, `independent_growth` replaces E's own growth times min(λ, √n). Of S_ij =
/// Σ_k |a_ik·b_kj| the row's 2-norm is at most Σ_k |a_ik|·‖B_k‖₂ (Minkowski). After Freivalds, "Probabilistic machines
/// can use less running time", IFIP 1977.
///
/// `arguments.c` is the kernel's output; `before` what C was, not read where β = 0. E's condition on overflow is not
/// needed: a sum that overflowed would have left an output that is not finite. Memory: up to 48 bytes for every 512
/// elements, 6 % of operands of 16 bits; extents up to 2⁴⁰ in all.
template <class Op, ParallelBackend B>
[[nodiscard]] Result<GemmResidual> gemm_residual(B& backend, typename B::Stream& stream, const GemmProblem& problem,
                                                 const typename Op::Arguments& arguments,
                                                 const StridedView<const typename Op::FormatC, 3>& before,
                                                 const GemmBound& bound, const GemmResidualOptions& options = {}) {
  using Output = typename Op::FormatC;
  constexpr bool compensated = gemm_needs_double_double<Op>;
  using Values = detail::ResidualValues<compensated>;
  constexpr Index values = static_cast<Index>(Values::count);
  using detail::ResidualPass;

  GemmResidual found;
  const std::size_t rows = static_cast<std::size_t>(problem.batch * problem.m);
  const unsigned rounds = std::max(1U, (options.vectors + 3) / 4);
  const double root = std::sqrt(static_cast<double>(problem.n));
  found.vectors = rounds * static_cast<unsigned>(detail::residual_vectors);
  found.confidence = confidence_factor(static_cast<double>(rows) * found.vectors, options.risk);
  found.factor = std::min(found.confidence, root);
  found.arithmetic_error = detail::residual_arithmetic_error<compensated>(problem.n, problem.k);
  found.compensated = compensated;
  if (rows == 0 || problem.n == 0) return found;

  const Index stride_n = detail::residual_stride(problem.n), stride_k = detail::residual_stride(problem.k);
  auto judged = backend.template allocate<GemmRowResidual>(rows);
  if (!judged) return judged.propagate();
  const bool multiplied = bound.alpha != 0 && problem.k > 0;
  const StridedView<const Output, 3> output = arguments.c;
  std::vector<typename B::template Buffer<double>> memory;  // of one round, whose work it must outlive
  const auto submit = [&](unsigned round) -> Result<void> {
    auto signs = backend.template allocate<double>(static_cast<std::size_t>(stride_n) * detail::residual_vectors);
    if (!signs) return signs.propagate();
    double* const x = memory.emplace_back(std::move(signs).value()).data();
    if (auto made = backend.parallel_for(stream, static_cast<std::size_t>(stride_n),
                                         detail::MakeSigns{options.seed + round * 0x9E3779B97F4A7C15u, problem.n, x});
        !made)
      return made;
    const double *product = nullptr, *initial = nullptr;
    if (multiplied) {
      auto bx = detail::residual_pass<ResidualPass::input, compensated>(backend, stream, arguments.b, x, 0, memory);
      if (!bx) return bx.propagate();
      auto abx = detail::residual_pass<ResidualPass::product, compensated>(backend, stream, arguments.a, bx.value(),
                                                                           values * stride_k, memory);
      if (!abx) return abx.propagate();
      product = abx.value();
    }
    auto sum = detail::residual_pass<ResidualPass::output, compensated>(backend, stream, output, x, 0, memory);
    if (!sum) return sum.propagate();
    if (bound.beta != 0) {
      auto of_before = detail::residual_pass<ResidualPass::input, compensated>(backend, stream, before, x, 0, memory);
      if (!of_before) return of_before.propagate();
      initial = of_before.value();
    }
    // products of float64 operands may underflow in double
    const double smallest = compensated ? 8 * static_cast<double>(problem.k + 1) *
                                              std::max(1.0, std::fabs(bound.alpha)) * min_subnormal<float64>()
                                        : 0;
    const detail::JudgeResidualRow<Output, compensated> judge{product,
                                                              sum.value(),
                                                              initial,
                                                              problem.m,
                                                              problem.n,
                                                              bound,
                                                              found.factor,
                                                              found.confidence * options.independent_growth,
                                                              found.arithmetic_error,
                                                              smallest,
                                                              options.output_is_exact,
                                                              round == 0,
                                                              judged.value().data()};
    return backend.parallel_for(stream, rows, judge);
  };
  for (unsigned round = 0; round < rounds; ++round) {
    const auto submitted = submit(round);
    const auto done =
        backend.synchronize(stream);  // also where something was refused: what was submitted before uses the memory
    memory.clear();
    if (!submitted) return submitted.propagate();
    if (!done) return done.propagate();
  }
  found.rows.resize(rows);
  if (auto copied = backend.copy_to_host(stream, found.rows.data(), judged.value().data(), rows); !copied)
    return copied.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  return found;
}

}  // namespace assay::inline v0
