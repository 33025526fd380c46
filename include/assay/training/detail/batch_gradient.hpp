#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "assay/training/detail/local_gradient.hpp"

namespace assay::inline v0::detail {

/// γ_k = k·u/(1 − k·u): the largest relative error of k roundings. Higham, "Accuracy and stability of numerical
/// algorithms", 2nd ed., §3.1.
[[nodiscard]] inline double gamma_of(double roundings, double unit) {
  return roundings * unit < 1 ? roundings * unit / (1 - roundings * unit) : std::numeric_limits<double>::infinity();
}

inline constexpr double float32_unit = 0x1p-24, bfloat16_unit = 0x1p-8;

/// The gradients of every sample of a step, and their exact sums: what any order of adding them up is held against.
struct BatchGradient {
  std::vector<std::vector<float>> samples;
  std::vector<double> tokens;     ///< of each sample
  std::vector<double> losses;     ///< of each sample
  std::vector<double> sum;        ///< in double: its own error is 2⁻²⁹ of the bound
  std::vector<double> magnitude;  ///< Σ|g| over samples
  double all_tokens = 0, all_losses = 0;

  [[nodiscard]] double of_samples(RankShare share, std::size_t i) const {
    double part = 0;
    for (Index s = share.begin; s < share.end; ++s)
      part += static_cast<double>(samples[static_cast<std::size_t>(s)][i]);
    return part;
  }
  [[nodiscard]] double tokens_of(RankShare share) const {
    double part = 0;
    for (Index s = share.begin; s < share.end; ++s) part += tokens[static_cast<std::size_t>(s)];
    return part;
  }

  /// How far a right sum over `ranks` ranks, divided by the tokens, may be from the exact one, in any order of samples
  /// and ranks:
  ///
  ///   E_i = [γ_{B+n+2}(2⁻²⁴)·Σ_s|g_si| + (B + n)·2⁻¹²⁶]/N B samples, n ranks, N tokens; the 2 is the division, the
  ///   last term flushed subnormal numbers
  ///       + [γ_{n+1}(2⁻⁸)·Σ_r|g_ri|]/N                             where ranks' sums are rounded to bfloat16, and added up in it
  [[nodiscard]] double allowed(std::size_t i, int ranks, bool narrow) const;
};

[[nodiscard]] BatchGradient batch_gradient(const TrainingOptions& options, const TrainingState& state);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/training/detail/batch_gradient.ipp"
#endif
