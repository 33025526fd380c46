#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/convolution/winograd.hpp"
#include "assay/kernels/gemm/bound.hpp"
#include "assay/tolerance/arithmetic.hpp"

namespace assay::inline v0 {

namespace detail {

/// Log2 N, of images that a Fourier transform has padded.
[[nodiscard]] inline double fourier_stages(const ConvolutionGeometry& geometry) {
  double stages = 0;
  for (int d = 0; d < 3; ++d)
    stages += 1 + std::log2(static_cast<double>(geometry.fine[d] + 2 * geometry.padding[d] + geometry.kernel[d] + geometry.coarse[d]));
  return stages;
}
/// How far off in norm underflow to multiples of η puts an image or a filter whose transform is taken.
[[nodiscard]] inline double fourier_underflow(const ConvolutionGeometry& geometry, double least) {
  return 21 * std::exp2(fourier_stages(geometry) / 2) * least;
}

}  // namespace detail

/// How many roundings lie between the operands of a problem and one result, and what their errors are relative to.
///
/// direct: a sum of n products (and the bias) in any order, so E = g(n)·(S + |bias|) with S = Σ|x·w|, as of a GEMM with k = n. n is
/// input channels of the group × kernel for outputs, output channels of the group × aligned taps for the gradient of the input, batch × positions
/// for the gradient of the weights.
///
/// winograd: E = g(c + t)·(M + |bias|) with c channels, t roundings of the transforms and M as in winograd.hpp, where what underflows in transforms is, too.
///
/// fft: with images padded to at most N elements, E = g(21·log2 N + c + 4)·(Σ_c ‖x_c‖·‖w_c‖ + |bias|). A transform of a vector errs by
/// log2 N·7u relative in norm, butterflies and the roots of unity together (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorem 24.2), there are three
/// of them, a complex product errs by less than 3u, and by Cauchy, Schwarz and Parseval no element of a cyclic convolution is larger than ‖x_c‖·‖w_c‖.
/// In a stage of a transform an element errs by less than 6η through underflow, the vector by √N times that, and later stages magnify it by √2 each: divided by the transform's own √N, x_c
/// is off by 6/(1 − 1/√2)·√N·η < 21·√N·η in norm, w_c alike, and both are multiplied by the other.
/// Both of the latter are norm-wise: small outputs beside large ones have no relative accuracy of their own.
///
/// The largest error / allowed that right kernels reach over the default suite: 0.50 with direct sums in float32, 0.81 in bfloat16 and float16; 0.057 with
/// F(2×2, 3×3), 0.025 with F(4×4, 3×3) and 0.01 with Fourier transforms in float32.
struct ConvolutionRoundings {
  Index count = 0;    ///< n, or what stands for it in the algorithm's formula
  std::string scale;  ///< in words

  /// The roundings of that problem's algorithm.
  [[nodiscard]] static ConvolutionRoundings of(const ConvolutionProblem& problem) {
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
        return {geometry.fine_channels + transforms + bias, "norm-wise, by the algorithm's declaration: M = sum_c ||x_c||*||w_c|| over " +
                                                                sum(geometry.fine_channels) + " channels, transforms round as " +
                                                                sum(transforms) + " times"};
      }
    }
    return {geometry.terms() + bias,
            "S = sum |x*w| over at most " + sum(geometry.terms()) + " products" + (bias > 0 ? " and the bias" : "")};
  }
};

/// The bound of a convolution's results, as of a GEMM whose C is the bias: `error(result without bias, S or M, bias)`.
[[nodiscard]] inline ExplainedGemmBound convolution_bound(const ConvolutionProblem& problem, RoundingModel model,
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
  explained.derivation[1] = "data: " + std::string(name_of(model)) + ", " + std::to_string(roundings.count) + " roundings a result";
  if (problem.algorithm != ConvolutionAlgorithm::direct)
    explained.derivation.push_back("what underflows in a transform is multiplied by the other: eta = " +
                                   detail::number(arithmetic.accumulation.min_subnormal) + " times factors of the algorithm more");
  return explained;
}

/// The bound of the gradient of a bias: a sum of batch × positions numbers.
[[nodiscard]] inline GemmBound bias_gradient_bound(const ConvolutionProblem& problem, RoundingModel model, const Arithmetic& arithmetic) {
  const ConvolutionGeometry geometry = ConvolutionGeometry::of(problem);
  GemmProblem sums;
  sums.m = problem.output_channels;
  sums.n = 1;
  sums.k = problem.batch * (problem.transposed ? geometry.fine_positions() : geometry.coarse_positions());
  return gemm_bound(sums, arithmetic.accumulation, model, sums.k, false).bound;
}

}  // namespace assay::inline v0
