#pragma once

#include "assay/gpgpu/webgpu/webgpu_kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/gpgpu/detail/problem_names.hpp"
#include "assay/gpgpu/webgpu/webgpu_buffers.hpp"
#include "assay/gpgpu/webgpu/webgpu_device.hpp"

namespace assay::inline v0 {

namespace detail {

/// One launch of a kernel in WGSL.
class WebGpuLaunch {
 public:
  WebGpuLaunch(WebGpuDevice& device, const PluginRequest& request)
      : device_(device),
        request_(request),
        plan_(plan_staging(request, device.description().alignment)),
        names_(request) {
    const WebGpuDescription& told = device.description();
    const auto set = [&](const char* name, std::size_t value) {
      names_.set(std::string("device.") + name, ExpressionValue::of(static_cast<std::int64_t>(value)));
    };
    set("fp16", told.fp16 ? 1 : 0);
    set("subgroups", told.subgroups ? 1 : 0);
    set("local_memory", told.shared_memory);
    set("group_size", told.max_group_items);
    set("groups", told.max_groups);
    for (std::size_t i = 0; i < request.tensors.size(); ++i)
      names_.set(request.tensors[i].name + ".offset",
                 ExpressionValue::of(remainder(i) / request.tensors[i].format.bytes));
  }

  [[nodiscard]] Result<void> run(const KernelFile& file, std::map<std::string, std::string>& sources) {
    const auto found = kernel_for(file, request_, names_.names());
    if (!found) return found.propagate();
    const DescribedKernel& described = *found.value();
    const auto& told = device_.description();
    const auto started = groups_of(described, names_.names(), {told.max_groups, told.max_groups, told.max_groups});
    if (!started) return started.propagate();
    const auto& groups = started.value();
    if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0) return {};  // nothing to compute
    auto buffers = WebGpuBuffers::create(device_, plan_);
    if (!buffers) return buffers.propagate();
    if (auto given = gather(described, buffers.value()); !given) return given;
    if (auto fits = check_limits(); !fits) return fits;
    const auto source = source_of(described, sources, "a kernel in WGSL");
    if (!source) return source.propagate();
    const auto pipeline =
        device_.pipeline(described.file.string(), *source.value(), described.entry, written_, scalars_.size());
    if (!pipeline) return pipeline.propagate();
    if (auto ran = device_.run(pipeline.value(), bindings_, scalars_, groups.data()); !ran) return ran;
    return buffers.value().fetch();
  }

 private:
  /// Bytes by which an operand begins behind where a binding may begin.
  [[nodiscard]] std::int64_t remainder(std::size_t tensor) const {
    return static_cast<std::int64_t>(plan_.places[tensor].offset % device_.description().alignment);
  }
  [[nodiscard]] Result<void> gather(const DescribedKernel& described, WebGpuBuffers& buffers) {
    std::map<std::size_t, std::string> owner_of_block, writer_of_block;
    for (const KernelArgument& argument : described.arguments) {
      if (argument.kind == KernelArgument::Kind::scalar) {
        const auto bytes = scalar_bytes(argument, names_.names());
        if (!bytes) return bytes.propagate();
        scalars_.insert(scalars_.end(), bytes.value().begin(), bytes.value().end());
        continue;
      }
      const auto tensor = operand_named(request_, argument);
      if (!tensor) return tensor.propagate();
      const bool written = request_.tensors[tensor.value()].role != OperandRole::input;
      written_.push_back(written);
      const StagedPlace& place = plan_.places[tensor.value()];
      if (!place.present) {
        const auto nothing = buffers.nothing();
        if (!nothing) return nothing.propagate();
        bindings_.push_back(nothing.value());
        continue;
      }
      const std::string* const writer = writer_of_block.count(place.block) > 0 ? &writer_of_block[place.block]
                                        : written && owner_of_block.count(place.block) > 0
                                            ? &owner_of_block[place.block]
                                            : nullptr;
      if (writer != nullptr)
        return failure(
            ErrorKind::unsupported,
            argument.name + " and " + *writer + " overlap, and WebGPU lets no kernel write what another binding has");
      owner_of_block[place.block] = argument.name;
      if (written) writer_of_block[place.block] = argument.name;
      const std::int64_t behind = remainder(tensor.value());
      if (auto used = check_offset_is_used(described, argument, behind, device_.description().alignment); !used)
        return used;
      bindings_.push_back(buffers.from(place.block, place.offset - static_cast<std::size_t>(behind)));
    }
    if (!scalars_.empty()) scalars_.resize((scalars_.size() + 15) / 16 * 16);  // as a uniform buffer's size is
    return {};
  }
  [[nodiscard]] Result<void> check_limits() const {
    const WebGpuDescription& told = device_.description();
    if (bindings_.size() > told.max_storage_buffers)
      return failure(ErrorKind::unsupported, std::to_string(bindings_.size()) +
                                                 " operands are given, and the device has storage buffers for " +
                                                 std::to_string(told.max_storage_buffers));
    if (scalars_.size() > told.max_uniform)
      return failure(ErrorKind::unsupported, "the scalars take " + std::to_string(scalars_.size()) +
                                                 " bytes of a uniform buffer, and the device has " +
                                                 std::to_string(told.max_uniform));
    return {};
  }

  WebGpuDevice& device_;
  const PluginRequest& request_;
  StagingPlan plan_;
  ProblemNames names_;
  std::vector<WebGpuBinding> bindings_;
  std::vector<bool> written_;
  std::vector<unsigned char> scalars_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<PluginFunction> webgpu_functions(KernelFile file) {
  const auto kept = std::make_shared<const KernelFile>(std::move(file));
  const auto sources = std::make_shared<std::map<std::string, std::string>>();
  return detail::functions_of(*kept, [kept, sources](const PluginRequest& request) -> Result<void> {
    const auto device = WebGpuDevice::shared();
    if (!device) return device.propagate();
    return detail::WebGpuLaunch(*device.value(), request).run(*kept, *sources);
  });
}

}  // namespace assay::inline v0
