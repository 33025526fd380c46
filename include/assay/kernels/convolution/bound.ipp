#pragma once

#include "assay/kernels/convolution/bound.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE ConvolutionRoundings ConvolutionRoundings::of(const ConvolutionProblem& problem) {
  const ConvolutionGeometry geometry = ConvolutionGeometry::of(problem);
  const Index bias = problem.bias && problem.pass == ConvolutionPass::forward ? 1 : 0;
  const auto sum = [](Index value) { return std::to_string(value); };
  switch (problem.algorithm) {
    case ConvolutionAlgorithm::direct: break;
    case ConvolutionAlgorithm::winograd: {
      const Index transforms = WinogradTransform::of(problem.winograd_tile).roundings();
      return {geometry.fine_channels + transforms + bias,
              "norm-wise, by the algorithm's declaration: M = |A'|[sum_c (|G||g||G'|).(|B'||d||B|)]|A| over " +
                  sum(geometry.fine_channels) + " channels, transforms of F(" + sum(problem.winograd_tile) + "x" +
                  sum(problem.winograd_tile) + ", 3x3) round " + sum(transforms) + " times"};
    }
    case ConvolutionAlgorithm::fft: {
      const auto transforms = static_cast<Index>(std::ceil(21 * detail::fourier_stages(geometry))) + 4;
      return {geometry.fine_channels + transforms + bias,
              "norm-wise, by the algorithm's declaration: M = sum_c ||x_c||*||w_c|| over " +
                  sum(geometry.fine_channels) + " channels, transforms round as " + sum(transforms) + " times"};
    }
  }
  return {geometry.terms() + bias,
          "S = sum |x*w| over at most " + sum(geometry.terms()) + " products" + (bias > 0 ? " and the bias" : "")};
}

ASSAY_DETAIL_HEADER_INLINE ExplainedGemmBound convolution_bound(const ConvolutionProblem& problem, RoundingModel model,
                                                                const Arithmetic& arithmetic) {
  const ConvolutionRoundings roundings = ConvolutionRoundings::of(problem);
  GemmProblem sums;
  sums.m = ConvolutionGeometry::of(problem).results();
  sums.n = 1;
  sums.k = roundings.count;
  ExplainedGemmBound explained = gemm_bound(sums, arithmetic.accumulation, model, roundings.count, false);
  explained.bound.beta = 1;
  if (problem.algorithm != ConvolutionAlgorithm::direct)
    explained.bound.underflow *= 4096;  // transforms magnify what underflows before them
  explained.derivation[0] = "E = g*(M + |bias|) + underflow + the reference's own error; M: " + roundings.scale;
  explained.derivation[1] =
      "data: " + std::string(name_of(model)) + ", " + std::to_string(roundings.count) + " roundings a result";
  if (problem.algorithm != ConvolutionAlgorithm::direct)
    explained.derivation.push_back("what underflows in a transform is multiplied by the other: eta = " +
                                   detail::number(arithmetic.accumulation.min_subnormal) +
                                   " times factors of the algorithm more");
  return explained;
}

ASSAY_DETAIL_HEADER_INLINE GemmBound bias_gradient_bound(const ConvolutionProblem& problem, RoundingModel model,
                                                         const Arithmetic& arithmetic) {
  const ConvolutionGeometry geometry = ConvolutionGeometry::of(problem);
  GemmProblem sums;
  sums.m = problem.output_channels;
  sums.n = 1;
  sums.k = problem.batch * (problem.transposed ? geometry.fine_positions() : geometry.coarse_positions());
  return gemm_bound(sums, arithmetic.accumulation, model, sums.k, false).bound;
}

}  // namespace assay::inline v0
