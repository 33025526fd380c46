#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// A graph of a pattern that compilers fuse, with what it is given.
struct FusionGraph {
  std::string name;                 ///< "matmul-bias-gelu-7x33x129"
  OperatorGraph graph;              ///< every tensor between nodes is among its `values`, with its type
  std::vector<GraphTensor> inputs;  ///< what it is given
};

/// The patterns that inference compilers look for, unfused, in float32 and in QDQ form: products with bias and GELU (by
/// erf and by tanh), SiLU, LayerNorm, RMSNorm, residual + LayerNorm, Softmax and attention from their parts,
/// convolution + BatchNormalization + ReLU, convolution + residual + ReLU, transposed and scaled products, a quantized
/// product, convolution and sum. Each with extents that are multiples of 16, and with some that are multiples of
/// nothing. Values are even in [−1, 1], the same for the same seed.
[[nodiscard]] std::vector<FusionGraph> fusion_graphs(std::uint64_t seed = 1);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/fusions/fusion_graphs.ipp"
#endif
