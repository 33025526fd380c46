#pragma once

#include <cstddef>
#include <string>

#include "assay/backends/device_runtime.hpp"

namespace assay::inline v0::detail {

/// A device's runtime as a library of collectives needs it: calls that give results, and copies that wait. `Runtime` is
/// `CudaRuntime` or `HipRuntime` of backends/detail.
template <class Runtime>
struct WaitingDevice {
  using Stream = typename Runtime::Stream;
  static constexpr const char* name = Runtime::name;
  static constexpr const char* collective_name = Runtime::collective_name;

  /// `unsupported` where there is no driver or no device.
  [[nodiscard]] static Result<int> device_count() {
    int count = 0;
    if (const auto code = Runtime::device_count(&count); !Runtime::ok(code))
      return failure(ErrorKind::unsupported,
                     std::string(name) + " finds no device on this machine: " + Runtime::describe(code));
    return count;
  }
  [[nodiscard]] static Result<void> set_device(int device) {
    return device_result<Runtime>("choosing it", device, Runtime::set_device(device));
  }
  [[nodiscard]] static Result<Stream> make_stream() {
    Stream stream = nullptr;
    if (auto made = result("making a stream", Runtime::make_stream(&stream)); !made) return made.propagate();
    return stream;
  }
  static void destroy_stream(Stream stream) { static_cast<void>(Runtime::destroy_stream(stream)); }
  [[nodiscard]] static Result<bool> is_done(Stream stream) {
    const auto code = Runtime::query(stream);
    if (Runtime::not_ready(code)) return false;
    if (auto asked = result("asking a stream whether it is done", code); !asked) return asked.propagate();
    return true;
  }
  [[nodiscard]] static Result<void*> allocate(std::size_t bytes) {
    void* memory = nullptr;
    if (auto made = result("an allocation of " + std::to_string(bytes) + " bytes", Runtime::allocate(&memory, bytes));
        !made)
      return made.propagate();
    return memory;
  }
  static void deallocate(void* memory) { static_cast<void>(Runtime::deallocate(memory)); }
  /// End when the bytes are there, for streams too.
  [[nodiscard]] static Result<void> write(void* to, const void* from, std::size_t bytes) {
    if (auto begun = result("a copy to the device", Runtime::copy_to_device(to, from, bytes, nullptr)); !begun)
      return begun;
    return result("waiting for a copy to the device", Runtime::synchronize(nullptr));
  }
  [[nodiscard]] static Result<void> read(void* to, const void* from, std::size_t bytes) {
    if (auto begun = result("a copy to the host", Runtime::copy_to_host(to, from, bytes, nullptr)); !begun)
      return begun;
    return result("waiting for a copy to the host", Runtime::synchronize(nullptr));
  }

 private:
  [[nodiscard]] static Result<void> result(const std::string& call, typename Runtime::Code code) {
    int device = 0;
    static_cast<void>(Runtime::device(&device));
    return device_result<Runtime>(call, device, code);
  }
};

}  // namespace assay::inline v0::detail
