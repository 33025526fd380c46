#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/gpgpu/detail/vulkan_interface.hpp"
#include "assay/plugin/staging_plan.hpp"

namespace assay::inline v0 {

/// What a device of Vulkan says of itself.
struct VulkanDescription {
  std::string name, kind, version, driver;  ///< "llvmpipe (…)", "cpu", "1.3.230", the driver's number
  bool fp16 = false;                        ///< shaderFloat16: computes with such numbers
  bool fp64 = false;                        ///< shaderFloat64
  bool int8 = false;                        ///< shaderInt8
  bool int16 = false;                       ///< shaderInt16
  bool int64 = false;                       ///< shaderInt64
  std::size_t max_binding = 0, memory_bytes = 0, shared_memory = 0;  ///< in bytes
  std::size_t max_push_bytes = 0;                                    ///< of push constants
  std::size_t max_group_items = 0;                                   ///< invocations of a group
  std::size_t max_groups[3] = {};                                    ///< of a launch, a dimension
  std::size_t alignment = 64;  ///< in bytes, of where a binding may begin in a buffer; 64 or more
};

/// All devices of Vulkan 1.2 with a queue for computing, of all drivers of the loader, which is opened by dlopen:
/// libvulkan.so.1, or what the environment variable ASSAY_VULKAN names. Only for processes that were executed for it
/// and have not forked: drivers hang otherwise.
///
/// Errors: `unsupported`, with what to install, where there is no loader, no driver or no device.
[[nodiscard]] Result<std::vector<VulkanDescription>> vulkan_devices();

/// A shader with its layout: as many storage buffers as bindings of set 0, and push constants.
struct VulkanPipeline {
  detail::vulkan::Handle pipeline = 0;  ///< the shader
  detail::vulkan::Handle layout = 0;    ///< of bindings and push constants
  detail::vulkan::Handle set = 0;       ///< the bindings, of one launch at a time
};

/// A device with a queue, and the pipelines that were made for it. Not for several threads at once.
class VulkanDevice {
 public:
  /// The first GPU, else the first device; or that of which ASSAY_VULKAN_DEVICE is a part of the name. Opened once a
  /// process, and never closed: drivers' threads do not survive that everywhere.
  ///
  /// Errors: those of `vulkan_devices`; `device` where the driver fails.
  [[nodiscard]] static Result<VulkanDevice*> shared();

  /// What the device says of itself.
  [[nodiscard]] const VulkanDescription& description() const noexcept { return description_; }

  /// A compute shader in SPIR-V as a pipeline, made once. `file` names it in messages. Errors: `malformed` for what is
  /// no SPIR-V; `device` where the driver refuses it.
  [[nodiscard]] Result<VulkanPipeline> pipeline(const std::string& file, const std::string& code,
                                                const std::string& entry, std::size_t bindings, std::size_t push_bytes);

  /// Runs a pipeline on parts of buffers and waits for it, at most a minute. Errors: `device`, `timed_out`,
  /// `out_of_memory`.
  [[nodiscard]] Result<void> run(const VulkanPipeline& pipeline,
                                 const std::vector<detail::vulkan::BufferRange>& bindings,
                                 const std::vector<unsigned char>& push, const std::uint32_t groups[3]);

  /// Those of the instance.
  [[nodiscard]] const detail::vulkan::Functions& functions() const noexcept { return functions_; }
  /// The logical one.
  [[nodiscard]] detail::vulkan::Device device() const noexcept { return device_; }
  /// The kind of memory that the host can map and sees without flushing, of those in the bits of `types`; none: −1.
  [[nodiscard]] int mapped_memory_type(std::uint32_t types) const;
  /// What a result means, as an error; `out_of_memory` for those that tell so.
  [[nodiscard]] static Failure failed(const std::string& call, detail::vulkan::Code code);

 private:
  VulkanDevice() = default;
  [[nodiscard]] static Result<VulkanDevice*> open();

  detail::vulkan::Functions functions_;
  detail::vulkan::Device device_ = nullptr;
  detail::vulkan::Queue queue_ = nullptr;
  detail::vulkan::CommandBuffer commands_ = nullptr;
  detail::vulkan::MemoryProperties memory_{};
  VulkanDescription description_;
  bool hangs_ = false;
  std::map<std::pair<std::string, std::string>, VulkanPipeline> pipelines_;
};

/// Buffers that the host has mapped and that hold what a launch works on, guards included, from `create` until they
/// end.
class VulkanBuffers {
 public:
  /// Copies the blocks of the plan. Errors: `out_of_memory`, `device`, `unsupported`.
  [[nodiscard]] static Result<VulkanBuffers> create(VulkanDevice& device, const StagingPlan& plan);
  /// The other one has no buffers then.
  VulkanBuffers(VulkanBuffers&& other) noexcept
      : device_(other.device_), plan_(std::move(other.plan_)), blocks_(std::exchange(other.blocks_, {})) {}
  VulkanBuffers& operator=(VulkanBuffers&&) = delete;
  ~VulkanBuffers();

  /// A block's buffer from a byte on, to its end.
  [[nodiscard]] detail::vulkan::BufferRange from(std::size_t block, std::size_t origin) const {
    return {blocks_[block].buffer, origin, blocks_[block].bytes - origin};
  }
  /// A buffer that nothing is in: for operands that a problem does without.
  [[nodiscard]] detail::vulkan::BufferRange nothing() const { return from(blocks_.size() - 1, 0); }
  /// Copies everything back to where it came from.
  void fetch() const;

 private:
  struct Block {
    detail::vulkan::Handle buffer = 0, memory = 0;
    std::size_t bytes = 0;
    unsigned char* mapped = nullptr;
  };

  VulkanBuffers(VulkanDevice& device, StagingPlan plan) : device_(&device), plan_(std::move(plan)) {}
  [[nodiscard]] Result<void> add(std::size_t bytes);

  VulkanDevice* device_;
  StagingPlan plan_;
  std::vector<Block> blocks_;  ///< those of the plan, and one of 64 bytes
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/vulkan/vulkan_device.ipp"
#endif
