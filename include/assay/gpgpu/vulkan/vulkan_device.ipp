#pragma once

#include "assay/gpgpu/vulkan/vulkan_device.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail::vulkan {

struct Loaded {
  Functions functions;
  Instance instance = nullptr;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<Loaded> load_instance() {
  static constexpr const char* remedy =
      "install a driver: mesa-vulkan-drivers for a CPU (lavapipe), or the vendor's of the device (VK_ICD_FILENAMES "
      "chooses)";
  const char* const chosen = std::getenv("ASSAY_VULKAN");
  const std::string name = chosen != nullptr && *chosen != '\0' ? chosen : "libvulkan.so.1";
  void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::unsupported,
                   "the loader of Vulkan is not here (" + std::string(reason == nullptr ? name : reason) +
                       "); install libvulkan1 and a driver, for a CPU mesa-vulkan-drivers, or name another library by "
                       "ASSAY_VULKAN");
  }
  using Find = void (*(*)(Instance, const char*))();
  const auto find = reinterpret_cast<Find>(::dlsym(library, "vkGetInstanceProcAddr"));
  if (find == nullptr)
    return failure(ErrorKind::unsupported, "'" + name + "' is no loader of Vulkan: it has no vkGetInstanceProcAddr");
  const auto create =
      reinterpret_cast<Code (*)(const InstanceInfo*, const void*, Instance*)>(find(nullptr, "vkCreateInstance"));
  if (create == nullptr) return failure(ErrorKind::unsupported, "'" + name + "' has no vkCreateInstance");
  const ApplicationInfo application;
  InstanceInfo info;
  info.application = &application;
  Loaded loaded;
  const Code code = create(&info, nullptr, &loaded.instance);
  if (code == incompatible_driver)
    return failure(ErrorKind::unsupported, std::string("Vulkan has no driver here; ") + remedy);
  if (code != success) return VulkanDevice::failed("vkCreateInstance", code);
  const char* missing = nullptr;
