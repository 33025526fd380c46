#pragma once

#include "assay/gpgpu/webgpu/webgpu_device.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "assay/core/config.hpp"
#include "assay/frameworks/python_package_file.hpp"
#include "assay/gpgpu/detail/wgsl_message.hpp"

namespace assay::inline v0 {

namespace detail::webgpu {

/// The installation that `supported_version` comes with.
inline constexpr const char* package = "pip install wgpu==0.32.0";

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string text_of(const String& text) {
  if (text.data == nullptr) return {};
  return text.length == SIZE_MAX ? std::string(text.data) : std::string(text.data, text.length);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE String string_of(const std::string& text) {
  return {text.data(), text.size()};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string version_name(Word version) {
  std::string name = std::to_string(version >> 24);
  for (const int shift : {16, 8, 0}) name += "." + std::to_string(version >> shift & 0xFF);
  return name;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<Functions> load_functions() {
  const auto found = find_webgpu();
  if (!found) return found.propagate();
  const std::string& name = found.value();
  void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::unsupported,
                   "wgpu-native cannot be loaded (" + std::string(reason == nullptr ? name : reason) + ")");
  }
  Functions functions;
  const char* missing = nullptr;
#define ASSAY_DETAIL_WEBGPU_LOAD(Returned, function, Arguments)                                     \
  functions.function = reinterpret_cast<Returned(*) Arguments>(::dlsym(library, "wgpu" #function)); \
  if (functions.function == nullptr && missing == nullptr) missing = "wgpu" #function;
  ASSAY_DETAIL_WEBGPU_FUNCTIONS(ASSAY_DETAIL_WEBGPU_LOAD)
#undef ASSAY_DETAIL_WEBGPU_LOAD
  if (functions.GetVersion == nullptr)
    return failure(ErrorKind::unsupported, "'" + name + "' is no wgpu-native: it has no wgpuGetVersion");
  const Word version = functions.GetVersion();
  if (version >> 24 != supported_version || missing != nullptr)
    return failure(ErrorKind::unsupported, "'" + name + "' is wgpu-native " + version_name(version) +
                                               (missing == nullptr ? "" : " without " + std::string(missing)) +
                                               "; version " + std::to_string(supported_version) +
                                               " is needed: " + package);
  return functions;
}

struct FoundAdapter {
  Adapter adapter = nullptr;
  WebGpuDescription description = {};
  Limits limits = {};
  std::vector<Word> features = {};
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE FoundAdapter describe(const Functions& wgpu, Adapter adapter) {
  static constexpr const char* kinds[] = {"other", "gpu", "integrated gpu", "cpu", "other"};
  static constexpr const char* interfaces[] = {"other", "null",   "webgpu", "d3d11",   "d3d12",
                                               "metal", "vulkan", "opengl", "opengles"};
  FoundAdapter found;
  found.adapter = adapter;
  WebGpuDescription& told = found.description;
  AdapterInfo info;
  if (wgpu.AdapterGetInfo(adapter, &info) == succeeded) {
    told.name = text_of(info.device);
    told.driver = text_of(info.description);
    told.kind = kinds[info.kind < std::size(kinds) ? info.kind : 0];
    told.interface = interfaces[info.backend < std::size(interfaces) ? info.backend : 0];
  }
  told.version = version_name(wgpu.GetVersion());
  const auto has = [&](Word feature) { return wgpu.AdapterHasFeature(adapter, feature) != 0; };
  for (const Word feature : {feature_f16, feature_subgroups, native_feature_subgroups})
    if (has(feature)) found.features.push_back(feature);
  told.fp16 = has(feature_f16);
  told.subgroups = has(feature_subgroups) || has(native_feature_subgroups);
  Limits& limits = found.limits;
  if (wgpu.AdapterGetLimits(adapter, &limits) != succeeded) limits = {};
  limits.next = nullptr;
  limits.immediate_bytes = 0;  // which a feature would have to allow
  told.max_binding = static_cast<std::size_t>(std::min(limits.storage_binding_bytes, limits.buffer_bytes));
  told.max_uniform = static_cast<std::size_t>(limits.uniform_binding_bytes);
  told.shared_memory = limits.group_memory;
  told.max_storage_buffers = limits.storage_buffers;
  told.max_group_items = limits.group_items;
  told.max_groups = limits.groups;
  told.alignment = 64;
  while (told.alignment < limits.storage_alignment && told.alignment < 65536) told.alignment *= 2;
  return found;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::vector<FoundAdapter>> find_adapters(const Functions& wgpu) {
  ::setenv("NODEVICE_SELECT", "1", 0);  // a layer of Mesa's, which looks for a desktop and complains that there is none
  const InstanceExtras extras;
  InstanceInfo info;
  info.next = &extras;
  const Instance instance = wgpu.CreateInstance(&info);
  if (instance == nullptr) return failure(ErrorKind::device, "wgpuCreateInstance failed");
  const EnumerateOptions options;
  std::vector<Adapter> adapters(wgpu.InstanceEnumerateAdapters(instance, &options, nullptr));
  if (!adapters.empty()) adapters.resize(wgpu.InstanceEnumerateAdapters(instance, &options, adapters.data()));
  std::vector<FoundAdapter> found;
  for (const Adapter adapter : adapters) found.push_back(describe(wgpu, adapter));
  if (found.empty())
    return failure(ErrorKind::unsupported,
                   "WebGPU has no adapter here; install a driver of Vulkan: mesa-vulkan-drivers for a CPU (lavapipe), "
                   "or the vendor's of the device (VK_ICD_FILENAMES chooses)");
  return found;
}

}  // namespace detail::webgpu

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_webgpu() {
  auto found = find_python_package_file(
      {"ASSAY_WEBGPU", "libwgpu_native", "wgpu/resources",
       std::string("wgpu-native is not here: ") + detail::webgpu::package +
           " in an environment that is active, or set ASSAY_WEBGPU to libwgpu_native.so or the environment's folder"});
  if (found || found.error().kind == ErrorKind::unsupported) return found;
  return failure(ErrorKind::unsupported, found.error().message + " (" + detail::webgpu::package + ")");
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<WebGpuDescription>> webgpu_devices() {
  const auto functions = detail::webgpu::load_functions();
  if (!functions) return functions.propagate();
  const auto found = detail::webgpu::find_adapters(functions.value());
  if (!found) return found.propagate();
  std::vector<WebGpuDescription> all;
  for (const auto& adapter : found.value()) all.push_back(adapter.description);
  return all;
}

ASSAY_DETAIL_HEADER_INLINE Result<WebGpuDevice*> WebGpuDevice::shared() {
  static const Result<WebGpuDevice*> opened = open();
  return opened;
}

ASSAY_DETAIL_HEADER_INLINE Result<WebGpuDevice*> WebGpuDevice::open() {
  using namespace detail::webgpu;
  const auto functions = load_functions();
  if (!functions) return functions.propagate();
  const auto found = find_adapters(functions.value());
  if (!found) return found.propagate();
  const char* const wanted = std::getenv("ASSAY_WEBGPU_DEVICE");
  const bool named = wanted != nullptr && *wanted != '\0';
  const FoundAdapter* chosen = nullptr;
  std::string known;
  for (const FoundAdapter& each : found.value()) {
    const WebGpuDescription& told = each.description;
    known += (known.empty() ? "" : ", ") + told.name;
    const bool fits = named ? told.name.find(wanted) != std::string::npos : told.kind.find("gpu") != std::string::npos;
    if (fits && chosen == nullptr) chosen = &each;
  }
  if (chosen == nullptr && named)
    return failure(ErrorKind::unsupported, "ASSAY_WEBGPU_DEVICE is '" + std::string(wanted) +
                                               "', a part of the name of no adapter; there are " + known);
  if (chosen == nullptr) chosen = &found.value().front();

  auto* const made = new WebGpuDevice();  // for as long as the process lives
  made->functions_ = functions.value();
  made->description_ = chosen->description;
  DeviceInfo info;
  info.feature_count = chosen->features.size();
  info.features = chosen->features.data();
  info.limits = &chosen->limits;
  info.error.first = made;
  info.error.call = [](const Device*, Word kind, String message, void* device, void*) {
    auto* const self = static_cast<WebGpuDevice*>(device);
    if (!self->complaint_.empty()) return;  // what comes later follows from it
    self->complaint_ = text_of(message);
    if (self->complaint_.empty()) self->complaint_ = "an error of kind " + std::to_string(kind);
    self->complains_of_memory_ = kind == out_of_memory;
  };
  DeviceCallback opened;
  opened.first = made;
  opened.call = [](Word status, Device device, String message, void* into, void*) {
    auto* const self = static_cast<WebGpuDevice*>(into);
    if (status == succeeded)
      self->device_ = device;
    else
      self->complaint_ = text_of(message);
  };
  const WebGpuDescription& told = chosen->description;
  (void)made->functions_.AdapterRequestDevice(chosen->adapter, &info, opened);  // which calls back before it returns
  if (made->device_ == nullptr)
    return failure(ErrorKind::device, "wgpuAdapterRequestDevice of " + told.name + " failed: " + made->complaint_);
  made->queue_ = made->functions_.DeviceGetQueue(made->device_);
  if (auto fine = made->complaint("opening " + told.name); !fine) return fine.propagate();
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> WebGpuDevice::complaint(const std::string& what) {
  if (complaint_.empty()) return {};
  return failure(complains_of_memory_ ? ErrorKind::out_of_memory : ErrorKind::device,
                 detail::wgsl_message(what, std::exchange(complaint_, {})));
}

ASSAY_DETAIL_HEADER_INLINE Result<WebGpuPipeline> WebGpuDevice::pipeline(const std::string& file,
                                                                         const std::string& source,
                                                                         const std::string& entry,
                                                                         const std::vector<bool>& written,
                                                                         std::size_t scalar_bytes) {
  using namespace detail::webgpu;
  std::string key = entry + '\0' + (scalar_bytes > 0 ? "s" : "");
  for (const bool each : written) key += each ? 'w' : 'r';
  const auto known = pipelines_.find({file, key});
  if (known != pipelines_.end()) return known->second;
  WgslSource code;
  code.code = string_of(source);
  ModuleInfo module_info;
  module_info.next = &code;
  const Module module = functions_.DeviceCreateShaderModule(device_, &module_info);
  if (auto fine = complaint(file); !fine) return fine.propagate();
  std::vector<LayoutEntry> entries(written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    entries[i].binding = static_cast<Word>(i);
    entries[i].buffer.type = written[i] ? storage_binding : read_only_binding;
  }
  LayoutInfo layout;
  layout.count = entries.size();
  layout.entries = entries.data();
  WebGpuPipeline made;
  made.buffers = functions_.DeviceCreateBindGroupLayout(device_, &layout);
  LayoutEntry scalars;
  scalars.buffer.type = uniform_binding;
  layout.count = 1;
  layout.entries = &scalars;
  if (scalar_bytes > 0) made.scalars = functions_.DeviceCreateBindGroupLayout(device_, &layout);
  const Layout layouts[] = {made.buffers, made.scalars};
  PipelineLayoutInfo all;
  all.count = scalar_bytes > 0 ? 2 : 1;
  all.layouts = layouts;
  PipelineInfo info;
  info.layout = functions_.DeviceCreatePipelineLayout(device_, &all);
  if (auto fine = complaint(file); !fine) return fine.propagate();
  info.stage.module = module;
  info.stage.entry = string_of(entry);
  made.pipeline = functions_.DeviceCreateComputePipeline(device_, &info);
  if (auto fine = complaint(file); !fine) return fine.propagate();
  pipelines_[{file, key}] = made;
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> WebGpuDevice::run(const WebGpuPipeline& pipeline,
                                                          const std::vector<WebGpuBinding>& bindings,
                                                          const std::vector<unsigned char>& scalars,
                                                          const std::uint32_t groups[3]) {
  using namespace detail::webgpu;
  std::vector<GroupEntry> entries(bindings.size());
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    entries[i].binding = static_cast<Word>(i);
    entries[i].buffer = bindings[i].buffer;
    entries[i].offset = bindings[i].offset;
    entries[i].bytes = bindings[i].bytes;
  }
  GroupInfo info;
  info.layout = pipeline.buffers;
  info.count = entries.size();
  info.entries = entries.data();
  Group made[2] = {functions_.DeviceCreateBindGroup(device_, &info), nullptr};
  Buffer values = nullptr;
  if (pipeline.scalars != nullptr) {
    auto given = buffer(scalars, uniform | copy_target);
    if (!given) return given.propagate();
    values = given.value();
    GroupEntry entry;
    entry.buffer = values;
    entry.bytes = scalars.size();
    info.layout = pipeline.scalars;
    info.count = 1;
    info.entries = &entry;
    made[1] = functions_.DeviceCreateBindGroup(device_, &info);
  }
  if (auto fine = complaint("the bindings of a kernel"); !fine) return fine;
  const Encoder encoder = functions_.DeviceCreateCommandEncoder(device_, nullptr);
  const Pass pass = functions_.CommandEncoderBeginComputePass(encoder, nullptr);
  functions_.ComputePassEncoderSetPipeline(pass, pipeline.pipeline);
  for (Word i = 0; i < 2; ++i)
    if (made[i] != nullptr) functions_.ComputePassEncoderSetBindGroup(pass, i, made[i], 0, nullptr);
  functions_.ComputePassEncoderDispatchWorkgroups(pass, groups[0], groups[1], groups[2]);
  functions_.ComputePassEncoderEnd(pass);
  functions_.ComputePassEncoderRelease(pass);
  const Commands commands = functions_.CommandEncoderFinish(encoder, nullptr);
  functions_.CommandEncoderRelease(encoder);
  if (auto fine = complaint("the launch of a kernel"); !fine) return fine;
  functions_.QueueSubmit(queue_, 1, &commands);
  functions_.CommandBufferRelease(commands);
  for (const Group group : made)
    if (group != nullptr) functions_.BindGroupRelease(group);
  if (values != nullptr) functions_.BufferRelease(values);
  return complaint("a kernel");
}

ASSAY_DETAIL_HEADER_INLINE Result<detail::webgpu::Buffer> WebGpuDevice::buffer(
    const std::vector<unsigned char>& content, detail::webgpu::Flags usage) {
  using namespace detail::webgpu;
  BufferInfo info;
  info.bytes = content.size();
  info.usage = usage;
  const Buffer made = functions_.DeviceCreateBuffer(device_, &info);
  if (auto fine = complaint("a buffer of " + std::to_string(content.size()) + " bytes"); !fine) return fine.propagate();
  functions_.QueueWriteBuffer(queue_, made, 0, content.data(), content.size());
  if (auto fine = complaint("writing a buffer"); !fine) return fine.propagate();
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<unsigned char>> WebGpuDevice::content(detail::webgpu::Buffer buffer,
                                                                                    std::size_t bytes) {
  using namespace detail::webgpu;
  BufferInfo info;
  info.bytes = bytes;
  info.usage = map_read | copy_target;
  const Buffer readable = functions_.DeviceCreateBuffer(device_, &info);
  if (auto fine = complaint("a buffer of " + std::to_string(bytes) + " bytes"); !fine) return fine.propagate();
  const Encoder encoder = functions_.DeviceCreateCommandEncoder(device_, nullptr);
  functions_.CommandEncoderCopyBufferToBuffer(encoder, buffer, 0, readable, 0, bytes);
  const Commands commands = functions_.CommandEncoderFinish(encoder, nullptr);
  functions_.CommandEncoderRelease(encoder);
  if (auto fine = complaint("copying a buffer"); !fine) return fine.propagate();
  functions_.QueueSubmit(queue_, 1, &commands);
  functions_.CommandBufferRelease(commands);
  Word status = 0;
  MapCallback mapped;
  mapped.first = &status;
  mapped.call = [](Word told, String, void* into, void*) { *static_cast<Word*>(into) = told; };
  (void)functions_.BufferMapAsync(readable, map_read, 0, bytes, mapped);
  functions_.DevicePoll(device_, 1, nullptr);  // until all is done; a kernel that never ends ends with its worker
  if (auto fine = complaint("mapping a buffer"); !fine) return fine.propagate();
  const void* const data = status == succeeded ? functions_.BufferGetConstMappedRange(readable, 0, bytes) : nullptr;
  if (data == nullptr)
    return failure(ErrorKind::device, "a buffer cannot be read back (status " + std::to_string(status) + ")");
  std::vector<unsigned char> read(bytes);
  std::memcpy(read.data(), data, bytes);
  functions_.BufferRelease(readable);
  return read;
}

}  // namespace assay::inline v0
