#pragma once

#include <cstddef>

/// Kernels that instantiate functors for a device.
namespace assay::testing {

template <class Functor>
__global__ void for_each_index(Functor functor, std::size_t count) {
  const std::size_t index = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (index < count) functor(index);
}

template <class... Functors>
void launch() {
  (for_each_index<<<1, 1>>>(Functors{}, 1), ...);
}

}  // namespace assay::testing
