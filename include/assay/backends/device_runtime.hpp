#pragma once

#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// What a call of a device's runtime gave, as a result that names the call, the device and the remedy. `Runtime` is
/// `CudaRuntime` or `HipRuntime`: types Code, Stream and Event, the runtime's calls, and what their codes mean. The
/// runtime forgets the failure: the next launch would be blamed for it.
template <class Runtime>
[[nodiscard]] Result<void> device_result(const std::string& call, int device, typename Runtime::Code code) {
  if (Runtime::ok(code)) return {};
  static_cast<void>(Runtime::last_error());
  const std::string text =
      std::string(Runtime::name) + " device " + std::to_string(device) + ", " + call + ": " + Runtime::describe(code);
  if (Runtime::is_out_of_memory(code))
    return failure(ErrorKind::out_of_memory, text + "; free memory or use a smaller problem");
  if (Runtime::is_no_device(code))
    return failure(ErrorKind::unsupported, std::string(Runtime::name) + " finds no device that it can use (" + call +
                                               ": " + Runtime::describe(code) +
                                               "); install the driver, or run where the device is");
  if (Runtime::is_wrong_architecture(code))
    return failure(ErrorKind::unsupported,
                   text + "; this program holds no code for that device: build it with its architecture (" +
                       Runtime::architecture_option + ")");
  if (Runtime::is_sticky(code))
    return failure(ErrorKind::device,
                   text + "; this process can use the device no more: run cases in processes of their own (--isolate)");
  return failure(ErrorKind::device, text);
}

/// Makes a device current, and the one that was before again when it ends: the caller's own choice is left alone.
template <class Runtime>
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    if (!Runtime::ok(Runtime::device(&before_)) || before_ == device)
      before_ = -1;
    else
      static_cast<void>(Runtime::set_device(device));
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() {
    if (before_ >= 0) static_cast<void>(Runtime::set_device(before_));
  }

 private:
  int before_ = -1;
};

}  // namespace assay::inline v0::detail
