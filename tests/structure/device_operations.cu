// Every functor of operations whose formats are data, instantiated in a kernel: see device_functors.cu.
#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/kernels.hpp"
#include "assay/tensor/fill_operand.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "assay/tensor/operand_values.hpp"
#include "device_launch.hpp"

namespace {

/// Comparisons with expectations that devices compute.
template <class... Expected>
void launch_comparisons() {
  assay::testing::launch_reduction<assay::detail::PartialComparison, assay::detail::CompareOperandChunk<Expected>...>();
}

}  // namespace

void launch_every_operation() {
  using namespace assay;
  using namespace assay::testing;
  launch<FillOperandChunk<OperandValues>, detail::OperandPoison>();
  launch_reduction<detail::Tally, detail::OperandPoison>();
  launch<SoftmaxRowWork, PortableSoftmaxRow, SoftmaxBackwardRowWork, PortableSoftmaxBackwardRow, CrossEntropyRowWork, PortableCrossEntropy>();
  launch<NormalisationRowWork, PortableNormalisation, NormalisationBackwardWork, PortableNormalisationBackward>();
  launch<PortableElementwise, ReductionRowWork, PortableReduction, PortableOptimizer, PortableRotaryEmbedding, PortableDropout>();
  launch<PortableGather, PortableScatter, GroupIndices, PortableRearrangement, PortablePooling, PortablePoolingGradient, PortableResize, PortableSort, PortableSuppression, PortableSampling>();
  launch_reduction<detail::Tally, IndicesOutOfRange>();
  launch<PortableConvolutionElement, PortableBiasGradient>();
  launch<PortableLinearElement, detail::DequantiseVectors, detail::CopyDoubles>();
  launch<PortableAttentionRow, PortableAttentionMergeRow, AttentionMergeRow>();
  launch_comparisons<SoftmaxExpected, SoftmaxBackwardExpected, CrossEntropyExpected, NormalisationExpected, NormalisationBackwardExpected, ElementwiseExpected, ReductionExpected,
                     OptimizerExpected, RotaryEmbeddingExpected, PoolingExpected, ResizeExpected, RearrangementExpected, GatherExpected, SortExpected, ConvolutionExpected, LinearExpected, AttentionExpected>();
}
