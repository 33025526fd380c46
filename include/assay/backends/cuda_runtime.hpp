#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// CUDA's runtime under the names by which code for several devices calls it. What `DeviceBackend` takes as its
/// runtime.
struct CudaRuntime {
  using Code = cudaError_t;
  using Stream = cudaStream_t;
  using Event = cudaEvent_t;
  using Pool = cudaMemPool_t;
  using ExecutableGraph = cudaGraphExec_t;
  static constexpr const char* name = "CUDA";
  static constexpr const char* backend_name = "cuda";
  static constexpr const char* collective_name = "nccl";
  static constexpr const char* architecture_option = "CUDA_ARCH";

  [[nodiscard]] static Code device_count(int* count) { return cudaGetDeviceCount(count); }
  [[nodiscard]] static Code device(int* device) { return cudaGetDevice(device); }
  [[nodiscard]] static Code set_device(int device) { return cudaSetDevice(device); }
  [[nodiscard]] static Code allocate(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
  [[nodiscard]] static Code deallocate(void* memory) { return cudaFree(memory); }
  /// Older devices, and virtual ones, may have none.
  [[nodiscard]] static Code has_pools(bool* has, int device) {
    int pools = 0;
    const Code code = cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device);
    *has = pools != 0;
    return code;
  }
  /// A pool that keeps so many bytes when nothing uses them: the default one gives all back whenever a stream is waited
  /// for.
  [[nodiscard]] static Code make_pool(Pool* pool, int device, std::uint64_t kept_bytes) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    const Code code = cudaMemPoolCreate(pool, &properties);
    return code == cudaSuccess ? cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes) : code;
  }
  [[nodiscard]] static Code destroy_pool(Pool pool) { return cudaMemPoolDestroy(pool); }
  [[nodiscard]] static Code allocate_ordered(void** memory, std::size_t bytes, Pool pool, Stream stream) {
    return cudaMallocFromPoolAsync(memory, bytes, pool, stream);
  }
  [[nodiscard]] static Code deallocate_ordered(void* memory, Stream stream) { return cudaFreeAsync(memory, stream); }
  [[nodiscard]] static Code can_reach(bool* can, int peer, int device) {
    int reaches = 0;
    const Code code = cudaDeviceCanAccessPeer(&reaches, peer, device);
    *can = reaches != 0;
    return code;
  }
  /// Lets kernels of `peer` use a pool's memory.
  [[nodiscard]] static Code open_pool(Pool pool, int peer) {
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = peer;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    return cudaMemPoolSetAccess(pool, &access, 1);
  }
  /// Lets kernels of the current device use what `allocate` gives on `device`.
  [[nodiscard]] static Code open_device(int device) {
    const Code code = cudaDeviceEnablePeerAccess(device, 0);
    if (code != cudaErrorPeerAccessAlreadyEnabled) return code;
    static_cast<void>(cudaGetLastError());
    return cudaSuccess;
  }
  [[nodiscard]] static Code make_stream(Stream* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  }
  [[nodiscard]] static Code destroy_stream(Stream stream) { return cudaStreamDestroy(stream); }
  [[nodiscard]] static Code synchronize(Stream stream) { return cudaStreamSynchronize(stream); }
  [[nodiscard]] static Code query(Stream stream) { return cudaStreamQuery(stream); }
  [[nodiscard]] static Code wait(Stream stream, Event event) { return cudaStreamWaitEvent(stream, event, 0); }
#if CUDART_VERSION >= 12080
  [[nodiscard]] static Code device_of_stream(Stream stream, int* device) {
    return cudaStreamGetDevice(stream, device);
  }
