// Every functor of operations whose formats are data, instantiated in a kernel: see device_functors.cu.
#include <cstddef>

#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/kernels/softmax/softmax.hpp"
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

template <class Functor>
void launch(Functor functor) {
  for_each_index<<<1, 1>>>(functor, 1);
}

template <class Partial, class Functor>
void launch_reduction(Functor functor) {
  for_each_chunk<<<1, 1>>>(functor, static_cast<Partial*>(nullptr));
}

/// Comparison with an expectation that devices compute.
template <class Expected>
void launch_comparison() {
  launch_reduction<assay::detail::PartialComparison>(assay::detail::CompareOperandChunk<Expected>{});
}

}  // namespace

void launch_every_operation() {
  launch(assay::FillOperandChunk<assay::OperandValues>{});
  launch(assay::detail::OperandPoison{});
  launch_reduction<assay::detail::Tally>(assay::detail::OperandPoison{});
  launch(assay::SoftmaxRowWork{});
  launch(assay::PortableSoftmaxRow{});
  launch_comparison<assay::SoftmaxExpected>();
}
