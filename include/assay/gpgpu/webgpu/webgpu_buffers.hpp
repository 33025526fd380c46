#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/gpgpu/webgpu/webgpu_device.hpp"
#include "assay/plugin/staging_plan.hpp"

namespace assay::inline v0 {

/// Buffers of a device that hold what a launch works on, guards included, from `create` until they end.
class WebGpuBuffers {
 public:
  /// Copies the blocks of the plan to the device. Errors: `out_of_memory`, `device`, `unsupported`.
  [[nodiscard]] static Result<WebGpuBuffers> create(WebGpuDevice& device, const StagingPlan& plan);
  /// The other one has no buffers then.
  WebGpuBuffers(WebGpuBuffers&& other) noexcept
      : device_(other.device_), plan_(std::move(other.plan_)), blocks_(std::exchange(other.blocks_, {})) {}
  WebGpuBuffers& operator=(WebGpuBuffers&&) = delete;
  ~WebGpuBuffers();

  /// A block's buffer from a byte on, to its end.
  [[nodiscard]] WebGpuBinding from(std::size_t block, std::size_t origin) const;
  /// A buffer of its own that nothing is in: for an operand that a problem does without. Errors: as `create`.
  [[nodiscard]] Result<WebGpuBinding> nothing();
  /// Copies everything back to where it came from. Errors: `device`, `out_of_memory`.
  [[nodiscard]] Result<void> fetch() const;

 private:
  struct Block {
    detail::webgpu::Buffer buffer = nullptr;
    std::size_t bytes = 0;
  };

  WebGpuBuffers(WebGpuDevice& device, StagingPlan plan) : device_(&device), plan_(std::move(plan)) {}
  [[nodiscard]] Result<void> add(const std::vector<unsigned char>& content);

  WebGpuDevice* device_;
  StagingPlan plan_;
  std::vector<Block> blocks_;  ///< those of the plan, and then empty ones
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/webgpu/webgpu_buffers.ipp"
#endif
