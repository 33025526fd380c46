#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "assay/kernels/convolution/portable.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/tolerance/positive_sum.hpp"

namespace assay::inline v0 {

/// Data of convolutions. The two operands whose products are summed are the left, an image, and the right, weights or,
/// where their gradient is computed, the gradient of the output. Lanes run along what is summed over: channels of a
/// group, or positions for gradients of weights.
///
/// What each pattern is for:
/// - normal, uniform, log_uniform: everyday; terms that are missing or counted twice, narrow arithmetic;
/// - exact_integer: nothing rounds: addresses, edges and paddings to the last bit;
/// - one_hot: one element of every image and channel is not zero: which tap meets which position;
/// - constant: edges differ from the middle by whole terms; errors align;
/// - canceling: channels (or positions) whose products cancel but for edges: narrow accumulators, stored partial sums;
/// - swamping: one large term and many small ones: accumulators in which sums stagnate;
/// - subnormal: flushing; extreme: overflow in the output, and underflow; special: NaN and infinities, but not where
///   kernels may multiply by padding.
struct ConvolutionData {
  /// The data of that pattern for both operands and the bias.
  [[nodiscard]] static OperationData make(const ConvolutionProblem& problem, FillKind kind,
                                          const Arithmetic& arithmetic, std::uint64_t seed);

 private:
  /// Whether a kernel may multiply elements of weights, or of a coarse image, by zeros beyond an edge of an image: what
  /// is no number would leave it open what is right.
  [[nodiscard]] static bool meets_padding(const ConvolutionProblem& problem) {
    if (ConvolutionGeometry::of(problem).product == ConvolutionProduct::fine) return true;
    for (int d = 0; d < problem.dimensions; ++d)
      if (problem.axes[d].padding_before > 0 || problem.axes[d].padding_after > 0) return true;
    return false;
  }

  /// Values of the left operand that are the same in all channels, or in all positions of one channel.
  [[nodiscard]] static std::vector<double> repeated(const ConvolutionProblem& problem, Fill pattern, bool fine,
                                                    bool by_channel);
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/convolution/data.ipp"
#endif
