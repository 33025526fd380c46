#pragma once

#include <vector>

#include "assay/core/fault.hpp"
#include "assay/faults/output_launch.hpp"

namespace assay::inline v0 {

/// A fault that kernels of every operation can have, and what it makes of the outputs of a launch that was right.
struct OutputFault {
  Fault fault;
  void (*spoil)(const OutputLaunch& launch);  ///< changes outputs in place; never null
};

namespace detail {

/// Threads that share an instruction, and that share a multiprocessor's memory, in the launches that are emulated:
/// thread e computes element e.
inline constexpr Index warp = 32, thread_block = 64;

[[nodiscard]] std::vector<OutputFault> value_faults();

}  // namespace detail

/// All of them.
[[nodiscard]] const std::vector<OutputFault>& output_faults();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/output_faults.ipp"
#endif
