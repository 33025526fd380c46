#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "assay/backends/parallel_backend.hpp"

namespace assay::inline v0::detail {

/// Keeps a stream busy and touches nothing: what else goes on meanwhile shows who does not wait for it.
struct Delay {
  static constexpr bool touches_no_memory = true;
  static constexpr double cycles_per_second = 1.5e9;  ///< nominal, of devices
  double seconds;

#if defined(__CUDA_ARCH__)
  static __device__ long long cycle() {
    return clock64();
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  static __attribute__((device)) long long cycle() {
    return static_cast<long long>(__builtin_readcyclecounter());
  }
#endif

  ASSAY_FUNCTION void operator()(std::size_t) const {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    const auto cycles = static_cast<long long>(seconds * cycles_per_second);
    const long long start = cycle();
    while (cycle() - start < cycles) {
    }
#else
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    }
#endif
  }
};

template <ParallelBackend B>
[[nodiscard]] Result<void> delay(B& backend, typename B::Stream& stream, double seconds) {
  return seconds > 0 ? backend.parallel_for(stream, 1, Delay{seconds}) : Result<void>();
}

}  // namespace assay::inline v0::detail
