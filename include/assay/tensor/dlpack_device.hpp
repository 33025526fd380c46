#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "assay/backends/device_runtime.hpp"
#include "assay/backends/memory_resource.hpp"
#include "assay/backends/parallel_backend.hpp"
#include "assay/core/result.hpp"
#include "assay/tensor/dlpack_abi.hpp"

namespace assay::inline v0 {

template <class Runtime, MemoryResource ResourceType>
class DeviceBackend;

[[nodiscard]] constexpr std::string_view name_of(dlpack::DeviceType type) noexcept {
  using enum dlpack::DeviceType;
  switch (type) {
    case cpu: return "kDLCPU";
    case cuda: return "kDLCUDA";
    case cuda_host: return "kDLCUDAHost";
    case opencl: return "kDLOpenCL";
    case vulkan: return "kDLVulkan";
    case metal: return "kDLMetal";
    case vpi: return "kDLVPI";
    case rocm: return "kDLROCM";
    case rocm_host: return "kDLROCMHost";
    case extension: return "kDLExtDev";
    case cuda_managed: return "kDLCUDAManaged";
    case one_api: return "kDLOneAPI";
    case web_gpu: return "kDLWebGPU";
    case hexagon: return "kDLHexagon";
    case maia: return "kDLMAIA";
    case trainium: return "kDLTrn";
  }
  return "an unknown device";
}

/// "kDLCUDA 1".
[[nodiscard]] inline std::string name_of(const dlpack::Device& device) {
  return std::string(name_of(device.device_type)) + " " + std::to_string(device.device_id);
}

namespace detail {

template <class Runtime, MemoryResource Resource>
Runtime device_runtime_of(const DeviceBackend<Runtime, Resource>&);

/// Whether B is, or is derived from, a `DeviceBackend`.
template <class B>
concept HasDeviceRuntime = requires(const B& backend) {
  detail::device_runtime_of(backend);
};
template <HasDeviceRuntime B>
using DeviceRuntimeOf = decltype(detail::device_runtime_of(std::declval<const B&>()));

template <HasDeviceRuntime B>
inline constexpr bool is_hip = std::string_view(DeviceRuntimeOf<B>::backend_name) == "hip";

}  // namespace detail

/// The device on which a backend's memory lies, as DLPack names it: CUDA's and HIP's with their numbers, the host.
/// Another backend says it by a member `dlpack_device()`. Errors: `unsupported` where it has none.
template <class B>
[[nodiscard]] Result<dlpack::Device> dlpack_device(const B& backend) {
  if constexpr (requires { dlpack::Device(backend.dlpack_device()); })
    return dlpack::Device(backend.dlpack_device());
  else if constexpr (detail::HasDeviceRuntime<B>)
    return dlpack::Device{detail::is_hip<B> ? dlpack::DeviceType::rocm : dlpack::DeviceType::cuda, backend.device()};
  else if constexpr (backend_runs_on_host<B>)
    return dlpack::Device{dlpack::DeviceType::cpu, 0};
  else
    return failure(ErrorKind::unsupported, "DLPack: it is not known which of its devices the backend '" +
                                               std::string(backend.name()) + "' is; give it a member dlpack_device()");
}

/// Whether work on a backend may read memory that lies there. The host reads pinned and managed memory as well; a GPU
/// that, and its own, not that of its neighbors: peer access is the caller's to arrange, and to say by a backend on
/// that device. Errors: `unsupported`, with what was given and expected.
template <class B>
[[nodiscard]] Result<void> expect_dlpack_device(const B& backend, const dlpack::Device& device) {
  using enum dlpack::DeviceType;
  const auto own = dlpack_device(backend);
  if (!own) return own.propagate();
  const dlpack::DeviceType given = device.device_type;
  bool readable = device == own.value();
  std::string readers = name_of(own.value());
  if (own.value().device_type == cpu) {
    readable = given == cpu || given == cuda_host || given == rocm_host || given == cuda_managed;
    readers = "kDLCPU, kDLCUDAHost, kDLROCMHost and kDLCUDAManaged";
  } else if (own.value().device_type == cuda) {
    readable = readable || given == cuda_host || given == cuda_managed;
    readers += ", kDLCUDAHost and kDLCUDAManaged";
  } else if (own.value().device_type == rocm) {
    readable = readable || given == rocm_host;
    readers += " and kDLROCMHost";
  }
  if (readable) return {};
  return failure(ErrorKind::unsupported, "DLPack: the tensor lies on " + name_of(device) + ", and the backend '" +
                                             std::string(backend.name()) + "' reads " + readers +
                                             "; open a backend on the tensor's device, or move the tensor");
}

namespace detail {

/// Whether memory lies where its tensor says. Asks the runtime, O(1); other backends have nobody to ask.
template <class B>
[[nodiscard]] Result<void> expect_residence([[maybe_unused]] const B& backend,
                                            [[maybe_unused]] const dlpack::Device& device,
                                            [[maybe_unused]] const void* memory) {
  if constexpr (HasDeviceRuntime<B>) {
    using Runtime = DeviceRuntimeOf<B>;
    if (memory == nullptr ||
        (device.device_type != dlpack::DeviceType::cuda && device.device_type != dlpack::DeviceType::rocm))
      return {};
    int found = -1;
    if (auto told = device_result<Runtime>("asking where a DLPack tensor lies", device.device_id,
                                           Runtime::device_of(memory, &found));
        !told)
      return told;
    if (found != device.device_id)
      return failure(ErrorKind::invalid, "DLPack: the tensor says that it lies on " + name_of(device) + ", and " +
                                             Runtime::name + " finds its memory on " +
                                             (found < 0 ? std::string("the host") : "device " + std::to_string(found)) +
                                             "; its producer is at fault");
  }
  return {};
}

}  // namespace detail

}  // namespace assay::inline v0
