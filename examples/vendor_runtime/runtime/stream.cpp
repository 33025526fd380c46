// Streams and events, and what is submitted to them but kernels.
#include <cfenv>
#include <cstring>
#include <utility>

#include "runtime.hpp"

vrt_stream_s::vrt_stream_s(vrt_device owner) : device(owner), thread_([this] { serve(); }) {}

vrt_stream_s::~vrt_stream_s() {
  synchronize();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

vrt_status vrt_stream_s::submit(std::function<vrt_status()> work, bool even_after_failure) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(work), even_after_failure});
  }
  changed_.notify_all();
  return VRT_SUCCESS;
}

vrt_status vrt_stream_s::synchronize() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
  const vrt_status status = std::exchange(failure_, VRT_SUCCESS);
  return status == VRT_SUCCESS ? status
                               : vrt::fail(status, "work that was submitted to the stream failed while it ran");
}

void vrt_stream_s::serve() {
  std::fesetenv(FE_DFL_ENV);  // not that of who happened to make the thread
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const Work work = std::move(queue_.front());
    queue_.pop_front();
    if (failure_ == VRT_SUCCESS || work.even_after_failure) {
      busy_ = true;
      lock.unlock();
      device->arena.open();
      const vrt_status status = work.run();
      device->arena.close();
      lock.lock();
      busy_ = false;
      if (failure_ == VRT_SUCCESS) failure_ = status;
    }
    if (queue_.empty()) changed_.notify_all();
  }
}

vrt_status vrt_stream_create(vrt_device device, vrt_stream* stream) {
  *stream = new vrt_stream_s(device);
  return VRT_SUCCESS;
}

void vrt_stream_destroy(vrt_stream stream) {
  delete stream;
}

vrt_status vrt_stream_synchronize(vrt_stream stream) {
  return stream->synchronize();
}

static vrt_status copy(vrt_stream stream, void* to, const void* from, const void* device_side, size_t bytes) {
  if (bytes == 0) return VRT_SUCCESS;
  if (to == nullptr || from == nullptr)
    return vrt::fail(VRT_ERROR_INVALID_VALUE, "a copy of " + std::to_string(bytes) + " bytes from or to null");
  if (!stream->device->arena.holds(device_side, bytes))
    return vrt::fail(VRT_ERROR_INVALID_VALUE,
                     "a copy of " + std::to_string(bytes) + " bytes that do not lie in one buffer of the device");
  return stream->submit([=] {
    std::memcpy(to, from, bytes);
    return VRT_SUCCESS;
  });
}

vrt_status vrt_copy_to_device(vrt_stream stream, void* device_address, const void* host_address, size_t bytes) {
  stream->device->bytes_to_device += bytes;
  return copy(stream, device_address, host_address, device_address, bytes);
}

vrt_status vrt_copy_to_host(vrt_stream stream, void* host_address, const void* device_address, size_t bytes) {
  stream->device->bytes_to_host += bytes;
  return copy(stream, host_address, device_address, device_address, bytes);
}

vrt_status vrt_launch_function(vrt_stream stream, vrt_function function, const void* context, size_t context_bytes,
                               size_t count) {
  ++stream->device->functions;
  const char* const bytes = static_cast<const char*>(context);
  return stream->submit(
      [device = stream->device, function, own = std::vector<char>(bytes, bytes + context_bytes), count] {
        device->cores.run(count, [&](std::size_t begin, std::size_t end) { function(own.data(), begin, end); });
        return VRT_SUCCESS;
      });
}

vrt_status vrt_event_create(vrt_device, vrt_event* event) {
  *event = new vrt_event_s;
  return VRT_SUCCESS;
}

void vrt_event_destroy(vrt_event event) {
  delete event;
}

vrt_status vrt_event_record(vrt_event event, vrt_stream stream) {
  unsigned long number = 0;
  {
    const std::lock_guard lock(event->moment->mutex);
    number = ++event->moment->recorded;
  }
  return stream->submit(
      [moment = event->moment, number] {
        const std::lock_guard lock(moment->mutex);
        moment->reached = number;
        moment->time = std::chrono::steady_clock::now();
        moment->happened.notify_all();
        return VRT_SUCCESS;
      },
      true);
}

vrt_status vrt_stream_wait(vrt_stream stream, vrt_event event) {
  const std::lock_guard lock(event->moment->mutex);
  const unsigned long number = event->moment->recorded;
  if (number == 0) return vrt::fail(VRT_ERROR_INVALID_VALUE, "an event that was never recorded is waited for");
  return stream->submit([moment = event->moment, number] {
    std::unique_lock own(moment->mutex);
    moment->happened.wait(own, [&] { return moment->reached >= number; });
    return VRT_SUCCESS;
  });
}

vrt_status vrt_event_elapsed(vrt_event first, vrt_event second, double* seconds) {
  std::chrono::steady_clock::time_point times[2];
  const vrt_event events[] = {first, second};
  for (int i = 0; i < 2; ++i) {
    vrt::Moment& moment = *events[i]->moment;
    const std::lock_guard lock(moment.mutex);
    if (moment.recorded == 0)
      return vrt::fail(VRT_ERROR_INVALID_VALUE, "the time of an event that was never recorded is asked for");
    if (moment.reached < moment.recorded)
      return vrt::fail(VRT_ERROR_NOT_READY, "the time of an event that has not happened yet is asked for");
    times[i] = moment.time;
  }
  *seconds = std::chrono::duration<double>(times[1] - times[0]).count();
  return VRT_SUCCESS;
}
