#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// HIP's runtime under the names by which code for several devices calls it. What `DeviceBackend` takes as its runtime.
struct HipRuntime {
  using Code = hipError_t;
  using Stream = hipStream_t;
  using Event = hipEvent_t;
  using Pool = hipMemPool_t;
  using ExecutableGraph = hipGraphExec_t;
  static constexpr const char* name = "HIP";
  static constexpr const char* backend_name = "hip";
  static constexpr const char* collective_name = "rccl";
  static constexpr const char* architecture_option = "HIP_ARCH";

  [[nodiscard]] static Code device_count(int* count) { return hipGetDeviceCount(count); }
  [[nodiscard]] static Code device(int* device) { return hipGetDevice(device); }
  [[nodiscard]] static Code set_device(int device) { return hipSetDevice(device); }
  [[nodiscard]] static Code allocate(void** memory, std::size_t bytes) { return hipMalloc(memory, bytes); }
  [[nodiscard]] static Code deallocate(void* memory) { return hipFree(memory); }
  /// Older devices, and virtual ones, may have none.
  [[nodiscard]] static Code has_pools(bool* has, int device) {
    int pools = 0;
    const Code code = hipDeviceGetAttribute(&pools, hipDeviceAttributeMemoryPoolsSupported, device);
    *has = pools != 0;
    return code;
  }
  /// A pool that keeps so many bytes when nothing uses them: the default one gives all back whenever a stream is waited
  /// for.
  [[nodiscard]] static Code make_pool(Pool* pool, int device, std::uint64_t kept_bytes) {
    hipMemPoolProps properties{};
    properties.allocType = hipMemAllocationTypePinned;
    properties.location.type = hipMemLocationTypeDevice;
    properties.location.id = device;
    const Code code = hipMemPoolCreate(pool, &properties);
    return code == hipSuccess ? hipMemPoolSetAttribute(*pool, hipMemPoolAttrReleaseThreshold, &kept_bytes) : code;
  }
  [[nodiscard]] static Code destroy_pool(Pool pool) { return hipMemPoolDestroy(pool); }
  [[nodiscard]] static Code allocate_ordered(void** memory, std::size_t bytes, Pool pool, Stream stream) {
    return hipMallocFromPoolAsync(memory, bytes, pool, stream);
  }
  [[nodiscard]] static Code deallocate_ordered(void* memory, Stream stream) { return hipFreeAsync(memory, stream); }
  [[nodiscard]] static Code can_reach(bool* can, int peer, int device) {
    int reaches = 0;
    const Code code = hipDeviceCanAccessPeer(&reaches, peer, device);
    *can = reaches != 0;
    return code;
  }
  /// Lets kernels of `peer` use a pool's memory.
  [[nodiscard]] static Code open_pool(Pool pool, int peer) {
    hipMemAccessDesc access{};
    access.location.type = hipMemLocationTypeDevice;
    access.location.id = peer;
    access.flags = hipMemAccessFlagsProtReadWrite;
    return hipMemPoolSetAccess(pool, &access, 1);
  }
  /// Lets kernels of the current device use what `allocate` gives on `device`.
  [[nodiscard]] static Code open_device(int device) {
    const Code code = hipDeviceEnablePeerAccess(device, 0);
    if (code != hipErrorPeerAccessAlreadyEnabled) return code;
    static_cast<void>(hipGetLastError());
    return hipSuccess;
  }
  [[nodiscard]] static Code make_stream(Stream* stream) {
    return hipStreamCreateWithFlags(stream, hipStreamNonBlocking);
  }
  [[nodiscard]] static Code destroy_stream(Stream stream) { return hipStreamDestroy(stream); }
  [[nodiscard]] static Code synchronize(Stream stream) { return hipStreamSynchronize(stream); }
  [[nodiscard]] static Code query(Stream stream) { return hipStreamQuery(stream); }
  [[nodiscard]] static Code wait(Stream stream, Event event) { return hipStreamWaitEvent(stream, event, 0); }
#if HIP_VERSION >= 60000000
  [[nodiscard]] static Code device_of_stream(Stream stream, int* device) {
    return hipStreamGetDevice(stream, device);
  }
#endif
  [[nodiscard]] static Code is_capturing(Stream stream, bool* capturing) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    const Code code = hipStreamIsCapturing(stream, &status);
    *capturing = status != hipStreamCaptureStatusNone;
    return code;
  }
  [[nodiscard]] static Code begin_capture(Stream stream) {
    return hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal);
  }
  [[nodiscard]] static Code end_capture(Stream stream, ExecutableGraph* made) {
    hipGraph_t graph = nullptr;
    const Code ended = hipStreamEndCapture(stream, &graph);
    if (ended != hipSuccess) return ended;
    const Code code = hipGraphInstantiate(made, graph, nullptr, nullptr, 0);
    static_cast<void>(hipGraphDestroy(graph));
    return code;
  }
  [[nodiscard]] static Code launch_graph(ExecutableGraph graph, Stream stream) {
    return hipGraphLaunch(graph, stream);
  }
  [[nodiscard]] static Code destroy_graph(ExecutableGraph graph) {
    return hipGraphExecDestroy(graph);
  }
  [[nodiscard]] static Code free_memory(std::size_t* free) {
    std::size_t all = 0;
    return hipMemGetInfo(free, &all);
  }
  [[nodiscard]] static Code make_event(Event* event) {
    return hipEventCreate(event);
  }
  [[nodiscard]] static Code destroy_event(Event event) {
    return hipEventDestroy(event);
  }
  [[nodiscard]] static Code record(Event event, Stream stream) {
    return hipEventRecord(event, stream);
  }
  [[nodiscard]] static Code elapsed_milliseconds(float* time, Event first, Event second) {
    return hipEventElapsedTime(time, first, second);
  }
  [[nodiscard]] static Code copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, stream);
  }
  [[nodiscard]] static Code copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream);
  }
  /// The device on which memory lies, -1 for memory of the host, also of the host's that HIP does not know.
  [[nodiscard]] static Code device_of(const void* memory, int* device) {
    hipPointerAttribute_t attributes{};
    const Code code = hipPointerGetAttributes(&attributes, memory);
#if HIP_VERSION >= 60000000
    const hipMemoryType type = attributes.type;
#else
    const hipMemoryType type = attributes.memoryType;
#endif
    *device = code == hipSuccess && type == hipMemoryTypeDevice ? attributes.device : -1;
    if (code != hipErrorInvalidValue) return code;
    static_cast<void>(hipGetLastError());
    return hipSuccess;
  }
  [[nodiscard]] static Code allow_shared_memory(const void* kernel, std::size_t bytes) {
    return hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  }
