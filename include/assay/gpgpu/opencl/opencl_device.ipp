#pragma once

#include "assay/gpgpu/opencl/opencl_device.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail::opencl {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<Functions> load_functions() {
  const char* const chosen = std::getenv("ASSAY_OPENCL");
  std::string name = chosen != nullptr && *chosen != '\0' ? chosen : "libOpenCL.so.1";
  int how = RTLD_NOW | RTLD_LOCAL;
  if (oclgrind_is_wanted()) {
    const auto found = find_oclgrind();
    if (!found) return found.propagate();
    name = found.value();
#if defined(__SANITIZE_ADDRESS__)
    return failure(ErrorKind::unsupported,
                   "Oclgrind cannot be loaded beside AddressSanitizer, which wants all symbols");
#elif defined(RTLD_DEEPBIND)
    how |= RTLD_DEEPBIND;  // it calls its own functions by names that a loader of OpenCL in this process has, too
#endif
  }
  void* const library = ::dlopen(name.c_str(), how);
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::unsupported,
                   "the loader of OpenCL is not here (" + std::string(reason == nullptr ? name : reason) +
                       "); install ocl-icd-libopencl1 and a driver, for a CPU pocl-opencl-icd, or name another library "
                       "by ASSAY_OPENCL");
  }
  Functions functions;
  const char* missing = nullptr;
