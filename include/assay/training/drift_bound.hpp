#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/report/text.hpp"
#include "assay/training/detail/batch_gradient.hpp"

namespace assay::inline v0 {

/// How far the losses of two right trainers may drift apart that differ in the order of their sums alone.
struct DriftBound {
  std::vector<double> loss;             ///< of step 1, 2, …: largest |difference| of losses
  Index useful_steps = 0;               ///< so many first ones say something: the bound is below `useful` of the loss
  std::vector<std::string> derivation;  ///< one step a line
};

namespace detail {

/// Root-mean-square of (H·z)_i over random signs z: √Σ_j H_ij², the norm of row i of the Hessian of the mean loss.
[[nodiscard]] std::vector<double> hessian_row_norms(const TrainingOptions& options, const TrainingState& state,
                                                    double tokens, int probes);

}  // namespace detail

/// Follows training on one process, and beside it for each weight how far another right trainer may be from it. With δ
/// the largest differences of weights before step t, and a_k, b_k the shares of gradient k in m̂ and v̂:
///
///   |Δg_i| ≤ 2E_i + c·h_i·‖δ‖₂                        E: bound of the summed gradient; h_i = ‖row i of the Hessian‖₂ by four probes, c = 2 for their error
///   |Δu_i| ≤ 2·Σ_k |a_k − û_i·b_k·g_ki/√v̂_i|·|Δg_ki|/(√v̂_i + ε)        AdamW's step û = m̂/(√v̂ + ε) to first order; twice for what is beyond it
///   δ_i ← (1 − rate·decay)·δ_i + rate·min(2C_t, |Δu_i|) + 2u·(4|w_i| + 16·rate·C_t)
///   |Δloss| ≤ Σ_i |g_i|·δ_i + ½·c·Σ_i h_i·δ_i·‖δ‖₂ + evaluation
///
/// C_t = √Σ_k a_k²/b_k bounds |û| (Cauchy and Schwarz), and stands for weights whose root √v̂ may change by more than
/// half of itself, √Σ b_k·Δg_k² ≥ √v̂/2: there first order says nothing, since Adam's step may have either sign. This
/// is where the bound ends: ‖δ‖ grows by rate·√weights·h/√v̂ a step, two to ten. Both the Hessian (at the first
/// trainer's weights) and its probes make it an estimate of first order, not a proof. It is good for five to ten steps;
/// beyond them, use an equivalence test. `narrow`: one of the trainers sums in bfloat16. O(steps · samples · 10
/// samples' costs). Ends where the bound exceeds `useful` · loss.
[[nodiscard]] DriftBound drift_bound(const TrainingOptions& options, int ranks, bool narrow = false,
                                     double useful = 0.01, Index most_steps = 12);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/drift_bound.ipp"
#endif
