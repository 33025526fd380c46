#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::inline v0::detail {

/// What is used of Vulkan 1.2, as its header declares it, which is not needed: the library is opened when it is asked
/// for. Source: the registry of Vulkan, version 1.3.
namespace vulkan {

using Instance = struct InstanceObject*;
using PhysicalDevice = struct PhysicalDeviceObject*;
using Device = struct DeviceObject*;
using Queue = struct QueueObject*;
using CommandBuffer = struct CommandBufferObject*;
using Handle = std::uint64_t;  ///< of what cannot be dispatched to, on platforms of 64 bits
using Size = std::uint64_t;
using Word = std::uint32_t;
using Code = std::int32_t;

inline constexpr Code success = 0, out_of_host_memory = -1, out_of_device_memory = -2, device_lost = -4, timeout = 2,
                      incompatible_driver = -9;
inline constexpr Word version_1_2 = 1u << 22 | 2u << 12, queue_compute = 2, stage_compute = 0x20, storage_buffer = 7,
                      usage_storage = 0x20, memory_visible = 2, memory_coherent = 4, memory_cached = 8,
                      bind_compute = 1, pipeline_stage_compute = 0x800, pipeline_stage_host = 0x4000,
                      access_shader_read = 0x20, access_shader_write = 0x40, access_host_read = 0x2000,
                      access_host_write = 0x4000;
inline constexpr Size whole_size = ~Size{0};

enum Type : Word {
  application_info = 0,
  instance_info = 1,
  queue_info = 2,
  device_info = 3,
  submit_info = 4,
  allocate_info = 5,
  fence_info = 8,
  buffer_info = 12,
  shader_info = 16,
  stage_info = 18,
  compute_pipeline_info = 29,
  pipeline_layout_info = 30,
  set_layout_info = 32,
  descriptor_pool_info = 33,
  set_info = 34,
  write_set = 35,
  command_pool_info = 39,
  command_buffer_info = 40,
  begin_info = 42,
  memory_barrier = 46,
  features_1_1 = 49,
  features_1_2 = 51,
  features_2 = 1000059000
};

struct ApplicationInfo {
  Word type = application_info;
  const void* next = nullptr;
  const char* name = "assay";
  Word version = 0;
  const char* engine = nullptr;
  Word engine_version = 0, api_version = version_1_2;
};
struct InstanceInfo {
  Word type = instance_info;
  const void* next = nullptr;
  Word flags = 0;
  const ApplicationInfo* application = nullptr;
  Word layer_count = 0;
  const char* const* layers = nullptr;
  Word extension_count = 0;
  const char* const* extensions = nullptr;
};
/// The first limits are not used; those that are stand where the header has them.
struct Limits {
  Word before[7];
  Word max_storage_range, max_push_bytes, max_allocations;
  Word between[44];
  Word max_shared_memory, max_group_count[3], max_group_items, max_group_size[3];
  Word until_alignments[20];
  Size min_storage_alignment;
  std::uint64_t behind[21];
};
struct Properties {
  Word api_version, driver_version, vendor, device, kind;
  char name[256];
  unsigned char cache[16];
  Word padding;
  Limits limits;
  Word sparse[6];
};
static_assert(offsetof(Properties, limits) == 296 && offsetof(Limits, max_storage_range) == 28 &&
              offsetof(Limits, max_shared_memory) == 216 && offsetof(Limits, min_storage_alignment) == 328 &&
              sizeof(Limits) == 504 && sizeof(Properties) == 824);
struct MemoryType {
  Word flags, heap;
};
struct MemoryHeap {
  Size bytes;
  Word flags;
};
struct MemoryProperties {
  Word type_count;
  MemoryType types[32];
  Word heap_count;
  MemoryHeap heaps[16];
};
struct QueueFamily {
  Word flags, count, timestamp_bits, granularity[3];
};
/// VkPhysicalDeviceVulkan12Features, VkPhysicalDeviceVulkan11Features and VkPhysicalDeviceFeatures2, by the place of
/// each truth value.
struct Features12 {
  Word type = features_1_2;
  void* next = nullptr;
  Word values[48] = {};
};
struct Features11 {
  Word type = features_1_1;
  void* next = nullptr;
  Word values[12] = {};
};
struct Features2 {
  Word type = features_2;
  void* next = nullptr;
  Word values[56] = {};
};
static_assert(sizeof(Features12) == 208 && sizeof(Features11) == 64 && sizeof(Features2) == 240);
inline constexpr std::size_t float16_of_1_2 = (44 - 16) / 4, int8_of_1_2 = (48 - 16) / 4, float64_of_2 = (172 - 16) / 4,
                             int64_of_2 = (176 - 16) / 4, int16_of_2 = (180 - 16) / 4, robust_of_2 = 0;
struct QueueInfo {
  Word type = queue_info;
  const void* next = nullptr;
  Word flags = 0, family = 0, count = 1;
  const float* priorities = nullptr;
};
struct DeviceInfo {
  Word type = device_info;
  const void* next = nullptr;
  Word flags = 0, queue_count = 1;
  const QueueInfo* queues = nullptr;
  Word layer_count = 0;
  const char* const* layers = nullptr;
  Word extension_count = 0;
  const char* const* extensions = nullptr;
  const void* features = nullptr;
};
struct BufferInfo {
  Word type = buffer_info;
  const void* next = nullptr;
  Word flags = 0;
  Size bytes = 0;
  Word usage = usage_storage, sharing = 0, family_count = 0;
  const Word* families = nullptr;
};
struct Requirements {
  Size bytes, alignment;
  Word types;
};
struct AllocateInfo {
  Word type = allocate_info;
  const void* next = nullptr;
  Size bytes = 0;
  Word memory_type = 0;
};
struct SetBinding {
  Word binding, descriptor = storage_buffer, count = 1, stages = stage_compute;
  const Handle* samplers = nullptr;
};
struct SetLayoutInfo {
  Word type = set_layout_info;
  const void* next = nullptr;
  Word flags = 0, count = 0;
  const SetBinding* bindings = nullptr;
};
struct PushRange {
  Word stages = stage_compute, offset = 0, bytes = 0;
};
struct PipelineLayoutInfo {
  Word type = pipeline_layout_info;
  const void* next = nullptr;
  Word flags = 0, set_count = 1;
  const Handle* sets = nullptr;
  Word push_count = 0;
  const PushRange* pushes = nullptr;
};
struct ShaderInfo {
  Word type = shader_info;
  const void* next = nullptr;
  Word flags = 0;
  std::size_t bytes = 0;
  const Word* words = nullptr;
};
struct StageInfo {
  Word type = stage_info;
  const void* next = nullptr;
  Word flags = 0, stage = stage_compute;
  Handle shader = 0;
  const char* entry = nullptr;
  const void* specialization = nullptr;
};
struct ComputePipelineInfo {
  Word type = compute_pipeline_info;
  const void* next = nullptr;
  Word flags = 0;
  StageInfo stage = {};
  Handle layout = 0, base = 0;
  std::int32_t base_index = -1;
};
struct PoolSize {
  Word descriptor = storage_buffer, count = 0;
};
struct DescriptorPoolInfo {
  Word type = descriptor_pool_info;
  const void* next = nullptr;
  Word flags = 0, sets = 1, size_count = 1;
  const PoolSize* sizes = nullptr;
};
struct SetInfo {
  Word type = set_info;
  const void* next = nullptr;
  Handle pool = 0;
  Word count = 1;
  const Handle* layouts = nullptr;
};
struct BufferRange {
  Handle buffer;
  Size offset, bytes;
};
struct WriteSet {
  Word type = write_set;
  const void* next = nullptr;
  Handle set = 0;
  Word binding = 0, element = 0, count = 1, descriptor = storage_buffer;
  const void* images = nullptr;
  const BufferRange* buffers = nullptr;
  const Handle* texels = nullptr;
};
struct CommandPoolInfo {
  Word type = command_pool_info;
  const void* next = nullptr;
  Word flags = 2, family = 0;
};
struct CommandBufferInfo {
  Word type = command_buffer_info;
  const void* next = nullptr;
  Handle pool = 0;
  Word level = 0, count = 1;
};
struct BeginInfo {
  Word type = begin_info;
  const void* next = nullptr;
  Word flags = 1;
  const void* inheritance = nullptr;
};
struct MemoryBarrier {
  Word type = memory_barrier;
  const void* next = nullptr;
  Word from = 0, to = 0;
};
struct SubmitInfo {
  Word type = submit_info;
  const void* next = nullptr;
  Word wait_count = 0;
  const Handle* waits = nullptr;
  const Word* wait_stages = nullptr;
  Word count = 1;
  const CommandBuffer* commands = nullptr;
  Word signal_count = 0;
  const Handle* signals = nullptr;
};
struct FenceInfo {
  Word type = fence_info;
  const void* next = nullptr;
  Word flags = 0;
};

/// One member a function, by its name. The first is of the library, others are found through it.
#define ASSAY_DETAIL_VULKAN_FUNCTIONS(F)                                                                        \
  F(Code, vkEnumeratePhysicalDevices, (Instance, Word*, PhysicalDevice*))                                       \
  F(void, vkGetPhysicalDeviceProperties, (PhysicalDevice, Properties*))                                         \
  F(void, vkGetPhysicalDeviceMemoryProperties, (PhysicalDevice, MemoryProperties*))                             \
  F(void, vkGetPhysicalDeviceQueueFamilyProperties, (PhysicalDevice, Word*, QueueFamily*))                      \
  F(void, vkGetPhysicalDeviceFeatures2, (PhysicalDevice, Features2*))                                           \
  F(Code, vkCreateDevice, (PhysicalDevice, const DeviceInfo*, const void*, Device*))                            \
  F(void, vkGetDeviceQueue, (Device, Word, Word, Queue*))                                                       \
  F(Code, vkCreateBuffer, (Device, const BufferInfo*, const void*, Handle*))                                    \
  F(void, vkDestroyBuffer, (Device, Handle, const void*))                                                       \
  F(void, vkGetBufferMemoryRequirements, (Device, Handle, Requirements*))                                       \
  F(Code, vkAllocateMemory, (Device, const AllocateInfo*, const void*, Handle*))                                \
  F(void, vkFreeMemory, (Device, Handle, const void*))                                                          \
  F(Code, vkBindBufferMemory, (Device, Handle, Handle, Size))                                                   \
  F(Code, vkMapMemory, (Device, Handle, Size, Size, Word, void**))                                              \
  F(Code, vkCreateDescriptorSetLayout, (Device, const SetLayoutInfo*, const void*, Handle*))                    \
  F(Code, vkCreatePipelineLayout, (Device, const PipelineLayoutInfo*, const void*, Handle*))                    \
  F(Code, vkCreateShaderModule, (Device, const ShaderInfo*, const void*, Handle*))                              \
  F(void, vkDestroyShaderModule, (Device, Handle, const void*))                                                 \
  F(Code, vkCreateComputePipelines, (Device, Handle, Word, const ComputePipelineInfo*, const void*, Handle*))   \
  F(Code, vkCreateDescriptorPool, (Device, const DescriptorPoolInfo*, const void*, Handle*))                    \
  F(Code, vkAllocateDescriptorSets, (Device, const SetInfo*, Handle*))                                          \
  F(void, vkUpdateDescriptorSets, (Device, Word, const WriteSet*, Word, const void*))                           \
  F(Code, vkCreateCommandPool, (Device, const CommandPoolInfo*, const void*, Handle*))                          \
  F(Code, vkAllocateCommandBuffers, (Device, const CommandBufferInfo*, CommandBuffer*))                         \
  F(Code, vkBeginCommandBuffer, (CommandBuffer, const BeginInfo*))                                              \
  F(Code, vkEndCommandBuffer, (CommandBuffer))                                                                  \
  F(void, vkCmdBindPipeline, (CommandBuffer, Word, Handle))                                                     \
  F(void, vkCmdBindDescriptorSets, (CommandBuffer, Word, Handle, Word, Word, const Handle*, Word, const Word*)) \
  F(void, vkCmdPushConstants, (CommandBuffer, Handle, Word, Word, Word, const void*))                           \
  F(void, vkCmdDispatch, (CommandBuffer, Word, Word, Word))                                                     \
  F(void, vkCmdPipelineBarrier,                                                                                 \
    (CommandBuffer, Word, Word, Word, Word, const MemoryBarrier*, Word, const void*, Word, const void*))        \
  F(Code, vkCreateFence, (Device, const FenceInfo*, const void*, Handle*))                                      \
  F(void, vkDestroyFence, (Device, Handle, const void*))                                                        \
  F(Code, vkQueueSubmit, (Queue, Word, const SubmitInfo*, Handle))                                              \
  F(Code, vkWaitForFences, (Device, Word, const Handle*, Word, Size))

struct Functions {
#define ASSAY_DETAIL_VULKAN_MEMBER(Returned, name, Arguments) Returned(*name) Arguments = nullptr;
  ASSAY_DETAIL_VULKAN_FUNCTIONS(ASSAY_DETAIL_VULKAN_MEMBER)
#undef ASSAY_DETAIL_VULKAN_MEMBER
};

}  // namespace vulkan

}  // namespace assay::inline v0::detail
