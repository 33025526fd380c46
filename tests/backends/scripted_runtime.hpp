#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace assay::testing {

enum class ScriptedCode {
  success,
  invalid_value,
  out_of_memory,
  no_device,
  no_kernel_image,
  illegal_address,
  not_ready
};

struct ScriptedHandle {
  int device;
  bool capturing = false;
  double milliseconds = 0;
};

struct ScriptedBooks {
  int devices = 2;
  int current = 0;
  bool pools = true;                            ///< which the devices have
  std::set<std::pair<int, int>> joined;         ///< devices whose kernels reach the memory of another one
  std::map<std::string, ScriptedCode> failing;  ///< calls that fail, as often as they are made
  std::vector<std::string> calls;               ///< with the device that was current
  std::map<void*, int> memory;
  std::set<ScriptedHandle*> streams, events, graphs;
  ScriptedCode last = ScriptedCode::success;
  std::size_t misalignment = 0;
  double clock = 0;
};

/// A runtime for `DeviceBackend`, of devices whose memory is the host's: it does what it is asked for at once, keeps
/// the books, and fails where it is told to. As in CUDA, a failure is also the thread's last error until somebody asks
/// for that.
struct ScriptedRuntime {
  using Code = ScriptedCode;
  using Handle = ScriptedHandle;
  using Stream = Handle*;
  using Event = Handle*;
  using ExecutableGraph = Handle*;
  static constexpr const char* name = "Scripted";
  static constexpr const char* backend_name = "scripted";
  static constexpr const char* architecture_option = "SCRIPTED_ARCH";

  static inline ScriptedBooks books;

  static Code answer(const std::string& call) {
    books.calls.push_back(call + " on " + std::to_string(books.current));
    const auto failing = books.failing.find(call);
    return failing == books.failing.end() ? Code::success : books.last = failing->second;
  }
  static bool called(const std::string& call) {
    for (const std::string& made : books.calls)
      if (made == call) return true;
    return false;
  }
  static Code make(const char* call, std::set<Handle*>& all, Handle** handle) {
    const Code code = answer(call);
    if (ok(code)) all.insert(*handle = new Handle{books.current});
    return code;
  }
  static Code destroy(const char* call, std::set<Handle*>& all, Handle* handle) {
    if (all.erase(handle) == 0) return Code::invalid_value;
    delete handle;
    return answer(call);
  }

  static Code device_count(int* count) { return *count = books.devices, answer("device_count"); }
  static Code device(int* device) { return *device = books.current, Code::success; }
  static Code set_device(int device) { return books.current = device, Code::success; }
  using Pool = int;
  static Code make_pool(Pool* pool, int, std::uint64_t) { return *pool = 1, answer("make_pool"); }
  static Code destroy_pool(Pool) { return answer("destroy_pool"); }
  static Code has_pools(bool* has, int) { return *has = books.pools, answer("has_pools"); }
  static Code can_reach(bool* can, int peer, int device) {
    return *can = books.joined.contains({peer, device}), answer("can_reach");
  }
  static Code open_pool(Pool, int peer) { return answer("open_pool to " + std::to_string(peer)); }
  static Code open_device(int device) { return answer("open_device " + std::to_string(device)); }
  static Code allocate_ordered(void** memory, std::size_t bytes, Pool, Stream) { return allocate(memory, bytes); }
  static Code deallocate_ordered(void* memory, Stream) { return deallocate(memory); }
  static Code allocate(void** memory, std::size_t bytes) {
    const Code code = answer("allocate");
    if (!ok(code)) return code;
    *memory = static_cast<char*>(std::aligned_alloc(256, (bytes + books.misalignment + 255) / 256 * 256)) +
              books.misalignment;
    books.memory[*memory] = books.current;
    return code;
  }
  static Code deallocate(void* memory) {
    if (books.memory.erase(memory) == 0) return Code::invalid_value;
    std::free(static_cast<char*>(memory) - books.misalignment);
    return answer("deallocate");
  }
  static Code make_stream(Stream* stream) { return make("make_stream", books.streams, stream); }
  static Code destroy_stream(Stream stream) { return destroy("destroy_stream", books.streams, stream); }
  static Code synchronize(Stream) { return answer("synchronize"); }
  static Code wait(Stream, Event) { return answer("wait"); }
  static Code device_of_stream(Stream stream, int* device) {
    return *device = stream == nullptr ? books.current : stream->device, answer("device_of_stream");
  }
  static Code is_capturing(Stream stream, bool* capturing) {
    return *capturing = stream != nullptr && stream->capturing, answer("is_capturing");
  }
  static Code begin_capture(Stream stream) { return stream->capturing = true, answer("begin_capture"); }
  static Code end_capture(Stream stream, ExecutableGraph* graph) {
    return stream->capturing = false, make("end_capture", books.graphs, graph);
  }
  static Code launch_graph(ExecutableGraph, Stream) { return answer("launch_graph"); }
  static Code destroy_graph(ExecutableGraph graph) { return destroy("destroy_graph", books.graphs, graph); }
  static Code free_memory(std::size_t* free) { return *free = 12345, answer("free_memory"); }
  static Code make_event(Event* event) { return make("make_event", books.events, event); }
  static Code destroy_event(Event event) { return destroy("destroy_event", books.events, event); }
  static Code record(Event event, Stream) { return event->milliseconds = books.clock += 250, answer("record"); }
  static Code elapsed_milliseconds(float* time, Event first, Event second) {
    return *time = static_cast<float>(second->milliseconds - first->milliseconds), answer("elapsed");
  }
  static Code copy(const char* call, void* to, const void* from, std::size_t bytes) {
    const Code code = answer(call);
    if (ok(code)) std::memcpy(to, from, bytes);
    return code;
  }
  static Code copy_to_device(void* to, const void* from, std::size_t bytes, Stream) {
    return copy("copy_to_device", to, from, bytes);
  }
  static Code copy_to_host(void* to, const void* from, std::size_t bytes, Stream) {
    return copy("copy_to_host", to, from, bytes);
  }
  static Code device_of(const void* memory, int* device) {
    const auto place = books.memory.find(const_cast<void*>(memory));
    return *device = place == books.memory.end() ? -1 : place->second, answer("device_of");
  }
  static Code last_error() {
    const Code last = books.last;
    return books.last = Code::success, last;
  }

  struct Properties {
    std::string name;
    int architecture = 0;
    std::size_t memory_bytes = 0;
    int multiprocessors = 0;
    int threads_per_multiprocessor = 0;
    std::size_t shared_bytes = 0;
  };
  static Code properties(Properties* properties, int device) {
    *properties = {"scripted unit " + std::to_string(device), 90, std::size_t{1} << 37, 132, 2048, 227 * 1024};
    return answer("properties");
  }

  static bool ok(Code code) { return code == Code::success; }
  static bool is_out_of_memory(Code code) { return code == Code::out_of_memory; }
  static bool is_no_device(Code code) { return code == Code::no_device; }
  static bool is_wrong_architecture(Code code) { return code == Code::no_kernel_image; }
  static bool is_sticky(Code code) { return code == Code::illegal_address; }
  static const char* describe(Code code) {
    constexpr const char* texts[] = {"no error",        "invalid value",   "out of memory", "no device",
                                     "no kernel image", "illegal address", "not ready"};
    return texts[static_cast<int>(code)];
  }
};

}  // namespace assay::testing
