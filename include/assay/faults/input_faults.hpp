#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// A right kernel, run on other operands.
using LaunchKernel = std::function<Result<void>(const OperandArray&)>;

/// An input in host memory, as a fault reads it.
struct InputRead {
  const Operand& input;

  /// The last extent of the input; 1 for a scalar.
  [[nodiscard]] Index columns() const { return input.rank > 0 ? input.extents[input.rank - 1] : 1; }
  /// The code of the element with that row-major number.
  [[nodiscard]] std::uint64_t code(Index element) const {
    return input.format.load_code(input.data, input.offset_of(element));
  }
  /// What lies so many elements behind the beginning, be it the input's or not. Precondition: within its allocation or
  /// the canaries about it.
  [[nodiscard]] std::uint64_t code_at(Index place) const { return input.format.load_code(input.data, place); }
};

/// A fault that kernels of every operation can have in how they read: `read` gives the code of an element that the
/// kernel sees.
struct InputFault {
  Fault fault;
  std::uint64_t (*read)(const InputRead& input, Index element);
};

/// They strike the first input of a floating-point format; kernels without such an input are right.
[[nodiscard]] const std::vector<InputFault>& input_faults();

namespace detail {

/// Runs a right kernel on an input as the fault reads it.
[[nodiscard]] Result<void> launch_on_misread_input(const InputFault& fault, const std::vector<OperandSpec>& specs,
                                                   const OperandArray& operands, const LaunchKernel& run);

}  // namespace detail

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/input_faults.ipp"
#endif
