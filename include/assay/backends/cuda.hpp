#pragma once

#include "assay/backends/cuda_runtime.hpp"
#include "assay/backends/device_backend.hpp"
#include "assay/backends/graph_backend.hpp"

namespace assay::inline v0 {

/// An NVIDIA GPU: `Cuda::open(device)`.
using Cuda = DeviceBackend<detail::CudaRuntime>;

/// With memory of the caller's choice.
template <MemoryResource Resource>
using BasicCuda = DeviceBackend<detail::CudaRuntime, Resource>;

static_assert(BlockBackend<Cuda> && GraphBackend<Cuda>);

}  // namespace assay::inline v0
