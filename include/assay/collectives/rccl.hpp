#pragma once

#include <rccl/rccl.h>

#include "assay/backends/hip_runtime.hpp"
#include "assay/collectives/detail/basic_nccl_collective.hpp"

namespace assay::inline v0 {

using RcclCollective = BasicNcclCollective<detail::HipRuntime>;  ///< AMD's RCCL.

}  // namespace assay::inline v0
