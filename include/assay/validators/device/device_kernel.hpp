#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "assay/backends/backend.hpp"
#include "assay/validators/device/launch_shape.hpp"

namespace assay::inline v0 {

/// What a kernel reads: bytes of the host, which are copied to the device.
struct KernelInput {
  std::vector<unsigned char> content;  ///< copied before each launch
  std::size_t element_bytes = 1;       ///< alignment that the kernel counts on
};
/// Elements as the input of a kernel.
template <class T>
[[nodiscard]] KernelInput kernel_input(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
  KernelInput input{std::vector<unsigned char>(values.size() * sizeof(T)), sizeof(T)};
  if (!values.empty()) std::memcpy(input.content.data(), values.data(), input.content.size());
  return input;
}

/// What a kernel writes, all of it.
struct KernelOutput {
  std::size_t elements = 0;       ///< written by every launch
  std::size_t element_bytes = 4;  ///< of one element
  /// By how many units in the last place results may differ that need not be the same, as IEEE formats of 2, 4 or 8
  /// bytes count them.
  std::uint64_t allowed_ulps = 0;
  /// The code of infinity, as 0x7F800000 of float: what lies behind it is NaN, and no number is near it. 0: not told.
  std::uint64_t infinity = 0;

  /// Bytes of the whole output.
  [[nodiscard]] std::size_t bytes() const { return elements * element_bytes; }
};

/// Where the operands of one launch lie, in the backend's memory.
struct KernelOperands {
  std::vector<const void*> inputs;  ///< in the order of `DeviceKernel::inputs`
  std::vector<void*> outputs;       ///< in the order of `DeviceKernel::outputs`
};

/// A kernel under test with the data that it is tried on, for validators that ask how it behaves as work of a device.
/// They know nothing of what it computes: one run is judged by another.
template <Backend B>
struct DeviceKernel {
  std::string name;  ///< for the outcome's id
  std::vector<KernelInput> inputs;
  std::vector<KernelOutput> outputs;
  /// Submits the kernel to the stream; need not wait. It may overwrite its inputs: they are written anew before each
  /// launch.
  std::function<Result<void>(B& backend, typename B::Stream& stream, const KernelOperands& operands)> launch;
  /// The same with blocks and threads of the caller's choice; empty where the kernel leaves no choice.
  std::function<Result<void>(B& backend, typename B::Stream& stream, const KernelOperands& operands,
                             const LaunchShape& shape)>
      launch_shaped;
  /// What the addresses of operands must be multiples of; 0: of their element's size.
  std::size_t alignment = 0;
};

}  // namespace assay::inline v0
