#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "assay/accuracy/score.hpp"

namespace assay::inline v0 {

/// One token position of a model beside its reference.
struct LogitAgreement {
  double divergence = 0;        ///< KL(reference ‖ model), in nats
  double total_variation = 0;   ///< half the sum of |p − q|: the chance that a sampled token differs
  bool same_top = true;         ///< both have the same token first, ties going to the smaller id
  bool near_tie = false;        ///< the reference's first two lie within the margin, so that a swap of them says little
  double top_overlap = 1;       ///< share of the reference's first k that the model has among its first k
  std::size_t not_numbers = 0;  ///< logits of the model that are NaN where the reference's are not
};

/// How tops are compared.
struct LogitAgreementOptions {
  std::size_t top = 5;         ///< k of `top_overlap`
  double tie_margin = 0.0625;  ///< of logits: half a unit in the last place of bfloat16 at 16
};

/// The agreement of two rows of logits. With a NaN in either, or +∞, divergence and total variation are NaN. O(n log k).
/// Misuse: rows of different lengths, or none.
[[nodiscard]] LogitAgreement logit_agreement(std::span<const float> logits, std::span<const float> reference,
                                             const LogitAgreementOptions& options = {});

/// Over positions: mean divergence in nats; parts: largest and 99th percentile, mean total variation, share of equal
/// first tokens, without near ties too, mean overlap, positions with NaN, which are counted and left out of means.
[[nodiscard]] Score logit_divergence(std::span<const LogitAgreement> positions);

namespace detail {

/// ln Σ exp, in double; NaN where one is NaN, or the largest is infinite. Precondition: one logit at least.
[[nodiscard]] double log_sum_exp(std::span<const float> logits);

}  // namespace detail

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/logit_agreement.ipp"
#endif
