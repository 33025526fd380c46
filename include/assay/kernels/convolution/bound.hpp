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
    stages += 1 + std::log2(static_cast<double>(geometry.fine[d] + 2 * geometry.padding[d] + geometry.kernel[d] +
                                                geometry.coarse[d]));
  return stages;
}
/// How far off in norm underflow to multiples of η puts an image or a filter whose transform is taken.
[[nodiscard]] inline double fourier_underflow(const ConvolutionGeometry& geometry, double least) {
  return 21 * std::exp2(fourier_stages(geometry) / 2) * least;
}

}  // namespace detail

/// How many roundings lie between the operands of a problem and one result, and what their errors are relative to.
///
/// direct: a sum of n products (and the bias) in any order, so E = g(n)·(S + |bias|) with S = Σ|x·w|, as of a GEMM with
/// k = n. n is input channels of the group × kernel for outputs, output channels of the group × aligned taps for the
/// gradient of the input, batch × positions for the gradient of the weights.
///
/// winograd: E = g(c + t)·(M + |bias|) with c channels, t roundings of the transforms and M as in winograd.hpp, where
/// what underflows in transforms is, too.
///
/// fft: with images padded to at most N elements, E = g(21·log2 N + c + 4)·(Σ_c ‖x_c‖·‖w_c‖ + |bias|). A transform of a
/// vector errs by log2 N·7u relative in norm, butterflies and the roots of unity together (Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., theorem 24.2), there are three of them, a complex product errs by less
/// than 3u, and by Cauchy, Schwarz and Parseval no element of a cyclic convolution is larger than ‖x_c‖·‖w_c‖. In a
/// stage of a transform an element errs by less than 6η through underflow, the vector by √N times that, and later
/// stages magnify it by √2 each: divided by the transform's own √N, x_c is off by 6/(1 − 1/√2)·√N·η < 21·√N·η in norm,
/// w_c alike, and both are multiplied by the other. Both of the latter are norm-wise: small outputs beside large ones
/// have no relative accuracy of their own.
///
/// The largest error / allowed that right kernels reach over the default suite: 0.50 with direct sums in float32, 0.81
/// in bfloat16 and float16; 0.057 with F(2×2, 3×3), 0.025 with F(4×4, 3×3) and 0.01 with Fourier transforms in float32.
struct ConvolutionRoundings {
  Index count = 0;    ///< n, or what stands for it in the algorithm's formula
  std::string scale;  ///< in words

  /// The roundings of that problem's algorithm.
  [[nodiscard]] static ConvolutionRoundings of(const ConvolutionProblem& problem);
};

/// The bound of a convolution's results, as of a GEMM whose C is the bias: `error(result without bias, S or M, bias)`.
[[nodiscard]] ExplainedGemmBound convolution_bound(const ConvolutionProblem& problem, RoundingModel model,
                                                   const Arithmetic& arithmetic);

/// The bound of the gradient of a bias: a sum of batch × positions numbers.
[[nodiscard]] GemmBound bias_gradient_bound(const ConvolutionProblem& problem, RoundingModel model,
                                            const Arithmetic& arithmetic);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/convolution/bound.ipp"
#endif
