#pragma once

#include <cstdint>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/faults/input_faults.hpp"
#include "assay/suite/seed.hpp"

namespace assay::inline v0 {

/// A fault that kernels of every operation can have in how they round: `round` gives the code that is written for a
/// result that nobody has rounded to the format yet.
struct RoundingFault {
  Fault fault;
  std::uint64_t (*round)(double value, const ElementFormat& format, Index element);
};

/// Faults of the last rounding, which kernels of every operation can have.
[[nodiscard]] const std::vector<RoundingFault>& rounding_faults();

namespace detail {

/// Runs a right kernel with its floating-point outputs in float64, and rounds them as the fault does. Inputs of an
/// output's format become float64 with it, for kernels that move codes.
[[nodiscard]] Result<void> launch_misrounded(const RoundingFault& fault, const std::vector<OperandSpec>& specs,
                                             const OperandArray& operands, const LaunchKernel& run);

}  // namespace detail

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/rounding_faults.ipp"
#endif
