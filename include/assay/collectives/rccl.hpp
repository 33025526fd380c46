#pragma once

#include <hip/hip_runtime_api.h>
#include <rccl/rccl.h>

#include <cstddef>
#include <string>

#include "assay/collectives/detail/basic_nccl_collective.hpp"

namespace assay {

namespace detail {

/// What `BasicNcclCollective` needs of a device's runtime.
struct HipRuntime {
  using Stream = hipStream_t;
  static constexpr const char* name = "HIP";
  static constexpr const char* collective_name = "rccl";

  [[nodiscard]] static Result<void> check(const std::string& function, hipError_t code) {
    if (code == hipSuccess) return {};
    return failure(code == hipErrorOutOfMemory ? ErrorKind::out_of_memory : ErrorKind::device, function + ": " + hipGetErrorString(code));
  }
  /// `unsupported` where there is no driver or no device.
  [[nodiscard]] static Result<int> device_count() {
    int count = 0;
    if (const hipError_t code = hipGetDeviceCount(&count); code != hipSuccess) return failure(ErrorKind::unsupported, std::string("HIP finds no device on this machine: ") + hipGetErrorString(code));
    return count;
  }
  [[nodiscard]] static Result<void> set_device(int device) { return check("hipSetDevice", hipSetDevice(device)); }
  [[nodiscard]] static Result<Stream> make_stream() {
    Stream stream = nullptr;
    if (auto made = check("hipStreamCreateWithFlags", hipStreamCreateWithFlags(&stream, hipStreamNonBlocking)); !made) return made.propagate();
    return stream;
  }
  static void destroy_stream(Stream stream) { static_cast<void>(hipStreamDestroy(stream)); }
  [[nodiscard]] static Result<bool> is_done(Stream stream) {
    const hipError_t code = hipStreamQuery(stream);
    if (code == hipErrorNotReady) return false;
    if (auto checked = check("hipStreamQuery", code); !checked) return checked.propagate();
    return true;
  }
  [[nodiscard]] static Result<void*> allocate(std::size_t bytes) {
    void* memory = nullptr;
    if (auto made = check("hipMalloc of " + std::to_string(bytes) + " bytes", hipMalloc(&memory, bytes)); !made) return made.propagate();
    return memory;
  }
  static void deallocate(void* memory) { static_cast<void>(hipFree(memory)); }
  /// Ends when the bytes are there, for streams too.
  [[nodiscard]] static Result<void> copy(void* to, const void* from, std::size_t bytes) {
    if (auto begun = check("hipMemcpy", hipMemcpy(to, from, bytes, hipMemcpyDefault)); !begun) return begun;
    return check("hipStreamSynchronize", hipStreamSynchronize(nullptr));
  }
};

}  // namespace detail

using RcclCollective = BasicNcclCollective<detail::HipRuntime>;

}  // namespace assay
