#pragma once

#include <type_traits>

namespace assay::inline v0 {

struct Attention;
struct AttentionBackward;
struct AttentionMerge;
struct Convolution;
struct CrossEntropy;
struct Dropout;
struct Elementwise;
struct Gather;
struct L2Normalize;
struct Linear;
struct NonMaximumSuppression;
struct Normalization;
struct NormalizationBackward;
struct Optimizer;
struct Pooling;
struct Rearrangement;
struct Reduction;
struct Resize;
struct RotaryEmbedding;
struct Sampling;
struct Softmax;
struct SoftmaxBackward;
struct Sort;

/// A list of operations.
template <class... Ops>
struct Operations {
  /// Whether `Op` is one of them.
  template <class Op>
  static constexpr bool has = (std::is_same_v<Op, Ops> || ...);
};

/// Every operation of Assay's whose formats are data. `assay::compiled` has what validates them on the host.
using AllOperations =
    Operations<Attention, AttentionBackward, AttentionMerge, Convolution, CrossEntropy, Dropout, Elementwise, Gather,
               L2Normalize, Linear, NonMaximumSuppression, Normalization, NormalizationBackward, Optimizer, Pooling,
               Rearrangement, Reduction, Resize, RotaryEmbedding, Sampling, Softmax, SoftmaxBackward, Sort>;

}  // namespace assay::inline v0