#endif
  [[nodiscard]] static Code is_capturing(Stream stream, bool* capturing) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const Code code = cudaStreamIsCapturing(stream, &status);
    *capturing = status != cudaStreamCaptureStatusNone;
    return code;
  }
  [[nodiscard]] static Code begin_capture(Stream stream) {
    return cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  }
  [[nodiscard]] static Code end_capture(Stream stream, ExecutableGraph* made) {
    cudaGraph_t graph = nullptr;
    const Code ended = cudaStreamEndCapture(stream, &graph);
    if (ended != cudaSuccess) return ended;
    const Code code = cudaGraphInstantiate(made, graph, 0);
    static_cast<void>(cudaGraphDestroy(graph));
    return code;
  }
  [[nodiscard]] static Code launch_graph(ExecutableGraph graph, Stream stream) {
    return cudaGraphLaunch(graph, stream);
  }
  [[nodiscard]] static Code destroy_graph(ExecutableGraph graph) {
    return cudaGraphExecDestroy(graph);
  }
  [[nodiscard]] static Code free_memory(std::size_t* free) {
    std::size_t all = 0;
    return cudaMemGetInfo(free, &all);
  }
  [[nodiscard]] static Code make_event(Event* event) {
    return cudaEventCreate(event);
  }
  [[nodiscard]] static Code destroy_event(Event event) {
    return cudaEventDestroy(event);
  }
  [[nodiscard]] static Code record(Event event, Stream stream) {
    return cudaEventRecord(event, stream);
  }
  [[nodiscard]] static Code elapsed_milliseconds(float* time, Event first, Event second) {
    return cudaEventElapsedTime(time, first, second);
  }
  [[nodiscard]] static Code copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream);
  }
  [[nodiscard]] static Code copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
  }
  /// The device on which memory lies, -1 for memory of the host.
  [[nodiscard]] static Code device_of(const void* memory, int* device) {
    cudaPointerAttributes attributes{};
    const Code code = cudaPointerGetAttributes(&attributes, memory);
    const bool on_device = attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
    *device = code == cudaSuccess && on_device ? attributes.device : -1;
    return code;
  }
  [[nodiscard]] static Code allow_shared_memory(const void* kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  }
#if defined(__CUDACC__) || defined(__HIPCC__)
  [[nodiscard]] static Code launch(const void* kernel, unsigned blocks, unsigned threads, void** arguments,
                                   std::size_t shared_bytes, Stream stream) {
    return cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments, shared_bytes, stream);
  }
#endif
  [[nodiscard]] static Code last_error() {
    return cudaGetLastError();
  }

  struct Properties {
    std::string name;
    int architecture = 0;  ///< 90 for compute capability 9.0
    std::size_t memory_bytes = 0;
    int multiprocessors = 0;
    int threads_per_multiprocessor = 0;
    std::size_t shared_bytes = 0;  ///< that a block may have when it asks for it
  };
  [[nodiscard]] static Code properties(Properties* properties, int device) {
    cudaDeviceProp of{};
    const Code code = cudaGetDeviceProperties(&of, device);
    if (code == cudaSuccess)
      *properties = {of.name,
                     of.major * 10 + of.minor,
                     of.totalGlobalMem,
                     of.multiProcessorCount,
                     of.maxThreadsPerMultiProcessor,
                     of.sharedMemPerBlockOptin};
    return code;
  }

  [[nodiscard]] static bool ok(Code code) {
    return code == cudaSuccess;
  }
  [[nodiscard]] static bool not_ready(Code code) {
    return code == cudaErrorNotReady;
  }
  [[nodiscard]] static bool is_out_of_memory(Code code) {
    return code == cudaErrorMemoryAllocation;
  }
  [[nodiscard]] static bool is_no_device(Code code) {
    return code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver || code == cudaErrorStubLibrary ||
           code == cudaErrorInitializationError || code == cudaErrorSystemNotReady ||
           code == cudaErrorSystemDriverMismatch || code == cudaErrorCompatNotSupportedOnDevice;
  }
  [[nodiscard]] static bool is_wrong_architecture(Code code) {
    return code == cudaErrorNoKernelImageForDevice || code == cudaErrorUnsupportedPtxVersion ||
           code == cudaErrorInvalidDeviceFunction;
  }
  /// Whether the process can use the device no more, whatever it calls.
  [[nodiscard]] static bool is_sticky(Code code) {
    return code == cudaErrorIllegalAddress || code == cudaErrorExternalDevice || code == cudaErrorLaunchTimeout ||
           code == cudaErrorAssert || code == cudaErrorHardwareStackError || code == cudaErrorIllegalInstruction ||
           code == cudaErrorMisalignedAddress || code == cudaErrorInvalidAddressSpace || code == cudaErrorInvalidPc ||
           code == cudaErrorLaunchFailure || code == cudaErrorECCUncorrectable;
  }
  [[nodiscard]] static const char* describe(Code code) {
    return cudaGetErrorString(code);
  }
};

}  // namespace assay::inline v0::detail
