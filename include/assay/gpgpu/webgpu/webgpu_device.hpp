#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/gpgpu/detail/webgpu_interface.hpp"

namespace assay::inline v0 {

/// What an adapter of WebGPU says of itself.
struct WebGpuDescription {
  std::string name, driver, kind;  ///< "llvmpipe (…)", "Mesa 22.3.6 (…)", "cpu"
  std::string interface;           ///< by which it is reached: "vulkan", "metal", "d3d12"
  std::string version;             ///< of wgpu-native: "29.0.0.0"
  bool fp16 = false;               ///< shader-f16: `enable f16;`
  bool subgroups = false;          ///< subgroups: `enable subgroups;`
  std::size_t max_binding = 0, max_uniform = 0, shared_memory = 0;  ///< in bytes
  std::size_t max_storage_buffers = 0;                              ///< of a kernel
  std::size_t max_group_items = 0;                                  ///< invocations of a workgroup
  std::size_t max_groups = 0;                                       ///< of a launch, in each dimension
  std::size_t alignment = 256;  ///< in bytes, of where a binding may begin in a buffer; 64 or more
};

/// The file of wgpu-native: what the environment variable ASSAY_WEBGPU names (the file, or a folder that has it), else
/// that of the package wgpu of the Python environment of VIRTUAL_ENV, the user or the system. Errors: `unsupported`,
/// with what to install.
[[nodiscard]] Result<std::string> find_webgpu();

/// All adapters that wgpu-native, opened by dlopen, reaches by Vulkan, Metal or Direct3D 12. Only for processes that
/// were executed for it and have not forked: drivers hang otherwise.
///
/// Errors: those of `find_webgpu`; `unsupported` for another version than 29, whose structures these are not, and where
/// there is no adapter.
[[nodiscard]] Result<std::vector<WebGpuDescription>> webgpu_devices();

/// A kernel with its layouts: group 0 has storage buffers, group 1 the uniform buffer of the scalars.
struct WebGpuPipeline {
  detail::webgpu::Pipeline pipeline = nullptr;  ///< the kernel
  detail::webgpu::Layout buffers = nullptr;     ///< of group 0
  detail::webgpu::Layout scalars = nullptr;     ///< of group 1; none without scalars
};

/// A part of a buffer, as a kernel is given it.
struct WebGpuBinding {
  detail::webgpu::Buffer buffer = nullptr;  ///< the whole
  std::uint64_t offset = 0;                 ///< in bytes, a multiple of the device's alignment
  std::uint64_t bytes = 0;                  ///< a multiple of 4
};

/// A device with a queue, and the pipelines that were made for it. Not for several threads at once.
class WebGpuDevice {
 public:
  /// The first GPU, else the first adapter; or that of which ASSAY_WEBGPU_DEVICE is a part of the name. Opened once a
  /// process, and never closed: drivers' threads do not survive that everywhere.
  ///
  /// Errors: those of `webgpu_devices`; `device` where the driver fails.
  [[nodiscard]] static Result<WebGpuDevice*> shared();

  /// What the adapter says of itself.
  [[nodiscard]] const WebGpuDescription& description() const noexcept { return description_; }

  /// A kernel in WGSL as a pipeline, made once for each list of bindings. `file` names it in messages; `written` tells
  /// of each storage buffer whether the kernel may write it. Errors: `device`, with file, line and column where the
  /// compiler names them.
  [[nodiscard]] Result<WebGpuPipeline> pipeline(const std::string& file, const std::string& source,
                                                const std::string& entry, const std::vector<bool>& written,
                                                std::size_t scalar_bytes);

  /// Enqueues a pipeline on parts of buffers, with the bytes of the uniform buffer. Errors: `device`, `out_of_memory`.
  [[nodiscard]] Result<void> run(const WebGpuPipeline& pipeline, const std::vector<WebGpuBinding>& bindings,
                                 const std::vector<unsigned char>& scalars, const std::uint32_t groups[3]);

  /// A buffer for a kernel that holds these bytes, as many as are a multiple of 4. Errors: `device`, `out_of_memory`.
  [[nodiscard]] Result<detail::webgpu::Buffer> buffer(const std::vector<unsigned char>& content,
                                                      detail::webgpu::Flags usage);
  /// What a buffer holds when all that was enqueued is done. Errors: `device`, `out_of_memory`.
  [[nodiscard]] Result<std::vector<unsigned char>> content(detail::webgpu::Buffer buffer, std::size_t bytes);

  /// Those of the library.
  [[nodiscard]] const detail::webgpu::Functions& functions() const noexcept { return functions_; }

 private:
  WebGpuDevice() = default;
  [[nodiscard]] static Result<WebGpuDevice*> open();
  /// What the device has complained of since it was asked last. Errors: `out_of_memory`, `device`.
  [[nodiscard]] Result<void> complaint(const std::string& what);

  detail::webgpu::Functions functions_;
  detail::webgpu::Device device_ = nullptr;
  detail::webgpu::Queue queue_ = nullptr;
  WebGpuDescription description_;
  std::string complaint_;
  bool complains_of_memory_ = false;
  std::map<std::pair<std::string, std::string>, WebGpuPipeline> pipelines_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/webgpu/webgpu_device.ipp"
#endif