#define ASSAY_DETAIL_OPENCL_LOAD(Returned, function, Arguments)                              \
  functions.function = reinterpret_cast<Returned(*) Arguments>(::dlsym(library, #function)); \
  if (functions.function == nullptr && missing == nullptr) missing = #function;
  ASSAY_DETAIL_OPENCL_FUNCTIONS(ASSAY_DETAIL_OPENCL_LOAD)
#undef ASSAY_DETAIL_OPENCL_LOAD
  if (missing != nullptr)
    return failure(ErrorKind::unsupported, "'" + name + "' is no loader of OpenCL 1.2: it has no " + missing);
  return functions;
}

struct FoundDevice {
  Device device = nullptr;
  OpenClDescription description = {};
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string text_of(const Functions& cl, Device device, Uint what) {
  std::size_t size = 0;
  if (cl.clGetDeviceInfo(device, what, 0, nullptr, &size) != success || size == 0 || size > (1 << 20)) return {};
  std::string text(size, '\0');
  if (cl.clGetDeviceInfo(device, what, size, text.data(), nullptr) != success) return {};
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

template <class T>
[[nodiscard]] T number_of(const Functions& cl, Device device, Uint what) {
  T value{};
  return cl.clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == success ? value : T{};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OpenClDescription describe(const Functions& cl, Device device,
                                                                    const std::string& platform) {
  OpenClDescription told;
  told.platform = platform;
  told.name = text_of(cl, device, device_name);
  const Bits type = number_of<Bits>(cl, device, device_type);
  told.kind = (type & device_type_gpu) != 0           ? "gpu"
              : (type & device_type_accelerator) != 0 ? "accelerator"
              : (type & device_type_cpu) != 0         ? "cpu"
                                                      : "other";
  told.version = text_of(cl, device, device_version);
  told.driver = text_of(cl, device, driver_version);
  const std::string extensions = " " + text_of(cl, device, device_extensions) + " ";
  const auto has = [&](const char* extension) {
    return extensions.find(" " + std::string(extension) + " ") != std::string::npos;
  };
  told.fp16 = has("cl_khr_fp16");
  told.fp64 = has("cl_khr_fp64");
  told.subgroups = has("cl_khr_subgroups");
  told.integer_dot_products = has("cl_khr_integer_dot_product");
  told.unified_memory = number_of<Uint>(cl, device, unified_memory) != 0;
  told.max_allocation = static_cast<std::size_t>(number_of<Bits>(cl, device, max_allocation));
  told.memory_bytes = static_cast<std::size_t>(number_of<Bits>(cl, device, global_memory));
  told.local_memory = static_cast<std::size_t>(number_of<Bits>(cl, device, local_memory));
  told.max_group_size = number_of<std::size_t>(cl, device, max_group_size);
  told.compute_units = number_of<Uint>(cl, device, max_compute_units);
  const std::size_t bytes = number_of<Uint>(cl, device, base_alignment_bits) / 8;
  told.alignment = 64;
  while (told.alignment < bytes && told.alignment < 65536) told.alignment *= 2;
  return told;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::vector<FoundDevice>> find_devices(const Functions& cl) {
  static constexpr const char* remedy =
      "install a driver: pocl-opencl-icd for a CPU, or the vendor's of the device (files in /etc/OpenCL/vendors name "
      "them; OCL_ICD_VENDORS chooses)";
  Uint count = 0;
  Int status = cl.clGetPlatformIDs(0, nullptr, &count);
  if (status == no_platform || (status == success && count == 0))
    return failure(ErrorKind::unsupported, std::string("OpenCL has no platform here; ") + remedy);
  if (status != success) return OpenClDevice::failed("clGetPlatformIDs", status);
  std::vector<Platform> platforms(count);
  status = cl.clGetPlatformIDs(count, platforms.data(), nullptr);
  if (status != success) return OpenClDevice::failed("clGetPlatformIDs", status);
  std::vector<FoundDevice> found;
  for (const Platform platform : platforms) {
    char name[256] = {};
    if (cl.clGetPlatformInfo(platform, platform_name, sizeof name - 1, name, nullptr) != success) continue;
    Uint devices = 0;
    if (cl.clGetDeviceIDs(platform, device_type_all, 0, nullptr, &devices) != success || devices == 0) continue;
    std::vector<Device> all(devices);
    if (cl.clGetDeviceIDs(platform, device_type_all, devices, all.data(), nullptr) != success) continue;
    for (const Device device : all)
      if (number_of<Uint>(cl, device, is_available) != 0) found.push_back({device, describe(cl, device, name)});
  }
  if (found.empty())
    return failure(ErrorKind::unsupported,
                   "none of OpenCL's " + std::to_string(count) + " platforms has a device here; " + remedy);
  return found;
}

}  // namespace detail::opencl

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OpenClDescription>> opencl_devices() {
  const auto functions = detail::opencl::load_functions();
  if (!functions) return functions.propagate();
  const auto found = detail::opencl::find_devices(functions.value());
  if (!found) return found.propagate();
  std::vector<OpenClDescription> all;
  for (const auto& device : found.value()) all.push_back(device.description);
  return all;
}

ASSAY_DETAIL_HEADER_INLINE Failure OpenClDevice::failed(const std::string& call, detail::opencl::Int status) {
  using namespace detail::opencl;
  const bool memory = status == allocation_failed || status == out_of_resources || status == out_of_host_memory;
  const char* const meaning = status == allocation_failed    ? " (no memory of the device)"
                              : status == out_of_resources   ? " (out of resources)"
                              : status == out_of_host_memory ? " (no memory of the host)"
                                                             : "";
  return failure(memory ? ErrorKind::out_of_memory : ErrorKind::device,
                 call + " failed with " + std::to_string(status) + meaning);
}

ASSAY_DETAIL_HEADER_INLINE Result<OpenClDevice*> OpenClDevice::shared() {
  static const Result<OpenClDevice*> opened = open();
  return opened;
}

ASSAY_DETAIL_HEADER_INLINE Result<OpenClDevice*> OpenClDevice::open() {
  using namespace detail::opencl;
  OclgrindLog log = oclgrind_is_wanted() ? OclgrindLog::prepare() : OclgrindLog();
  const auto functions = load_functions();
  if (!functions) return functions.propagate();
  const auto found = find_devices(functions.value());
  if (!found) return found.propagate();
  const char* const wanted = std::getenv("ASSAY_OPENCL_DEVICE");
  const FoundDevice* chosen = nullptr;
  std::string known;
  for (const FoundDevice& device : found.value()) {
    const std::string name = device.description.platform + ": " + device.description.name;
    known += (known.empty() ? "" : ", ") + name;
    const bool fits = wanted != nullptr && *wanted != '\0'
                          ? name.find(wanted) != std::string::npos
                          : device.description.kind == "gpu" || device.description.kind == "accelerator";
    if (fits && chosen == nullptr) chosen = &device;
  }
  if (chosen == nullptr) {
    if (wanted != nullptr && *wanted != '\0')
      return failure(ErrorKind::unsupported, "ASSAY_OPENCL_DEVICE is '" + std::string(wanted) +
                                                 "', a part of the name of no device; there are " + known);
    chosen = &found.value().front();
  }
  auto* const device = new OpenClDevice();  // for as long as the process lives
  device->functions_ = functions.value();
  device->device_ = chosen->device;
  device->description_ = chosen->description;
  Int status = success;
  device->context_ = device->functions_.clCreateContext(nullptr, 1, &device->device_, nullptr, nullptr, &status);
  if (device->context_ == nullptr || status != success) return failed("clCreateContext", status);
  if (oclgrind_is_wanted())
    if (auto opened = log.open(); !opened) return opened.propagate();
  device->oclgrind_ = std::move(log);
  device->queue_ = device->functions_.clCreateCommandQueue(device->context_, device->device_, 0, &status);
  if (device->queue_ == nullptr || status != success) return failed("clCreateCommandQueue", status);
  return device;
}

ASSAY_DETAIL_HEADER_INLINE Result<detail::opencl::Kernel> OpenClDevice::kernel(const std::string& file,
                                                                               const std::string& source,
                                                                               const std::string& options,
                                                                               const std::string& entry) {
  using namespace detail::opencl;
  const std::string key = file + '\0' + options;
  const auto known = kernels_.find({key, entry});
  if (known != kernels_.end()) return known->second;
  Int status = success;
  Program& program = programs_[key];
  if (program == nullptr) {
    const char* text = source.c_str();
    const std::size_t length = source.size();
    Program made = functions_.clCreateProgramWithSource(context_, 1, &text, &length, &status);
    if (made == nullptr || status != success) return failed("clCreateProgramWithSource", status);
    status = functions_.clBuildProgram(made, 1, &device_, options.c_str(), nullptr, nullptr);
    if (status != success) {
      std::string log(16384, '\0');
      std::size_t size = 0;
      if (functions_.clGetProgramBuildInfo(made, device_, build_log, log.size(), log.data(), &size) != success)
        size = 0;
      log.resize(size < log.size() ? size : log.size());
      while (!log.empty() && (log.back() == '\0' || log.back() == '\n' || log.back() == ' ')) log.pop_back();
      functions_.clReleaseProgram(made);
      return failure(ErrorKind::device, "'" + file + "' cannot be built" +
                                            (options.empty() ? "" : " with '" + options + "'") + " (" +
                                            std::to_string(status) + "): " + (log.empty() ? "no log" : log));
    }
    program = made;
  }
  const Kernel kernel = functions_.clCreateKernel(program, entry.c_str(), &status);
  if (kernel == nullptr || status != success)
    return failure(ErrorKind::not_found,
                   "'" + file + "' has no kernel '" + entry + "' (clCreateKernel gave " + std::to_string(status) + ")");
  kernels_[{key, entry}] = kernel;
  return kernel;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenClDevice::wait(detail::opencl::Event event) {
  using namespace detail::opencl;
  Int status = success, ended = success;
  if (event != nullptr) {
    status = functions_.clWaitForEvents(1, &event);
    if (functions_.clGetEventInfo(event, event_status, sizeof ended, &ended, nullptr) != success) ended = success;
    functions_.clReleaseEvent(event);
    if (ended < 0) return failed("the kernel", ended);
    if (status != success) return failed("clWaitForEvents", status);
  }
  status = functions_.clFinish(queue_);
  if (status != success) return failed("clFinish", status);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<OpenClBuffers> OpenClBuffers::create(OpenClDevice& device, const StagingPlan& plan) {
  using namespace detail::opencl;
  OpenClBuffers buffers(device, plan);
  const Functions& cl = device.functions();
  for (const StagedBlock& block : plan.blocks) {
    const std::size_t most = device.description().max_allocation;
    if (most > 0 && block.buffer_bytes() > most)
      return failure(ErrorKind::unsupported, "an operand takes " + std::to_string(block.buffer_bytes()) +
                                                 " bytes, and a buffer of the device has at most " +
                                                 std::to_string(most));
    Int status = success;
    const Memory memory = cl.clCreateBuffer(device.context(), read_write, block.buffer_bytes(), nullptr, &status);
    if (memory == nullptr || status != success) return OpenClDevice::failed("clCreateBuffer", status);
    buffers.memories_.push_back(memory);
    status = cl.clEnqueueWriteBuffer(device.queue(), memory, 1, block.offset, block.bytes(), block.begin, 0, nullptr,
                                     nullptr);
    if (status != success) return OpenClDevice::failed("clEnqueueWriteBuffer", status);
  }
  return Result<OpenClBuffers>(std::move(buffers));
}

ASSAY_DETAIL_HEADER_INLINE OpenClBuffers::~OpenClBuffers() {
  for (auto memory = memories_.rbegin(); memory != memories_.rend(); ++memory)
    device_->functions().clReleaseMemObject(*memory);
}

ASSAY_DETAIL_HEADER_INLINE Result<detail::opencl::Memory> OpenClBuffers::from(std::size_t block, std::size_t origin) {
  using namespace detail::opencl;
  if (origin == 0) return memories_[block];
  const Region part{origin, plan_.blocks[block].buffer_bytes() - origin};
  Int status = success;
  const Memory memory = device_->functions().clCreateSubBuffer(memories_[block], read_write, region, &part, &status);
  if (memory == nullptr || status != success) return OpenClDevice::failed("clCreateSubBuffer", status);
  memories_.push_back(memory);
  return memory;
}

ASSAY_DETAIL_HEADER_INLINE Result<detail::opencl::Memory> OpenClBuffers::scratch(std::size_t bytes) {
  using namespace detail::opencl;
  Int status = success;
  const Memory memory =
      device_->functions().clCreateBuffer(device_->context(), read_write, bytes < 64 ? 64 : bytes, nullptr, &status);
  if (memory == nullptr || status != success) return OpenClDevice::failed("clCreateBuffer", status);
  memories_.push_back(memory);
  return memory;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenClBuffers::fetch() {
  using namespace detail::opencl;
  for (std::size_t i = 0; i < plan_.blocks.size(); ++i) {
    const StagedBlock& block = plan_.blocks[i];
    const Int status = device_->functions().clEnqueueReadBuffer(device_->queue(), memories_[i], 1, block.offset,
                                                                block.bytes(), block.begin, 0, nullptr, nullptr);
    if (status != success) return OpenClDevice::failed("clEnqueueReadBuffer", status);
  }
  return {};
}

}  // namespace assay::inline v0
