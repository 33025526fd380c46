#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "assay/validators/device/device_kernel.hpp"

namespace assay::testing {

/// out[i] = 2·in[i] + 1.
struct TwicePlusOne {
  const float* in;
  float* out;
  ASSAY_FUNCTION void operator()(std::size_t i) const { out[i] = 2 * in[i] + 1; }
};

inline std::vector<float> some_floats(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 8;
  return values;
}

/// A right kernel of `count` floats.
template <ParallelBackend B>
DeviceKernel<B> right_kernel(std::size_t count = 1000) {
  DeviceKernel<B> kernel;
  kernel.name = "twice";
  kernel.inputs.push_back(kernel_input(some_floats(count)));
  kernel.outputs.push_back({count, 4, 0, 0x7F800000});
  kernel.launch = [count](B& backend, typename B::Stream& stream, const KernelOperands& at) {
    return backend.parallel_for(
        stream, count, TwicePlusOne{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0])});
  };
  kernel.launch_shaped = [count](B& backend, typename B::Stream& stream, const KernelOperands& at,
                                 const LaunchShape& shape) {
    return parallel_for_shaped(
        backend, stream, count,
        TwicePlusOne{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0])}, shape);
  };
  return kernel;
}

/// Adds a little to one element.
struct Spoil {
  float* at;
  float by;
  ASSAY_FUNCTION void operator()(std::size_t) const { *at += by; }
};

/// The right kernel, and then, where `spoils(launch number, operands)` gives an element, that one is altered by `by`.
template <ParallelBackend B, class Spoils>
DeviceKernel<B> spoilt_kernel(const Spoils& spoils, float by = 1, std::size_t count = 1000) {
  DeviceKernel<B> kernel = right_kernel<B>(count);
  kernel.launch_shaped = nullptr;
  kernel.launch = [right = kernel.launch, spoils, by, number = std::size_t{0}](
                      B& backend, typename B::Stream& stream, const KernelOperands& at) mutable -> Result<void> {
    if (auto run = right(backend, stream, at); !run) return run;
    const std::ptrdiff_t element = spoils(number++, at);
    return element < 0 ? Result<void>()
                       : backend.parallel_for(stream, 1, Spoil{static_cast<float*>(at.outputs[0]) + element, by});
  };
  return kernel;
}

}  // namespace assay::testing
