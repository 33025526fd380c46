// What the parts of the runtime share. Nothing here is seen by those who use vrt.h.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "vrt.h"

namespace vrt {

/// Keeps the message for vrt_last_error.
vrt_status fail(vrt_status status, std::string message);

/// Threads that share the work of launches; whoever comes while they are busy does its work alone.
class Cores {
 public:
  explicit Cores(unsigned count);
  ~Cores();
  void run(std::size_t count, const std::function<void(std::size_t begin, std::size_t end)>& work);

 private:
  void serve();
  void take_chunks(const std::function<void(std::size_t, std::size_t)>& work);

  std::mutex turn_, mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::atomic<std::size_t> next_{0};
  std::size_t count_ = 0, chunk_ = 1, generation_ = 0, active_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

/// The device's memory: one range of addresses, first fit. Private memory may be touched only while it is open.
class Arena {
 public:
  Arena(std::size_t bytes, bool is_private);
  ~Arena();
  vrt_status create(vrt_device device, std::size_t bytes, std::size_t alignment, vrt_buffer* buffer);
  void destroy(vrt_buffer buffer);
  vrt_buffer at(const void* address);
  /// Whether the range lies in one buffer.
  bool holds(const void* address, std::size_t bytes);
  void open();
  void close();

 private:
  std::mutex mutex_;
  char* base_ = nullptr;
  std::size_t bytes_;
  bool private_;
  unsigned open_ = 0;
  std::map<std::size_t, vrt_buffer> buffers_;  // by offset
};

struct Moment {
  std::mutex mutex;
  std::condition_variable happened;
  unsigned long recorded = 0, reached = 0;
  std::chrono::steady_clock::time_point time;
};

}  // namespace vrt

struct vrt_device_s {
  explicit vrt_device_s(const vrt_device_options& options)
      : cores(options.cores), arena(options.memory_bytes, options.private_memory != 0) {}

  vrt::Cores cores;
  vrt::Arena arena;
  std::atomic<unsigned> errata{0};
  std::atomic<std::uint64_t> buffers{0}, buffer_bytes{0}, live_buffers{0}, bytes_to_device{0}, bytes_to_host{0},
      kernels{0}, functions{0};
};

struct vrt_buffer_s {
  vrt_device device;
  void* address;
  std::size_t bytes;
};

struct vrt_stream_s {
  explicit vrt_stream_s(vrt_device owner);
  ~vrt_stream_s();
  /// After work that failed none is done until `synchronize` tells, but for what others wait for.
  vrt_status submit(std::function<vrt_status()> work, bool even_after_failure = false);
  vrt_status synchronize();

  const vrt_device device;

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  struct Work {
    std::function<vrt_status()> run;
    bool even_after_failure;
  };
  std::deque<Work> queue_;
  bool busy_ = false, stopping_ = false;
  vrt_status failure_ = VRT_SUCCESS;
  std::thread thread_;
};

struct vrt_event_s {
  std::shared_ptr<vrt::Moment> moment = std::make_shared<vrt::Moment>();
};
