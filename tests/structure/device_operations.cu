// Every functor of operations whose formats are data, instantiated in a kernel: see device_functors.cu.
#include <cstddef>

#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/kernels.hpp"
#include "assay/tensor/fill_operand.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "assay/tensor/operand_values.hpp"

namespace {

template <class Functor>
__global__ void for_each_index(Functor functor, std::size_t count) {
  const std::size_t index = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (index < count) functor(index);
}

template <class Functor, class Partial>
__global__ void for_each_chunk(Functor functor, Partial* partials) {
  functor(blockIdx.x, partials[blockIdx.x]);
}

template <class... Functors>
void launch() {
  (for_each_index<<<1, 1>>>(Functors{}, 1), ...);
}

template <class Partial, class Functor>
void launch_reduction(Functor functor) {
  for_each_chunk<<<1, 1>>>(functor, static_cast<Partial*>(nullptr));
}

/// Comparisons with expectations that devices compute.
template <class... Expected>
void launch_comparisons() {
  (launch_reduction<assay::detail::PartialComparison>(assay::detail::CompareOperandChunk<Expected>{}), ...);
}

}  // namespace

void launch_every_operation() {
  using namespace assay;
  launch<FillOperandChunk<OperandValues>, detail::OperandPoison>();
  launch_reduction<detail::Tally>(detail::OperandPoison{});
  launch<SoftmaxRowWork, PortableSoftmaxRow, SoftmaxBackwardRowWork, PortableSoftmaxBackwardRow, CrossEntropyRowWork, PortableCrossEntropy>();
  launch<NormalisationRowWork, PortableNormalisation, NormalisationBackwardWork, PortableNormalisationBackward>();
  launch<PortableElementwise, ReductionRowWork, PortableReduction, PortableOptimizer, PortableRotaryEmbedding, PortableDropout>();
  launch<PortableGather, PortableScatter, GroupIndices, PortableRearrangement, PortablePooling, PortablePoolingGradient, PortableResize, PortableSort, PortableSuppression, PortableSampling>();
  launch_reduction<detail::Tally>(IndicesOutOfRange{});
  launch<PortableConvolutionElement, PortableBiasGradient>();
  launch<PortableLinearElement, detail::DequantiseVectors, detail::CopyDoubles>();
  launch<PortableAttentionRow, PortableAttentionMergeRow, AttentionMergeRow>();
  launch_comparisons<SoftmaxExpected, SoftmaxBackwardExpected, CrossEntropyExpected, NormalisationExpected, NormalisationBackwardExpected, ElementwiseExpected, ReductionExpected,
                     OptimizerExpected, RotaryEmbeddingExpected, PoolingExpected, ResizeExpected, RearrangementExpected, GatherExpected, SortExpected, ConvolutionExpected, LinearExpected, AttentionExpected>();
}
