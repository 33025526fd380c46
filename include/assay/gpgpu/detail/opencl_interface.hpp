#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::inline v0::detail {

/// What is used of OpenCL 1.2, as its header declares it, which is not needed: the library is opened when it is asked
/// for. Source: The OpenCL Specification, version 1.2.
namespace opencl {

using Int = std::int32_t;
using Uint = std::uint32_t;
using Bits = std::uint64_t;
using Property = std::intptr_t;
using Platform = struct PlatformObject*;
using Device = struct DeviceObject*;
using Context = struct ContextObject*;
using Queue = struct QueueObject*;
using Memory = struct MemoryObject*;
using Program = struct ProgramObject*;
using Kernel = struct KernelObject*;
using Event = struct EventObject*;

inline constexpr Int success = 0, device_not_found = -1, allocation_failed = -4, out_of_resources = -5,
                     out_of_host_memory = -6, build_failed = -11, no_platform = -1001;
inline constexpr Bits device_type_cpu = 2, device_type_gpu = 4, device_type_accelerator = 8,
                      device_type_all = 0xFFFFFFFF;
inline constexpr Bits read_write = 1;
inline constexpr Uint region = 0x1220, build_log = 0x1183, platform_name = 0x0902, platform_version = 0x0901,
                      device_type = 0x1000, max_compute_units = 0x1002, max_group_size = 0x1004,
                      max_allocation = 0x1010, base_alignment_bits = 0x1019, global_memory = 0x101F,
                      local_memory = 0x1023, is_available = 0x1027, device_name = 0x102B, driver_version = 0x102D,
                      device_version = 0x102F, device_extensions = 0x1030, unified_memory = 0x1035,
                      event_status = 0x11D3;

struct Region {
  std::size_t origin, size;
};

/// One member a function, by its name.
#define ASSAY_DETAIL_OPENCL_FUNCTIONS(F)                                                                           \
  F(Int, clGetPlatformIDs, (Uint, Platform*, Uint*))                                                               \
  F(Int, clGetPlatformInfo, (Platform, Uint, std::size_t, void*, std::size_t*))                                    \
  F(Int, clGetDeviceIDs, (Platform, Bits, Uint, Device*, Uint*))                                                   \
  F(Int, clGetDeviceInfo, (Device, Uint, std::size_t, void*, std::size_t*))                                        \
  F(Context, clCreateContext,                                                                                      \
    (const Property*, Uint, const Device*, void (*)(const char*, const void*, std::size_t, void*), void*, Int*))   \
  F(Queue, clCreateCommandQueue, (Context, Device, Bits, Int*))                                                    \
  F(Memory, clCreateBuffer, (Context, Bits, std::size_t, void*, Int*))                                             \
  F(Memory, clCreateSubBuffer, (Memory, Bits, Uint, const void*, Int*))                                            \
  F(Int, clReleaseMemObject, (Memory))                                                                             \
  F(Program, clCreateProgramWithSource, (Context, Uint, const char**, const std::size_t*, Int*))                   \
  F(Int, clBuildProgram, (Program, Uint, const Device*, const char*, void (*)(Program, void*), void*))             \
  F(Int, clGetProgramBuildInfo, (Program, Device, Uint, std::size_t, void*, std::size_t*))                         \
  F(Int, clReleaseProgram, (Program))                                                                              \
  F(Kernel, clCreateKernel, (Program, const char*, Int*))                                                          \
  F(Int, clSetKernelArg, (Kernel, Uint, std::size_t, const void*))                                                 \
  F(Int, clEnqueueWriteBuffer,                                                                                     \
    (Queue, Memory, Uint, std::size_t, std::size_t, const void*, Uint, const Event*, Event*))                      \
  F(Int, clEnqueueReadBuffer, (Queue, Memory, Uint, std::size_t, std::size_t, void*, Uint, const Event*, Event*))  \
  F(Int, clEnqueueNDRangeKernel,                                                                                   \
    (Queue, Kernel, Uint, const std::size_t*, const std::size_t*, const std::size_t*, Uint, const Event*, Event*)) \
  F(Int, clWaitForEvents, (Uint, const Event*))                                                                    \
  F(Int, clGetEventInfo, (Event, Uint, std::size_t, void*, std::size_t*))                                          \
  F(Int, clReleaseEvent, (Event))                                                                                  \
  F(Int, clFinish, (Queue))

struct Functions {
#define ASSAY_DETAIL_OPENCL_MEMBER(Returned, name, Arguments) Returned(*name) Arguments = nullptr;
  ASSAY_DETAIL_OPENCL_FUNCTIONS(ASSAY_DETAIL_OPENCL_MEMBER)
#undef ASSAY_DETAIL_OPENCL_MEMBER
};

}  // namespace opencl

}  // namespace assay::inline v0::detail