#define ASSAY_DETAIL_VULKAN_LOAD(Returned, function, Arguments)                                          \
  loaded.functions.function = reinterpret_cast<Returned(*) Arguments>(find(loaded.instance, #function)); \
  if (loaded.functions.function == nullptr && missing == nullptr) missing = #function;
  ASSAY_DETAIL_VULKAN_FUNCTIONS(ASSAY_DETAIL_VULKAN_LOAD)
#undef ASSAY_DETAIL_VULKAN_LOAD
  if (missing != nullptr)
    return failure(ErrorKind::unsupported, "this Vulkan has no " + std::string(missing) + "; version 1.2 is needed");
  return loaded;
}

struct FoundPhysicalDevice {
  PhysicalDevice device = nullptr;
  Word family = 0;
  VulkanDescription description = {};
  MemoryProperties memory = {};
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string version_name(Word version) {
  return std::to_string(version >> 22 & 0x7F) + "." + std::to_string(version >> 12 & 0x3FF) + "." +
         std::to_string(version & 0xFFF);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::vector<FoundPhysicalDevice>> find_physical_devices(
    const Loaded& loaded) {
  const Functions& vk = loaded.functions;
  Word count = 0;
  Code code = vk.vkEnumeratePhysicalDevices(loaded.instance, &count, nullptr);
  std::vector<PhysicalDevice> all(count);
  if (code == success && count > 0) code = vk.vkEnumeratePhysicalDevices(loaded.instance, &count, all.data());
  if (code < 0) return VulkanDevice::failed("vkEnumeratePhysicalDevices", code);
  std::vector<FoundPhysicalDevice> found;
  for (const PhysicalDevice device : all) {
    Properties properties{};
    vk.vkGetPhysicalDeviceProperties(device, &properties);
    if (properties.api_version < version_1_2) continue;
    Word families = 0;
    vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &families, nullptr);
    std::vector<QueueFamily> queues(families);
    vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &families, queues.data());
    const auto family = std::find_if(queues.begin(), queues.end(), [](const QueueFamily& queue) {
      return (queue.flags & queue_compute) != 0 && queue.count > 0;
    });
    if (family == queues.end()) continue;
    FoundPhysicalDevice each;
    each.device = device;
    each.family = static_cast<Word>(family - queues.begin());
    vk.vkGetPhysicalDeviceMemoryProperties(device, &each.memory);
    Features12 features_12;
    Features2 features;
    features.next = &features_12;
    vk.vkGetPhysicalDeviceFeatures2(device, &features);
    static constexpr const char* kinds[] = {"other", "integrated gpu", "gpu", "virtual gpu", "cpu"};
    VulkanDescription& told = each.description;
    properties.name[sizeof properties.name - 1] = '\0';
    told.name = properties.name;
    told.kind = kinds[properties.kind < 5 ? properties.kind : 0];
    told.version = version_name(properties.api_version);
    told.driver = version_name(properties.driver_version);
    told.fp16 = features_12.values[float16_of_1_2] != 0;
    told.int8 = features_12.values[int8_of_1_2] != 0;
    told.fp64 = features.values[float64_of_2] != 0;
    told.int64 = features.values[int64_of_2] != 0;
    told.int16 = features.values[int16_of_2] != 0;
    const Limits& limits = properties.limits;
    told.max_binding = limits.max_storage_range;
    told.shared_memory = limits.max_shared_memory;
    told.max_push_bytes = limits.max_push_bytes;
    told.max_group_items = limits.max_group_items;
    for (int d = 0; d < 3; ++d) told.max_groups[d] = limits.max_group_count[d];
    while (told.alignment < limits.min_storage_alignment && told.alignment < 65536) told.alignment *= 2;
    for (Word heap = 0; heap < std::min<Word>(each.memory.heap_count, 16); ++heap)
      told.memory_bytes = std::max(told.memory_bytes, static_cast<std::size_t>(each.memory.heaps[heap].bytes));
    found.push_back(std::move(each));
  }
  if (found.empty())
    return failure(
        ErrorKind::unsupported,
        "none of Vulkan's " + std::to_string(count) +
            " devices here computes by version 1.2; install mesa-vulkan-drivers for a CPU (lavapipe), or the "
            "vendor's driver of the device");
  return found;
}

}  // namespace detail::vulkan

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<VulkanDescription>> vulkan_devices() {
  const auto loaded = detail::vulkan::load_instance();
  if (!loaded) return loaded.propagate();
  const auto found = detail::vulkan::find_physical_devices(loaded.value());
  if (!found) return found.propagate();
  std::vector<VulkanDescription> all;
  for (const auto& device : found.value()) all.push_back(device.description);
  return all;
}

ASSAY_DETAIL_HEADER_INLINE Failure VulkanDevice::failed(const std::string& call, detail::vulkan::Code code) {
  using namespace detail::vulkan;
  const bool memory = code == out_of_host_memory || code == out_of_device_memory;
  const char* const meaning = code == out_of_host_memory     ? " (no memory of the host)"
                              : code == out_of_device_memory ? " (no memory of the device)"
                              : code == device_lost          ? " (the device is lost)"
                                                             : "";
  return failure(memory ? ErrorKind::out_of_memory : ErrorKind::device,
                 call + " failed with " + std::to_string(code) + meaning);
}

ASSAY_DETAIL_HEADER_INLINE Result<VulkanDevice*> VulkanDevice::shared() {
  static const Result<VulkanDevice*> opened = open();
  return opened;
}