#if defined(__CUDACC__) || defined(__HIPCC__)
  [[nodiscard]] static Code launch(const void* kernel, unsigned blocks, unsigned threads, void** arguments,
                                   std::size_t shared_bytes, Stream stream) {
    return hipLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments, shared_bytes, stream);
  }
#endif
  [[nodiscard]] static Code last_error() {
    return hipGetLastError();
  }

  struct Properties {
    std::string name;
    int architecture = 0;  ///< 90 for gfx90a
    std::size_t memory_bytes = 0;
    int multiprocessors = 0;
    int threads_per_multiprocessor = 0;
    std::size_t shared_bytes = 0;
  };
  [[nodiscard]] static Code properties(Properties* properties, int device) {
    hipDeviceProp_t of{};
    const Code code = hipGetDeviceProperties(&of, device);
    if (code == hipSuccess)
      *properties = {std::string(of.name) + " " + of.gcnArchName,
                     of.major * 10 + of.minor,
                     of.totalGlobalMem,
                     of.multiProcessorCount,
                     of.maxThreadsPerMultiProcessor,
                     of.sharedMemPerBlock};
    return code;
  }

  [[nodiscard]] static bool ok(Code code) {
    return code == hipSuccess;
  }
  [[nodiscard]] static bool not_ready(Code code) {
    return code == hipErrorNotReady;
  }
  [[nodiscard]] static bool is_out_of_memory(Code code) {
    return code == hipErrorOutOfMemory;
  }
  [[nodiscard]] static bool is_no_device(Code code) {
    return code == hipErrorNoDevice || code == hipErrorInsufficientDriver || code == hipErrorNotInitialized;
  }
  [[nodiscard]] static bool is_wrong_architecture(Code code) {
    return code == hipErrorNoBinaryForGpu || code == hipErrorInvalidDeviceFunction || code == hipErrorInvalidKernelFile;
  }
  /// Whether the process can use the device no more, whatever it calls.
  [[nodiscard]] static bool is_sticky(Code code) {
    return code == hipErrorIllegalAddress || code == hipErrorLaunchTimeOut || code == hipErrorAssert ||
           code == hipErrorLaunchFailure || code == hipErrorECCNotCorrectable;
  }
  [[nodiscard]] static const char* describe(Code code) {
    return hipGetErrorString(code);
  }
};

}  // namespace assay::inline v0::detail
