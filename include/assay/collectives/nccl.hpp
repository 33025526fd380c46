#pragma once

#include <nccl.h>

#include "assay/backends/cuda_runtime.hpp"
#include "assay/collectives/detail/basic_nccl_collective.hpp"

namespace assay::inline v0 {

using NcclCollective = BasicNcclCollective<detail::CudaRuntime>;  ///< NVIDIA's NCCL.

}  // namespace assay::inline v0