ASSAY_DETAIL_HEADER_INLINE Result<VulkanDevice*> VulkanDevice::open() {
  using namespace detail::vulkan;
  const auto loaded = load_instance();
  if (!loaded) return loaded.propagate();
  const auto found = find_physical_devices(loaded.value());
  if (!found) return found.propagate();
  const char* const wanted = std::getenv("ASSAY_VULKAN_DEVICE");
  const bool named = wanted != nullptr && *wanted != '\0';
  const FoundPhysicalDevice* chosen = nullptr;
  std::string known;
  for (const FoundPhysicalDevice& each : found.value()) {
    const VulkanDescription& told = each.description;
    known += (known.empty() ? "" : ", ") + told.name;
    const bool fits = named ? told.name.find(wanted) != std::string::npos : told.kind.find("gpu") != std::string::npos;
    if (fits && chosen == nullptr) chosen = &each;
  }
  if (chosen == nullptr && named)
    return failure(ErrorKind::unsupported, "ASSAY_VULKAN_DEVICE is '" + std::string(wanted) +
                                               "', a part of the name of no device; there are " + known);
  if (chosen == nullptr) chosen = &found.value().front();

  auto* const made = new VulkanDevice();  // for as long as the process lives
  made->functions_ = loaded.value().functions;
  made->description_ = chosen->description;
  made->memory_ = chosen->memory;
  const Functions& vk = made->functions_;
  Features12 features_12;
  Features11 features_11;
  Features2 features;
  features.next = &features_11;
  features_11.next = &features_12;
  vk.vkGetPhysicalDeviceFeatures2(chosen->device, &features);
  features.values[robust_of_2] = 0;  // which would hide writes beside a buffer
  const float priority = 1;
  QueueInfo queue;
  queue.family = chosen->family;
  queue.priorities = &priority;
  DeviceInfo info;
  info.next = &features;
  info.queues = &queue;
  Code code = vk.vkCreateDevice(chosen->device, &info, nullptr, &made->device_);
  if (code != success) return failed("vkCreateDevice", code);
  vk.vkGetDeviceQueue(made->device_, chosen->family, 0, &made->queue_);
  CommandPoolInfo pool;
  pool.family = chosen->family;
  CommandBufferInfo commands;
  code = vk.vkCreateCommandPool(made->device_, &pool, nullptr, &commands.pool);
  if (code != success) return failed("vkCreateCommandPool", code);
  code = vk.vkAllocateCommandBuffers(made->device_, &commands, &made->commands_);
  if (code != success) return failed("vkAllocateCommandBuffers", code);
  return made;
}

ASSAY_DETAIL_HEADER_INLINE int VulkanDevice::mapped_memory_type(std::uint32_t types) const {
  using namespace detail::vulkan;
  int found = -1;
  for (Word type = 0; type < std::min<Word>(memory_.type_count, 32); ++type) {
    const Word flags = memory_.types[type].flags;
    if ((types >> type & 1) == 0 || (flags & memory_visible) == 0 || (flags & memory_coherent) == 0) continue;
    if ((flags & memory_cached) != 0) return static_cast<int>(type);  // which the host reads quickest
    if (found < 0) found = static_cast<int>(type);
  }
  return found;
}

