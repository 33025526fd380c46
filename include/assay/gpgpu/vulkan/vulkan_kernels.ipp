#pragma once

#include "assay/gpgpu/vulkan/vulkan_kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/gpgpu/detail/problem_names.hpp"
#include "assay/gpgpu/vulkan/vulkan_device.hpp"

namespace assay::inline v0 {

namespace detail {

/// One launch of a compute shader.
class VulkanLaunch {
 public:
  VulkanLaunch(VulkanDevice& device, const PluginRequest& request)
      : device_(device),
        request_(request),
        plan_(plan_staging(request, device.description().alignment)),
        names_(request) {
    const VulkanDescription& told = device.description();
    const auto set = [&](const char* name, std::size_t value) {
      names_.set(std::string("device.") + name, ExpressionValue::of(static_cast<std::int64_t>(value)));
    };
    set("fp16", told.fp16 ? 1 : 0);
    set("fp64", told.fp64 ? 1 : 0);
    set("int8", told.int8 ? 1 : 0);
    set("int16", told.int16 ? 1 : 0);
    set("int64", told.int64 ? 1 : 0);
    set("local_memory", told.shared_memory);
    set("group_size", told.max_group_items);
    for (std::size_t i = 0; i < request.tensors.size(); ++i)
      names_.set(request.tensors[i].name + ".offset",
                 ExpressionValue::of(remainder(i) / request.tensors[i].format.bytes));
  }

  [[nodiscard]] Result<void> run(const KernelFile& file, std::map<std::string, std::string>& sources) {
    const auto found = kernel_for(file, request_, names_.names());
    if (!found) return found.propagate();
    const DescribedKernel& described = *found.value();
    const auto& told = device_.description();
    const auto started =
        groups_of(described, names_.names(), {told.max_groups[0], told.max_groups[1], told.max_groups[2]});
    if (!started) return started.propagate();
    const auto& groups = started.value();
    if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0) return {};  // nothing to compute
    auto buffers = VulkanBuffers::create(device_, plan_);
    if (!buffers) return buffers.propagate();
    if (auto given = gather(described, buffers.value()); !given) return given;
    const auto source = source_of(described, sources, "a shader in SPIR-V");
    if (!source) return source.propagate();
    const auto pipeline =
        device_.pipeline(described.file.string(), *source.value(), described.entry, bindings_.size(), push_.size());
    if (!pipeline) return pipeline.propagate();
    if (auto ran = device_.run(pipeline.value(), bindings_, push_, groups.data()); !ran) return ran;
    buffers.value().fetch();
    return {};
  }

 private:
  /// Bytes by which an operand begins behind where a binding may begin.
  [[nodiscard]] std::int64_t remainder(std::size_t tensor) const {
    return static_cast<std::int64_t>(plan_.places[tensor].offset % device_.description().alignment);
  }
  [[nodiscard]] Result<void> gather(const DescribedKernel& described, const VulkanBuffers& buffers) {
    for (const KernelArgument& argument : described.arguments) {
      if (argument.kind == KernelArgument::Kind::scalar) {
        const auto bytes = scalar_bytes(argument, names_.names());
        if (!bytes) return bytes.propagate();
        const std::size_t size = bytes.value().size();
        push_.resize((push_.size() + size - 1) / size * size);
        push_.insert(push_.end(), bytes.value().begin(), bytes.value().end());
        continue;
      }
      const auto tensor = operand_named(request_, argument);
      if (!tensor) return tensor.propagate();
      const StagedPlace& place = plan_.places[tensor.value()];
      if (!place.present) {
        bindings_.push_back(buffers.nothing());
        continue;
      }
      const std::int64_t behind = remainder(tensor.value());
      if (auto used = check_offset_is_used(described, argument, behind, device_.description().alignment); !used)
        return used;
      bindings_.push_back(buffers.from(place.block, place.offset - static_cast<std::size_t>(behind)));
    }
    push_.resize((push_.size() + 3) / 4 * 4);
    return {};
  }

  VulkanDevice& device_;
  const PluginRequest& request_;
  StagingPlan plan_;
  ProblemNames names_;
  std::vector<vulkan::BufferRange> bindings_;
  std::vector<unsigned char> push_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<PluginFunction> vulkan_functions(KernelFile file) {
  const auto kept = std::make_shared<const KernelFile>(std::move(file));
  const auto sources = std::make_shared<std::map<std::string, std::string>>();
  return detail::functions_of(*kept, [kept, sources](const PluginRequest& request) -> Result<void> {
    const auto device = VulkanDevice::shared();
    if (!device) return device.propagate();
    return detail::VulkanLaunch(*device.value(), request).run(*kept, *sources);
  });
}

}  // namespace assay::inline v0
