#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace assay::testing {

/// A runtime for `DeviceBackend` that runs nothing and writes down what it was asked for: of two devices whose memory
/// is the host's. `Hip`: by that name.
template <bool Hip>
struct RecordedRuntime {
  struct Handle {
    int number;
  };
  using Code = int;
  using Stream = Handle*;
  using Event = Handle*;
  static constexpr const char* name = Hip ? "HIP" : "CUDA";
  static constexpr const char* backend_name = Hip ? "hip" : "cuda";
  static constexpr const char* architecture_option = "ARCH";

  static inline std::vector<std::string>
      calls;  ///< record, wait, synchronize, last_error, with the streams' and events' names
  static inline std::map<const void*, int> places;  ///< memory whose device is known; other memory is the host's
  static inline Code answer_of_device_of = 0;
  static inline int current = 0, events = 0, streams = 0;

  [[nodiscard]] static std::string text(Handle* handle) {
    return std::to_string(reinterpret_cast<std::size_t>(handle) < 16
                              ? static_cast<int>(reinterpret_cast<std::size_t>(handle))
                              : handle->number);
  }

  static Code device_count(int* count) { return *count = 2, 0; }
  static Code device(int* device) { return *device = current, 0; }
  static Code set_device(int device) { return current = device, 0; }
  using Pool = int;
  static Code make_pool(Pool* pool, int, std::uint64_t) { return *pool = 1, 0; }
  static Code destroy_pool(Pool) { return 0; }
  static Code has_pools(bool* has, int) { return *has = true, 0; }
  static Code allocate_ordered(void** memory, std::size_t bytes, Pool, Stream) { return allocate(memory, bytes); }
  static Code deallocate_ordered(void* memory, Stream) { return deallocate(memory); }
  static Code allocate(void** memory, std::size_t bytes) {
    *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    places[*memory] = current;
    return 0;
  }
  static Code deallocate(void* memory) {
    places.erase(memory);
    std::free(memory);
    return 0;
  }
  static Code make_stream(Stream* stream) { return *stream = new Handle{100 + streams++}, 0; }
  static Code destroy_stream(Stream stream) { return delete stream, 0; }
  static Code synchronize(Stream stream) { return calls.push_back("synchronize " + text(stream)), 0; }
  static Code wait(Stream stream, Event event) {
    return calls.push_back("stream " + text(stream) + " waits for event " + text(event)), 0;
  }
  static Code is_capturing(Stream, bool* capturing) { return *capturing = false, 0; }
  static Code make_event(Event* event) { return *event = new Handle{200 + events++}, 0; }
  static Code destroy_event(Event event) { return delete event, 0; }
  static Code record(Event event, Stream stream) {
    return calls.push_back("event " + text(event) + " in stream " + text(stream)), 0;
  }
  static Code elapsed_milliseconds(float* time, Event, Event) { return *time = 0, 0; }
  static Code device_of(const void* memory, int* device) {
    const auto place = places.find(memory);
    return *device = place == places.end() ? -1 : place->second, answer_of_device_of;
  }
  static Code last_error() { return calls.push_back("last_error"), 0; }

  struct Properties {
    std::string name = "recorded";
    int architecture = 90;
    std::size_t memory_bytes = 1 << 20;
    int multiprocessors = 2, threads_per_multiprocessor = 64;
    std::size_t shared_bytes = 1 << 16;
  };
  static Code properties(Properties* properties, int) { return *properties = {}, 0; }

  static bool ok(Code code) { return code == 0; }
  static bool is_out_of_memory(Code) { return false; }
  static bool is_no_device(Code) { return false; }
  static bool is_wrong_architecture(Code) { return false; }
  static bool is_sticky(Code) { return false; }
  static const char* describe(Code) { return "as it was told to fail"; }
};

}  // namespace assay::testing
