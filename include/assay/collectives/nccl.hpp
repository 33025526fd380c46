#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstddef>
#include <string>

#include "assay/collectives/detail/basic_nccl_collective.hpp"

namespace assay {

namespace detail {

/// What `BasicNcclCollective` needs of a device's runtime.
struct CudaRuntime {
  using Stream = cudaStream_t;
  static constexpr const char* name = "CUDA";
  static constexpr const char* collective_name = "nccl";

  [[nodiscard]] static Result<void> check(const std::string& function, cudaError_t code) {
    if (code == cudaSuccess) return {};
    return failure(code == cudaErrorMemoryAllocation ? ErrorKind::out_of_memory : ErrorKind::device, function + ": " + cudaGetErrorString(code));
  }
  /// `unsupported` where there is no driver or no device.
  [[nodiscard]] static Result<int> device_count() {
    int count = 0;
    if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) return failure(ErrorKind::unsupported, std::string("CUDA finds no device on this machine: ") + cudaGetErrorString(code));
    return count;
  }
  [[nodiscard]] static Result<void> set_device(int device) { return check("cudaSetDevice", cudaSetDevice(device)); }
  [[nodiscard]] static Result<Stream> make_stream() {
    Stream stream = nullptr;
    if (auto made = check("cudaStreamCreateWithFlags", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); !made) return made.propagate();
    return stream;
  }
  static void destroy_stream(Stream stream) { cudaStreamDestroy(stream); }
  [[nodiscard]] static Result<bool> is_done(Stream stream) {
    const cudaError_t code = cudaStreamQuery(stream);
    if (code == cudaErrorNotReady) return false;
    if (auto checked = check("cudaStreamQuery", code); !checked) return checked.propagate();
    return true;
  }
  [[nodiscard]] static Result<void*> allocate(std::size_t bytes) {
    void* memory = nullptr;
    if (auto made = check("cudaMalloc of " + std::to_string(bytes) + " bytes", cudaMalloc(&memory, bytes)); !made) return made.propagate();
    return memory;
  }
  static void deallocate(void* memory) { cudaFree(memory); }
  /// Ends when the bytes are there, for streams too.
  [[nodiscard]] static Result<void> copy(void* to, const void* from, std::size_t bytes) {
    if (auto begun = check("cudaMemcpy", cudaMemcpy(to, from, bytes, cudaMemcpyDefault)); !begun) return begun;
    return check("cudaStreamSynchronize", cudaStreamSynchronize(nullptr));
  }
};

}  // namespace detail

using NcclCollective = BasicNcclCollective<detail::CudaRuntime>;

}  // namespace assay
