#pragma once

#include <cstddef>
#include <cstdint>

/// WebGPU's C interface as of webgpu.h in wgpu-native 29, as far as it is needed: declared here, since its headers come
/// with the library alone. Earlier versions lay structures out otherwise and are refused.
namespace assay::inline v0::detail::webgpu {

using Word = std::uint32_t;
using Flags = std::uint64_t;
using Instance = struct InstanceObject*;
using Adapter = struct AdapterObject*;
using Device = struct DeviceObject*;
using Queue = struct QueueObject*;
using Buffer = struct BufferObject*;
using Module = struct ModuleObject*;
using Layout = struct LayoutObject*;
using PipelineLayout = struct PipelineLayoutObject*;
using Pipeline = struct PipelineObject*;
using Group = struct GroupObject*;
using Encoder = struct EncoderObject*;
using Pass = struct PassObject*;
using Commands = struct CommandsObject*;

inline constexpr Word supported_version = 29;
inline constexpr Word source_wgsl = 2, instance_extras = 0x00030004;
inline constexpr Flags backend_vulkan = 1, backend_metal = 4, backend_dx12 = 8;
inline constexpr Word feature_f16 = 0xB, feature_subgroups = 0x12, native_feature_subgroups = 0x30021;
inline constexpr Word succeeded = 1, spontaneously = 3, out_of_memory = 3;
inline constexpr Word uniform_binding = 2, storage_binding = 3, read_only_binding = 4;
inline constexpr Flags map_read = 1, copy_source = 4, copy_target = 8, uniform = 0x40, storage = 0x80;
inline constexpr Flags stage_compute = 4;

/// Text of a length; the length SIZE_MAX: up to a zero byte, and none where there is no data.
struct String {
  const char* data = nullptr;
  std::size_t length = SIZE_MAX;
};
struct Chain {
  const Chain* next = nullptr;
  Word kind = 0;
};
struct Future {
  std::uint64_t id = 0;
};
struct InstanceExtras {
  Chain chain{nullptr, instance_extras};
  Flags backends = backend_vulkan | backend_metal | backend_dx12, flags = 0;
  Word dx12_compiler = 0, gles_version = 0, gl_fences = 0;
  String dxc_path = {};
  Word shader_model = 0, swapchain = 0;
  const void *creation_budget = nullptr, *loss_budget = nullptr;
  Word display = 0;
  const void* display_data[3] = {};
};
struct InstanceInfo {
  const InstanceExtras* next = nullptr;
  std::size_t feature_count = 0;
  const Word* features = nullptr;
  const void* limits = nullptr;
};
struct EnumerateOptions {
  const Chain* next = nullptr;
  Flags backends = backend_vulkan | backend_metal | backend_dx12;
};
struct AdapterInfo {
  const Chain* next = nullptr;
  String vendor = {}, architecture = {}, device = {}, description = {};
  Word backend = 0, kind = 0, vendor_id = 0, device_id = 0, subgroup_least = 0, subgroup_most = 0;
};
struct Limits {
  const Chain* next = nullptr;
  Word texture_limits[4] = {};
  Word bind_groups = 0, bind_groups_and_vertex_buffers = 0, bindings_per_group = 0, dynamic_buffers[2] = {};
  Word textures = 0, samplers = 0, storage_buffers = 0, storage_textures = 0, uniform_buffers = 0;
  std::uint64_t uniform_binding_bytes = 0, storage_binding_bytes = 0;
  Word uniform_alignment = 0, storage_alignment = 0, vertex_buffers = 0;
  std::uint64_t buffer_bytes = 0;
  Word vertex_limits[5] = {};
  Word group_memory = 0, group_items = 0, group_size[3] = {}, groups = 0, immediate_bytes = 0;
};
struct QueueInfo {
  const Chain* next = nullptr;
  String label = {};
};
struct DeviceCallback {
  const Chain* next = nullptr;
  Word mode = spontaneously;
  void (*call)(Word status, Device device, String message, void* first, void* second) = nullptr;
  void *first = nullptr, *second = nullptr;
};
struct LostCallback {
  const Chain* next = nullptr;
  Word mode = spontaneously;
  void (*call)(const Device* device, Word reason, String message, void* first, void* second) = nullptr;
  void *first = nullptr, *second = nullptr;
};
struct ErrorCallback {
  const Chain* next = nullptr;
  void (*call)(const Device* device, Word kind, String message, void* first, void* second) = nullptr;
  void *first = nullptr, *second = nullptr;
};
struct MapCallback {
  const Chain* next = nullptr;
  Word mode = spontaneously;
  void (*call)(Word status, String message, void* first, void* second) = nullptr;
  void *first = nullptr, *second = nullptr;
};
struct DeviceInfo {
  const Chain* next = nullptr;
  String label = {};
  std::size_t feature_count = 0;
  const Word* features = nullptr;
  const Limits* limits = nullptr;
  QueueInfo queue = {};
  LostCallback lost = {};
  ErrorCallback error = {};
};
struct BufferInfo {
  const Chain* next = nullptr;
  String label = {};
  Flags usage = 0;
  std::uint64_t bytes = 0;
  Word mapped = 0;
};
struct WgslSource {
  Chain chain{nullptr, source_wgsl};
  String code = {};
};
struct ModuleInfo {
  const WgslSource* next = nullptr;
  String label = {};
};
struct LayoutEntry {
  const Chain* next = nullptr;
  Word binding = 0;
  Flags visibility = stage_compute;
  Word array_size = 0;
  struct {
    const Chain* next = nullptr;
    Word type = 0, dynamic = 0;
    std::uint64_t least_bytes = 0;
  } buffer = {};
  struct {
    const Chain* next = nullptr;
    Word type = 0;
  } sampler = {};
  struct {
    const Chain* next = nullptr;
    Word sample_type = 0, dimension = 0, multisampled = 0;
  } texture = {};
  struct {
    const Chain* next = nullptr;
    Word access = 0, format = 0, dimension = 0;
  } storage_texture = {};
};
struct LayoutInfo {
  const Chain* next = nullptr;
  String label = {};
  std::size_t count = 0;
  const LayoutEntry* entries = nullptr;
};
struct PipelineLayoutInfo {
  const Chain* next = nullptr;
  String label = {};
  std::size_t count = 0;
  const Layout* layouts = nullptr;
  Word immediate_bytes = 0;
};
struct PipelineInfo {
  const Chain* next = nullptr;
  String label = {};
  PipelineLayout layout = nullptr;
  struct {
    const Chain* next = nullptr;
    Module module = nullptr;
    String entry = {};
    std::size_t constant_count = 0;
    const void* constants = nullptr;
  } stage = {};
};
struct GroupEntry {
  const Chain* next = nullptr;
  Word binding = 0;
  Buffer buffer = nullptr;
  std::uint64_t offset = 0, bytes = 0;
  const void *sampler = nullptr, *texture = nullptr;
};
struct GroupInfo {
  const Chain* next = nullptr;
  String label = {};
  Layout layout = nullptr;
  std::size_t count = 0;
  const GroupEntry* entries = nullptr;
};

/// One member a function, by its name behind "wgpu".
#define ASSAY_DETAIL_WEBGPU_FUNCTIONS(F)                                                                            \
  F(Word, GetVersion, ())                                                                                           \
  F(Instance, CreateInstance, (const InstanceInfo*))                                                                \
  F(std::size_t, InstanceEnumerateAdapters, (Instance, const EnumerateOptions*, Adapter*))                          \
  F(Word, AdapterGetInfo, (Adapter, AdapterInfo*))                                                                  \
  F(Word, AdapterGetLimits, (Adapter, Limits*))                                                                     \
  F(Word, AdapterHasFeature, (Adapter, Word))                                                                       \
  F(Future, AdapterRequestDevice, (Adapter, const DeviceInfo*, DeviceCallback))                                     \
  F(Queue, DeviceGetQueue, (Device))                                                                                \
  F(Word, DevicePoll, (Device, Word, const void*))                                                                  \
  F(Buffer, DeviceCreateBuffer, (Device, const BufferInfo*))                                                        \
  F(Module, DeviceCreateShaderModule, (Device, const ModuleInfo*))                                                  \
  F(Layout, DeviceCreateBindGroupLayout, (Device, const LayoutInfo*))                                               \
  F(PipelineLayout, DeviceCreatePipelineLayout, (Device, const PipelineLayoutInfo*))                                \
  F(Pipeline, DeviceCreateComputePipeline, (Device, const PipelineInfo*))                                           \
  F(Group, DeviceCreateBindGroup, (Device, const GroupInfo*))                                                       \
  F(Encoder, DeviceCreateCommandEncoder, (Device, const void*))                                                     \
  F(Pass, CommandEncoderBeginComputePass, (Encoder, const void*))                                                   \
  F(void, ComputePassEncoderSetPipeline, (Pass, Pipeline))                                                          \
  F(void, ComputePassEncoderSetBindGroup, (Pass, Word, Group, std::size_t, const Word*))                            \
  F(void, ComputePassEncoderDispatchWorkgroups, (Pass, Word, Word, Word))                                           \
  F(void, ComputePassEncoderEnd, (Pass))                                                                            \
  F(void, CommandEncoderCopyBufferToBuffer, (Encoder, Buffer, std::uint64_t, Buffer, std::uint64_t, std::uint64_t)) \
  F(Commands, CommandEncoderFinish, (Encoder, const void*))                                                         \
  F(void, QueueSubmit, (Queue, std::size_t, const Commands*))                                                       \
  F(void, QueueWriteBuffer, (Queue, Buffer, std::uint64_t, const void*, std::size_t))                               \
  F(Future, BufferMapAsync, (Buffer, Flags, std::size_t, std::size_t, MapCallback))                                 \
  F(const void*, BufferGetConstMappedRange, (Buffer, std::size_t, std::size_t))                                     \
  F(void, BufferRelease, (Buffer))                                                                                  \
  F(void, BindGroupRelease, (Group))                                                                                \
  F(void, ComputePassEncoderRelease, (Pass))                                                                        \
  F(void, CommandEncoderRelease, (Encoder))                                                                         \
  F(void, CommandBufferRelease, (Commands))

struct Functions {
#define ASSAY_DETAIL_WEBGPU_MEMBER(Returned, name, Arguments) Returned(*name) Arguments = nullptr;
  ASSAY_DETAIL_WEBGPU_FUNCTIONS(ASSAY_DETAIL_WEBGPU_MEMBER)
#undef ASSAY_DETAIL_WEBGPU_MEMBER
};

}  // namespace assay::inline v0::detail::webgpu
