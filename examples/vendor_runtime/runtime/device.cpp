// Devices, their cores and their memory.
#include <sys/mman.h>

#include <algorithm>
#include <cfenv>
#include <cstdint>

#include "runtime.hpp"

namespace vrt {

namespace {
thread_local std::string last_error = "no call of this thread has failed";
constexpr std::size_t page = 4096;
}  // namespace

vrt_status fail(vrt_status status, std::string message) {
  last_error = std::move(message);
  return status;
}

Cores::Cores(unsigned count) {
  for (unsigned i = 1; i < count; ++i) threads_.emplace_back([this] { serve(); });  // a stream's thread is one more
}

Cores::~Cores() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Cores::run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::unique_lock turn(turn_, std::try_to_lock);
  if (!turn || threads_.empty() || count < 2) {
    if (count > 0) work(0, count);
    return;
  }
  std::unique_lock lock(mutex_);
  work_ = &work;
  count_ = count;
  chunk_ = std::max<std::size_t>(1, count / (8 * (threads_.size() + 1)));
  next_ = 0;
  ++generation_;
  changed_.notify_all();
  lock.unlock();
  take_chunks(work);
  lock.lock();
  work_ = nullptr;  // who wakes now finds nothing to do
  changed_.wait(lock, [&] { return active_ == 0; });
}

void Cores::serve() {
  std::fesetenv(FE_DFL_ENV);  // not that of who happened to make the thread
  std::size_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || (work_ != nullptr && generation_ != seen); });
    if (stopping_) return;
    seen = generation_;
    ++active_;  // nothing is replaced while a core is active
    const auto& work = *work_;
    lock.unlock();
    take_chunks(work);
    lock.lock();
    if (--active_ == 0) changed_.notify_all();
  }
}

void Cores::take_chunks(const std::function<void(std::size_t, std::size_t)>& work) {
  for (std::size_t begin; (begin = next_.fetch_add(chunk_)) < count_;) work(begin, std::min(count_, begin + chunk_));
}

Arena::Arena(std::size_t bytes, bool is_private) : bytes_((bytes + page - 1) / page * page), private_(is_private) {
  void* const range = ::mmap(nullptr, std::max(bytes_, page), is_private ? PROT_NONE : PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED)
    bytes_ = 0;
  else
    base_ = static_cast<char*>(range);
}

Arena::~Arena() {
  if (base_ != nullptr) ::munmap(base_, std::max(bytes_, page));
}

vrt_status Arena::create(vrt_device device, std::size_t bytes, std::size_t alignment, vrt_buffer* buffer) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > page)
    return fail(VRT_ERROR_INVALID_VALUE,
                "an alignment of " + std::to_string(alignment) + "; give a power of two up to 4096");
  const std::lock_guard lock(mutex_);
  std::size_t begin = 0, largest = 0;
  const auto fits_before = [&](std::size_t end) {
    begin = (begin + alignment - 1) / alignment * alignment;
    largest = std::max(largest, end > begin ? end - begin : 0);
    return begin <= end && bytes <= end - begin;
  };
  auto next = buffers_.begin();
  while (next != buffers_.end() && !fits_before(next->first)) {
    begin = next->first + std::max<std::size_t>(next->second->bytes, 1);
    ++next;
  }
  if (next == buffers_.end() && !fits_before(bytes_))
    return fail(VRT_ERROR_OUT_OF_MEMORY, "arena exhausted: " + std::to_string(bytes) +
                                             " bytes asked for, the largest gap of " + std::to_string(bytes_) +
                                             " bytes has " + std::to_string(largest));
  *buffer = new vrt_buffer_s{device, base_ + begin, bytes};
  buffers_[begin] = *buffer;
  return VRT_SUCCESS;
}

void Arena::destroy(vrt_buffer buffer) {
  const std::lock_guard lock(mutex_);
  buffers_.erase(static_cast<std::size_t>(static_cast<char*>(buffer->address) - base_));
  delete buffer;
}

vrt_buffer Arena::at(const void* address) {
  const std::lock_guard lock(mutex_);
  const auto found = buffers_.find(reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_));
  return found == buffers_.end() ? nullptr : found->second;
}

bool Arena::holds(const void* address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t begin = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_);
  auto after = buffers_.upper_bound(begin);
  if (after == buffers_.begin()) return false;
  const auto& [start, buffer] = *std::prev(after);
  return begin - start <= buffer->bytes && bytes <= buffer->bytes - (begin - start);
}

void Arena::open() {
  const std::lock_guard lock(mutex_);
  if (private_ && open_++ == 0) ::mprotect(base_, bytes_, PROT_READ | PROT_WRITE);
}

void Arena::close() {
  const std::lock_guard lock(mutex_);
  if (private_ && --open_ == 0) ::mprotect(base_, bytes_, PROT_NONE);
}

}  // namespace vrt

const char* vrt_status_text(vrt_status status) {
  switch (status) {
    case VRT_SUCCESS: return "success";
    case VRT_ERROR_INVALID_VALUE: return "invalid value";
    case VRT_ERROR_OUT_OF_MEMORY: return "out of device memory";
    case VRT_ERROR_NOT_SUPPORTED: return "not supported";
    case VRT_ERROR_NOT_READY: return "not ready";
    case VRT_ERROR_LAUNCH_FAILED: return "launch failed";
  }
  return "unknown status";
}

const char* vrt_last_error(void) {
  return vrt::last_error.c_str();
}

vrt_status vrt_device_open(const vrt_device_options* options, vrt_device* device) {
  if (options->cores == 0) return vrt::fail(VRT_ERROR_INVALID_VALUE, "a device of 0 cores; give 1 or more");
  *device = new vrt_device_s(*options);
  return VRT_SUCCESS;
}

void vrt_device_close(vrt_device device) {
  delete device;
}

void vrt_device_set_errata(vrt_device device, unsigned errata) {
  device->errata = errata;
}

void vrt_device_get_counters(vrt_device device, vrt_counters* counters) {
  *counters = {device->buffers,       device->buffer_bytes, device->live_buffers, device->bytes_to_device,
               device->bytes_to_host, device->kernels,      device->functions};
}

vrt_status vrt_buffer_create(vrt_device device, size_t bytes, size_t alignment, vrt_buffer* buffer) {
  const vrt_status status = device->arena.create(device, bytes, alignment, buffer);
  if (status != VRT_SUCCESS) return status;
  ++device->buffers;
  ++device->live_buffers;
  device->buffer_bytes += bytes;
  return VRT_SUCCESS;
}

void vrt_buffer_destroy(vrt_buffer buffer) {
  --buffer->device->live_buffers;
  buffer->device->arena.destroy(buffer);
}

void* vrt_buffer_address(vrt_buffer buffer) {
  return buffer->address;
}

vrt_buffer vrt_buffer_at(vrt_device device, const void* address) {
  return device->arena.at(address);
}
