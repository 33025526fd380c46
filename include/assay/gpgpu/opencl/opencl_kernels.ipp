#pragma once

#include "assay/gpgpu/opencl/opencl_kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/gpgpu/detail/problem_names.hpp"
#include "assay/gpgpu/opencl/opencl_device.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void tell_of_device(ProblemNames& names, const OpenClDescription& told) {
  const auto set = [&](const char* name, std::size_t value) {
    names.set(std::string("device.") + name, ExpressionValue::of(static_cast<std::int64_t>(value)));
  };
  set("fp16", told.fp16 ? 1 : 0);
  set("fp64", told.fp64 ? 1 : 0);
  set("subgroups", told.subgroups ? 1 : 0);
  set("local_memory", told.local_memory);
  set("group_size", told.max_group_size);
  set("compute_units", told.compute_units);
}

/// One launch of a kernel in OpenCL C.
class OpenClLaunch {
 public:
  OpenClLaunch(OpenClDevice& device, const PluginRequest& request)
      : device_(device),
        request_(request),
        plan_(plan_staging(request, device.description().alignment)),
        names_(request) {
    tell_of_device(names_, device.description());
  }

  [[nodiscard]] Result<void> run(const KernelFile& file, std::map<std::string, std::string>& sources) {
    for (std::size_t i = 0; i < request_.tensors.size(); ++i)
      names_.set(request_.tensors[i].name + ".offset",
                 ExpressionValue::of(remainder(i) / request_.tensors[i].format.bytes));
    const auto found = kernel_for(file, request_, names_.names());
    if (!found) return found.propagate();
    const DescribedKernel& described = *found.value();
    if (auto sized = find_sizes(described); !sized) return sized;
    for (const std::size_t size : global_)
      if (size == 0) return {};  // nothing to compute
    const auto source = source_of(described, sources, "a kernel's source");
    if (!source) return source.propagate();
    const auto kernel = device_.kernel(described.file.string(), *source.value(), described.options, described.entry);
    if (!kernel) return kernel.propagate();
    auto buffers = OpenClBuffers::create(device_, plan_);
    if (!buffers) return buffers.propagate();
    for (std::size_t i = 0; i < described.arguments.size(); ++i)
      if (auto given = give(described, kernel.value(), i, buffers.value()); !given) return given;
    opencl::Event event = nullptr;
    const opencl::Int status = device_.functions().clEnqueueNDRangeKernel(
        device_.queue(), kernel.value(), static_cast<opencl::Uint>(global_.size()), nullptr, global_.data(),
        local_.empty() ? nullptr : local_.data(), 0, nullptr, &event);
    if (status != opencl::success) return OpenClDevice::failed("clEnqueueNDRangeKernel of " + described.entry, status);
    if (auto done = device_.wait(event); !done) return done;
    if (auto clean = device_.findings(described.file.filename().string(), described.entry); !clean) return clean;
    return buffers.value().fetch();
  }

 private:
  /// Bytes by which an operand begins behind what a kernel can be given as a beginning.
  [[nodiscard]] std::int64_t remainder(std::size_t tensor) const {
    return static_cast<std::int64_t>(plan_.places[tensor].offset % device_.description().alignment);
  }
  [[nodiscard]] Result<void> find_sizes(const DescribedKernel& described) {
    for (const PlacedExpression& size : described.global) {
      const auto value = size.integer(names_.names(), 0);
      if (!value) return value.propagate();
      global_.push_back(static_cast<std::size_t>(value.value()));
    }
    std::size_t items = 1;
    for (std::size_t d = 0; d < described.local.size(); ++d) {
      const auto value = described.local[d].integer(names_.names(), 1);
      if (!value) return value.propagate();
      local_.push_back(static_cast<std::size_t>(value.value()));
      if (local_[d] > SIZE_MAX / items)
        return failure(ErrorKind::invalid, described.local[d].place.text() + ": too large a group");
      items *= local_[d];
      if (global_[d] % local_[d] != 0)
        return failure(ErrorKind::invalid,
                       described.global[d].place.text() + ": '" + described.global[d].expression.text() + "' is " +
                           std::to_string(global_[d]) + ", no multiple of the group's " + std::to_string(local_[d]));
    }
    if (items > device_.description().max_group_size)
      return failure(ErrorKind::unsupported, "a group of " + std::to_string(items) +
                                                 " work items is asked for, and the device has " +
                                                 std::to_string(device_.description().max_group_size));
    return {};
  }
  [[nodiscard]] Result<void> give(const DescribedKernel& described, opencl::Kernel kernel, std::size_t position,
                                  OpenClBuffers& buffers) {
    const KernelArgument& argument = described.arguments[position];
    const auto set = [&](std::size_t bytes, const void* value) -> Result<void> {
      const opencl::Int status =
          device_.functions().clSetKernelArg(kernel, static_cast<opencl::Uint>(position), bytes, value);
      if (status == opencl::success) return {};
      return failure(ErrorKind::invalid, argument.place.text() + ": argument " + std::to_string(position) + " of " +
                                             described.entry + " is refused (clSetKernelArg gave " +
                                             std::to_string(status) + ")");
    };
    if (argument.kind == KernelArgument::Kind::scalar) {
      const auto bytes = scalar_bytes(argument, names_.names());
      if (!bytes) return bytes.propagate();
      return set(bytes.value().size(), bytes.value().data());
    }
    if (argument.kind != KernelArgument::Kind::operand) {
      const auto bytes = argument.value.integer(names_.names(), 1);
      if (!bytes) return bytes.propagate();
      if (argument.kind == KernelArgument::Kind::local) return set(static_cast<std::size_t>(bytes.value()), nullptr);
      const auto scratch = buffers.scratch(static_cast<std::size_t>(bytes.value()));
      if (!scratch) return scratch.propagate();
      return set(sizeof(opencl::Memory), &scratch.value());
    }
    const auto tensor = operand_named(request_, argument);
    if (!tensor) return tensor.propagate();
    const StagedPlace& place = plan_.places[tensor.value()];
    const opencl::Memory none = nullptr;
    if (!place.present) return set(sizeof none, &none);
    const std::int64_t behind = remainder(tensor.value());
    if (auto used = check_offset_is_used(described, argument, behind, device_.description().alignment); !used)
      return used;
    const auto memory = buffers.from(place.block, place.offset - static_cast<std::size_t>(behind));
    if (!memory) return memory.propagate();
    return set(sizeof(opencl::Memory), &memory.value());
  }

  OpenClDevice& device_;
  const PluginRequest& request_;
  StagingPlan plan_;
  ProblemNames names_;
  std::vector<std::size_t> global_, local_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<PluginFunction> opencl_functions(KernelFile file) {
  const auto kept = std::make_shared<const KernelFile>(std::move(file));
  const auto sources = std::make_shared<std::map<std::string, std::string>>();
  return detail::functions_of(*kept, [kept, sources](const PluginRequest& request) -> Result<void> {
    const auto device = OpenClDevice::shared();
    if (!device) return device.propagate();
    return detail::OpenClLaunch(*device.value(), request).run(*kept, *sources);
  });
}

}  // namespace assay::inline v0
