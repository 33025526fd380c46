#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/gpgpu/detail/opencl_interface.hpp"
#include "assay/gpgpu/opencl/oclgrind.hpp"
#include "assay/plugin/staging_plan.hpp"

namespace assay::inline v0 {

/// What a device of OpenCL says of itself.
struct OpenClDescription {
  std::string platform, name, kind;   ///< "Portable Computing Language", "pthread-…", "cpu"
  std::string version, driver;        ///< "OpenCL 3.0 …", "3.1"
  bool fp16 = false;                  ///< cl_khr_fp16
  bool fp64 = false;                  ///< cl_khr_fp64
  bool subgroups = false;             ///< cl_khr_subgroups
  bool integer_dot_products = false;  ///< cl_khr_integer_dot_product
  bool unified_memory = false;        ///< it has the host's
  std::size_t max_allocation = 0, memory_bytes = 0, local_memory = 0;  ///< in bytes
  std::size_t max_group_size = 0;                                      ///< work items
  std::size_t compute_units = 0;                                       ///< that work at the same time
  std::size_t alignment = 128;  ///< in bytes, of what a kernel may be given as the beginning of a buffer
};

/// All devices of all platforms of the loader, which is opened by dlopen: libOpenCL.so.1, or what the environment
/// variable ASSAY_OPENCL names; Oclgrind's simulator where `oclgrind_is_wanted`. Only for processes that were executed
/// for it and have not forked: drivers hang otherwise.
///
/// Errors: `unsupported`, with what to install, where there is no loader, no platform or no device.
[[nodiscard]] Result<std::vector<OpenClDescription>> opencl_devices();

/// A device with a context and a queue, and the programs that were built for it. Not for several threads at once.
class OpenClDevice {
 public:
  /// The first GPU or accelerator, else the first device; or that of which ASSAY_OPENCL_DEVICE is a part of "platform:
  /// name". Opened once a process, and never closed: drivers' threads do not survive that everywhere.
  ///
  /// Errors: those of `opencl_devices`; `device` where the driver fails.
  [[nodiscard]] static Result<OpenClDevice*> shared();

  /// What the device says of itself.
  [[nodiscard]] const OpenClDescription& description() const noexcept { return description_; }

  /// A kernel of a program in OpenCL C, built once. `file` names it in messages. Errors: `device`, with the compiler's
  /// log; `not_found` for an entry point that it does not have.
  [[nodiscard]] Result<detail::opencl::Kernel> kernel(const std::string& file, const std::string& source,
                                                      const std::string& options, const std::string& entry);

  /// Those of the loader.
  [[nodiscard]] const detail::opencl::Functions& functions() const noexcept { return functions_; }
  /// Of the device alone.
  [[nodiscard]] detail::opencl::Context context() const noexcept { return context_; }
  /// In order.
  [[nodiscard]] detail::opencl::Queue& queue() noexcept { return queue_; }
  /// What a status means, as an error; `out_of_memory` for those that tell so.
  [[nodiscard]] static Failure failed(const std::string& call, detail::opencl::Int status);
  /// Waits for an event, or for the queue where there is none, and releases it. Errors: `device`.
  [[nodiscard]] Result<void> wait(detail::opencl::Event event);
  /// What a simulator has found in a kernel of a file since it was asked last. Errors: `device`.
  [[nodiscard]] Result<void> findings(const std::string& file, const std::string& kernel) {
    return oclgrind_.check(file, kernel);
  }

 private:
  OpenClDevice() = default;
  [[nodiscard]] static Result<OpenClDevice*> open();

  detail::opencl::Functions functions_;
  detail::opencl::Device device_ = nullptr;
  detail::opencl::Context context_ = nullptr;
  detail::opencl::Queue queue_ = nullptr;
  OpenClDescription description_;
  OclgrindLog oclgrind_;
  std::map<std::string, detail::opencl::Program> programs_;
  std::map<std::pair<std::string, std::string>, detail::opencl::Kernel> kernels_;
};

/// Buffers of a device that hold what a launch works on, guards included, from `create` until they end.
class OpenClBuffers {
 public:
  /// Copies the blocks of the plan to the device. Errors: `out_of_memory`, `device`.
  [[nodiscard]] static Result<OpenClBuffers> create(OpenClDevice& device, const StagingPlan& plan);
  /// The other one has no buffers then.
  OpenClBuffers(OpenClBuffers&& other) noexcept
      : device_(other.device_), plan_(std::move(other.plan_)), memories_(std::exchange(other.memories_, {})) {}
  OpenClBuffers& operator=(OpenClBuffers&&) = delete;
  ~OpenClBuffers();

  /// The buffer of a block.
  [[nodiscard]] detail::opencl::Memory block(std::size_t i) const { return memories_[i]; }
  /// The part of a block's buffer from a byte on, which is at a boundary of the device's alignment. Errors: `device`.
  [[nodiscard]] Result<detail::opencl::Memory> from(std::size_t block, std::size_t origin);
  /// `bytes` of any content, for a launch. Errors: `out_of_memory`, `device`.
  [[nodiscard]] Result<detail::opencl::Memory> scratch(std::size_t bytes);
  /// Copies everything back to where it came from. Errors: `device`.
  [[nodiscard]] Result<void> fetch();

 private:
  OpenClBuffers(OpenClDevice& device, StagingPlan plan) : device_(&device), plan_(std::move(plan)) {}

  OpenClDevice* device_;
  StagingPlan plan_;
  std::vector<detail::opencl::Memory> memories_;  ///< of blocks, and then what was made of them
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/opencl/opencl_device.ipp"
#endif
