// The same checks for tensors on CUDA devices: compiled by nvcc where the project is configured with CUDA_ARCH.
#include <map>
#include <mutex>

#include "assay/backends/cuda.hpp"
#include "checks.hpp"

namespace example {

assay::Outcome answer_on_cuda(int device, Request& request) {
  // Never destroyed: at exit the driver may be gone before.
  static std::mutex& mutex = *new std::mutex;
  static std::map<int, assay::Cuda>& devices = *new std::map<int, assay::Cuda>;
  const auto backend = [&]() -> assay::Result<assay::Cuda> {
    const std::lock_guard lock(mutex);
    if (const auto known = devices.find(device); known != devices.end()) return known->second;
    auto opened = assay::Cuda::open(device);
    if (opened) devices.emplace(device, opened.value());
    return opened;
  }();
  if (!backend) return refused(backend.error());
  assay::Cuda own = backend.value();
  return answer(own, request);
}

}  // namespace example
