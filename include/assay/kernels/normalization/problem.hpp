#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What is normalized, of a tensor of extents (outer, channels, inner).
enum class NormalizationKind {
  layer,  ///< all channels of an outer index; inner is 1
  rms,    ///< as layer, without subtracting the mean
  /// the channels and inner elements of each of `groups` parts of the channels; groups = channels is instance
  /// normalization
  group,
  batch  ///< each channel by statistics that are given: inference
};

/// How a kernel is allowed to find the variance: a contract, each with its own bound.
enum class VarianceAlgorithm {
  two_pass,  ///< the mean of (x − μ)², after μ; or with as little error
  welford,   ///< updating mean and sum of squares as elements come, or merging those of parts; not below 0
  one_pass   ///< E[x²] − μ², not below 0: loses all digits where the mean is large
};

/// What is written beside the output, one number for each mean that is taken.
enum class SavedStatistics {
  none,
  inverse_deviation,  ///< the mean (but for rms) and 1/√(σ² + ε)
  variance            ///< the mean (but for rms) and σ², not corrected for the sample
};

/// y = (x − μ)/√(σ² + ε)·gamma + beta, see `NormalizationKind` for what μ and σ² are taken over; gamma and beta have a
/// value a channel.
struct NormalizationProblem {
  NormalizationKind kind = NormalizationKind::layer;
  Index outer = 1;        ///< samples, or rows
  Index channels = 1;     ///< of all groups
  Index inner = 1;        ///< elements of a channel beside each other; 1 for layer and rms
  Index groups = 1;       ///< of channels; 1 but for group
  double epsilon = 1e-5;  ///< added to the variance
  VarianceAlgorithm variance = VarianceAlgorithm::two_pass;
  /// kernels may compute x·a + b with a = gamma/√(σ² + ε), b = beta − μ·a: errors of a large mean do not cancel
  bool folded = false;
  /// (x − μ)/√(σ² + ε) is rounded to the output's format before gamma: the RMSNorm of Llama in Transformers and vLLM
  bool rounded_before_gamma = false;
  bool gamma = true;  ///< there is a scale
  bool beta = true;   ///< there is a shift
  SavedStatistics saved = SavedStatistics::none;
  ElementFormat input = element_format<float32>();       ///< storage format of the input
  ElementFormat parameters = element_format<float32>();  ///< gamma, beta, and the statistics that are given or written
  ElementFormat output = element_format<float32>();      ///< storage format of the output

  /// How many elements one mean is taken of, and how many means there are.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index lane_length() const {
    return groups > 0 ? channels / groups * inner : 0;
  }
  /// How many means there are.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index lanes() const {
    return kind == NormalizationKind::batch ? channels : outer * groups;
  }
  /// The lane that an element belongs to.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index lane_of(Index outer_index, Index channel) const {
    return kind == NormalizationKind::batch ? channel : outer_index * groups + channel / (channels / groups);
  }
  /// Whether the mean is subtracted.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool centered() const { return kind != NormalizationKind::rms; }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(NormalizationProblem& problem, Visit&& visit) {
  visit("kind", problem.kind, "outer", problem.outer, "channels", problem.channels, "inner", problem.inner, "groups",
        problem.groups, "epsilon", problem.epsilon, "variance", problem.variance, "folded", problem.folded,
        "rounded_before_gamma", problem.rounded_before_gamma, "gamma", problem.gamma, "beta", problem.beta, "saved",
        problem.saved, "input", problem.input, "parameters", problem.parameters, "output", problem.output);
}

[[nodiscard]] constexpr const char* name_of(NormalizationKind kind) {
  switch (kind) {
    case NormalizationKind::layer: return "layernorm";
    case NormalizationKind::rms: return "rmsnorm";
    case NormalizationKind::group: return "groupnorm";
    case NormalizationKind::batch: return "batchnorm";
  }
  return "layernorm";
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const NormalizationProblem& problem);

/// "4x768-welford-folded-eps1e-06-saved".
[[nodiscard]] std::string name_of(const NormalizationProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/normalization/problem.ipp"
#endif
