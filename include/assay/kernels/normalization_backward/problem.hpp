#pragma once

#include <string>

#include "assay/kernels/normalization/problem.hpp"

namespace assay::inline v0 {

/// The gradients of a normalization by its input, gamma and beta. With x̂ = (x − μ)·r, r = 1/√(σ² + ε), G = dy·gamma
/// and means over what a mean is taken of:
///
///   dx = r·(G − mean(G) − x̂·mean(G·x̂)) layer, group; of rms without mean(G); of a batch, whose statistics are given,
///   r·G dgamma = Σ dy·x̂ and dbeta = Σ dy over all elements of a channel
///
/// μ and r are those that the forward pass saved: `forward.saved` says whether r or σ² is given. `forward.gamma` and
/// `forward.beta` say whether there are such parameters, and so their gradients; `forward.folded` that sums may be
/// taken of G and G·x in place of G·x̂, and dx as a linear function of x. `forward.input` is the format of x,
/// `forward.output` that of dy, `forward.parameters` that of gamma, μ, r or σ², dgamma and dbeta. `forward.variance` is
/// not looked at.
struct NormalizationBackwardProblem {
  NormalizationProblem forward;
  ElementFormat output = element_format<float32>();  ///< of dx
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(NormalizationBackwardProblem& problem, Visit&& visit) {
  visit("forward", problem.forward, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const NormalizationBackwardProblem& problem) {
  NormalizationProblem forward = problem.forward;
  if (forward.kind == NormalizationKind::batch)
    forward.saved = SavedStatistics::none;
  else if (forward.saved == SavedStatistics::none)
    return failure(ErrorKind::invalid, "saved is none; a backward pass needs inverse_deviation or variance");
  if (forward.rounded_before_gamma)
    return failure(ErrorKind::invalid, "rounded_before_gamma is true; gradients are those of what is not rounded");
  if (auto checked = check(forward); !checked) return checked;
  return check_float_formats({{"output", problem.output}});
}

/// As that of the forward problem.
[[nodiscard]] inline std::string name_of(const NormalizationBackwardProblem& problem) {
  NormalizationProblem forward = problem.forward;
  if (forward.saved == SavedStatistics::inverse_deviation) forward.saved = SavedStatistics::none;
  return name_of(forward);
}

}  // namespace assay::inline v0