ASSAY_DETAIL_HEADER_INLINE Result<VulkanPipeline> VulkanDevice::pipeline(const std::string& file,
                                                                         const std::string& code,
                                                                         const std::string& entry, std::size_t bindings,
                                                                         std::size_t push_bytes) {
  using namespace detail::vulkan;
  const auto known = pipelines_.find({file, entry});
  if (known != pipelines_.end()) return known->second;
  std::vector<Word> words(code.size() / 4);
  std::memcpy(words.data(), code.data(), words.size() * 4);
  if (code.size() < 20 || code.size() % 4 != 0 || words[0] != 0x07230203)
    return failure(ErrorKind::malformed, "'" + file + "' is no SPIR-V; glslangValidator -V makes it of GLSL");
  if (push_bytes > description_.max_push_bytes)
    return failure(ErrorKind::unsupported, "the scalars take " + std::to_string(push_bytes) +
                                               " bytes of push constants, and the device has " +
                                               std::to_string(description_.max_push_bytes));
  VulkanPipeline made;
  std::vector<SetBinding> list(bindings);
  for (std::size_t i = 0; i < bindings; ++i) list[i].binding = static_cast<Word>(i);
  SetLayoutInfo set_layout;
  set_layout.count = static_cast<Word>(bindings);
  set_layout.bindings = list.data();
  Handle layout = 0;
  Code status = functions_.vkCreateDescriptorSetLayout(device_, &set_layout, nullptr, &layout);
  if (status != success) return failed("vkCreateDescriptorSetLayout", status);
  PushRange range;
  range.bytes = static_cast<Word>(push_bytes);
  PipelineLayoutInfo pipeline_layout;
  pipeline_layout.sets = &layout;
  pipeline_layout.push_count = push_bytes > 0 ? 1 : 0;
  pipeline_layout.pushes = &range;
  status = functions_.vkCreatePipelineLayout(device_, &pipeline_layout, nullptr, &made.layout);
  if (status != success) return failed("vkCreatePipelineLayout", status);
  ShaderInfo shader;
  shader.bytes = code.size();
  shader.words = words.data();
  ComputePipelineInfo info;
  status = functions_.vkCreateShaderModule(device_, &shader, nullptr, &info.stage.shader);
  if (status != success) return failed("vkCreateShaderModule of '" + file + "'", status);
  info.stage.entry = entry.c_str();
  info.layout = made.layout;
  status = functions_.vkCreateComputePipelines(device_, 0, 1, &info, nullptr, &made.pipeline);
  functions_.vkDestroyShaderModule(device_, info.stage.shader, nullptr);
  if (status != success) return failed("vkCreateComputePipelines of '" + file + "'", status);
  PoolSize size;
  size.count = static_cast<Word>(bindings);
  DescriptorPoolInfo pool;
  pool.sizes = &size;
  SetInfo set;
  set.layouts = &layout;
  status = functions_.vkCreateDescriptorPool(device_, &pool, nullptr, &set.pool);
  if (status != success) return failed("vkCreateDescriptorPool", status);
  status = functions_.vkAllocateDescriptorSets(device_, &set, &made.set);
  if (status != success) return failed("vkAllocateDescriptorSets", status);
  pipelines_[{file, entry}] = made;
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> VulkanDevice::run(const VulkanPipeline& pipeline,
                                                          const std::vector<detail::vulkan::BufferRange>& bindings,
                                                          const std::vector<unsigned char>& push,
                                                          const std::uint32_t groups[3]) {
  using namespace detail::vulkan;
  if (hangs_) return failure(ErrorKind::device, "a shader of this process did not end, and has the device");
  std::vector<WriteSet> writes(bindings.size());
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    writes[i].set = pipeline.set;
    writes[i].binding = static_cast<Word>(i);
    writes[i].buffers = &bindings[i];
  }
  functions_.vkUpdateDescriptorSets(device_, static_cast<Word>(writes.size()), writes.data(), 0, nullptr);
  const BeginInfo begin;
  Code status = functions_.vkBeginCommandBuffer(commands_, &begin);
  if (status != success) return failed("vkBeginCommandBuffer", status);
  MemoryBarrier written;
  written.from = access_host_write;
  written.to = access_shader_read | access_shader_write;
  functions_.vkCmdPipelineBarrier(commands_, pipeline_stage_host, pipeline_stage_compute, 0, 1, &written, 0, nullptr, 0,
                                  nullptr);
  functions_.vkCmdBindPipeline(commands_, bind_compute, pipeline.pipeline);
  functions_.vkCmdBindDescriptorSets(commands_, bind_compute, pipeline.layout, 0, 1, &pipeline.set, 0, nullptr);
  if (!push.empty())
    functions_.vkCmdPushConstants(commands_, pipeline.layout, stage_compute, 0, static_cast<Word>(push.size()),
                                  push.data());
  functions_.vkCmdDispatch(commands_, groups[0], groups[1], groups[2]);
  MemoryBarrier readable;
  readable.from = access_shader_write;
  readable.to = access_host_read;
  functions_.vkCmdPipelineBarrier(commands_, pipeline_stage_compute, pipeline_stage_host, 0, 1, &readable, 0, nullptr,
                                  0, nullptr);
  status = functions_.vkEndCommandBuffer(commands_);
  if (status != success) return failed("vkEndCommandBuffer", status);
  const FenceInfo fence_info;
  Handle fence = 0;
  status = functions_.vkCreateFence(device_, &fence_info, nullptr, &fence);
  if (status != success) return failed("vkCreateFence", status);
  SubmitInfo submit;
  submit.commands = &commands_;
  status = functions_.vkQueueSubmit(queue_, 1, &submit, fence);
  if (status == success) status = functions_.vkWaitForFences(device_, 1, &fence, 1, 60'000'000'000u);
  hangs_ = status == timeout;
  if (hangs_) return failure(ErrorKind::timed_out, "the shader did not end within 60 s");
  functions_.vkDestroyFence(device_, fence, nullptr);
  if (status != success) return failed("the shader", status);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> VulkanBuffers::add(std::size_t bytes) {
  using namespace detail::vulkan;
  const Functions& vk = device_->functions();
  const Device device = device_->device();
  blocks_.emplace_back();
  Block& block = blocks_.back();
  block.bytes = bytes;
  BufferInfo info;
  info.bytes = bytes;
  Code status = vk.vkCreateBuffer(device, &info, nullptr, &block.buffer);
  if (status != success) return VulkanDevice::failed("vkCreateBuffer", status);
  Requirements needs{};
  vk.vkGetBufferMemoryRequirements(device, block.buffer, &needs);
  const int type = device_->mapped_memory_type(needs.types);
  if (type < 0) return failure(ErrorKind::unsupported, "the device has no memory for buffers that the host can map");
  AllocateInfo allocate;
  allocate.bytes = needs.bytes;
  allocate.memory_type = static_cast<Word>(type);
  status = vk.vkAllocateMemory(device, &allocate, nullptr, &block.memory);
  if (status != success) return VulkanDevice::failed("vkAllocateMemory", status);
  status = vk.vkBindBufferMemory(device, block.buffer, block.memory, 0);
  if (status != success) return VulkanDevice::failed("vkBindBufferMemory", status);
  void* mapped = nullptr;
  status = vk.vkMapMemory(device, block.memory, 0, whole_size, 0, &mapped);
  if (status != success) return VulkanDevice::failed("vkMapMemory", status);
  block.mapped = static_cast<unsigned char*>(mapped);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<VulkanBuffers> VulkanBuffers::create(VulkanDevice& device, const StagingPlan& plan) {
  VulkanBuffers buffers(device, plan);
  for (const StagedBlock& block : plan.blocks) {
    const std::size_t most = device.description().max_binding;
    if (block.buffer_bytes() > most)
      return failure(ErrorKind::unsupported, "an operand takes " + std::to_string(block.buffer_bytes()) +
                                                 " bytes, and a binding of the device has at most " +
                                                 std::to_string(most));
    if (auto added = buffers.add(block.buffer_bytes()); !added) return added.propagate();
    std::memcpy(buffers.blocks_.back().mapped + block.offset, block.begin, block.bytes());
  }
  if (auto added = buffers.add(64); !added) return added.propagate();
  return Result<VulkanBuffers>(std::move(buffers));
}

ASSAY_DETAIL_HEADER_INLINE VulkanBuffers::~VulkanBuffers() {
  for (const Block& block : blocks_) {
    if (block.buffer != 0) device_->functions().vkDestroyBuffer(device_->device(), block.buffer, nullptr);
    if (block.memory != 0) device_->functions().vkFreeMemory(device_->device(), block.memory, nullptr);
  }
}

ASSAY_DETAIL_HEADER_INLINE void VulkanBuffers::fetch() const {
  for (std::size_t i = 0; i < plan_.blocks.size(); ++i)
    std::memcpy(plan_.blocks[i].begin, blocks_[i].mapped + plan_.blocks[i].offset, plan_.blocks[i].bytes());
}

}  // namespace assay::inline v0
