#pragma once

#include "assay/backends/device_backend.hpp"
#include "assay/backends/graph_backend.hpp"
#include "assay/backends/hip_runtime.hpp"

namespace assay::inline v0 {

/// An AMD GPU: `Hip::open(device)`.
using Hip = DeviceBackend<detail::HipRuntime>;

/// With memory of the caller's choice.
template <MemoryResource Resource>
using BasicHip = DeviceBackend<detail::HipRuntime, Resource>;

static_assert(BlockBackend<Hip> && GraphBackend<Hip>);

}  // namespace assay::inline v0
