#include "assay/backends/device_backend.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assay/backends/aligned_resource.hpp"
#include "assay/backends/graph_backend.hpp"
#include "backends/scripted_runtime.hpp"
#include "testing/catch.hpp"

using namespace assay;
using testing::contains;
using testing::ScriptedRuntime;
using Code = ScriptedRuntime::Code;
using Device = DeviceBackend<ScriptedRuntime>;
static_assert(BlockBackend<Device> && GraphBackend<Device>);
static_assert(!backend_runs_on_host<Device>);

namespace {

/// The second device of a fresh runtime, with the first one current.
Device opened() {
  ScriptedRuntime::books = {};
  return Device::open(1).value();
}

template <class T>
void check_failure(const Result<T>& result, ErrorKind kind, const std::string& text) {
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().kind == kind);
  CHECK_THAT(result.error().message, contains(text));
}

}  // namespace

TEST_CASE("a device that is not there is unsupported, and the message says what is", "[backends]") {
  ScriptedRuntime::books = {};
  for (const int number : {2, 7, -1})
    check_failure(Device::open(number), ErrorKind::unsupported,
                  "Scripted has no device " + std::to_string(number) + " on this machine; it has 2, counted from 0");
  ScriptedRuntime::books.failing["device_count"] = Code::no_device;
  check_failure(Device::open(), ErrorKind::unsupported,
                "Scripted finds no device that it can use (counting devices: no device); install the driver");
  CHECK(ScriptedRuntime::books.last == Code::success);
  ScriptedRuntime::books.failing = {{"properties", Code::invalid_value}};
  check_failure(Device::open(), ErrorKind::device, "Scripted device 0, reading its properties: invalid value");
  ScriptedRuntime::books.failing = {{"make_stream", Code::out_of_memory}};
  check_failure(Device::open(), ErrorKind::out_of_memory, "making a stream");
  CHECK(ScriptedRuntime::books.streams.empty());
}

TEST_CASE("a device tells what it is", "[backends]") {
  const Device device = opened();
  CHECK(device.name() == "scripted");
  CHECK(device.device() == 1);
  CHECK(device.architecture() == 90);
  CHECK(device.multiprocessors() == 132);
  const Capabilities capabilities = device.capabilities();
  CHECK(capabilities.device == "scripted unit 1");
  CHECK(capabilities.concurrency == 132 * 2048);
  CHECK(capabilities.asynchronous);
  CHECK_FALSE(capabilities.host_accessible);
  CHECK(device.free_memory_bytes().value() == 12345);
}

TEST_CASE("failures of a device's runtime name call, device and remedy, and leave no error behind for the next launch",
          "[backends]") {
  Device device = opened();
  auto stream = device.make_stream().value();
  auto first = device.make_event().value(), second = device.make_event().value();
  auto buffer = device.allocate<float>(10).value();
  std::vector<float> host(10);
  REQUIRE(device.record(first, stream));
  REQUIRE(device.record(second, stream));
  struct Call {
    const char* scripted;
    const char* named;
    std::function<Result<void>()> make;
  };
  const auto without_value = [](const auto& result) -> Result<void> {
    return result ? Result<void>() : result.propagate();
  };
  const std::vector<Call> calls{
      {"make_stream", "making a stream", [&] { return without_value(device.make_stream()); }},
      {"make_event", "making an event", [&] { return without_value(device.make_event()); }},
      {"copy_to_device", "a copy of 40 bytes to the device",
       [&] { return device.copy_to_device(stream, buffer.data(), host.data(), 10); }},
      {"copy_to_host", "a copy of 40 bytes to the host",
       [&] { return device.copy_to_host(stream, host.data(), buffer.data(), 10); }},
      {"device_of", "asking where memory lies",
       [&] { return device.copy_to_host(stream, host.data(), buffer.data(), 10); }},
      {"record", "recording an event", [&] { return device.record(first, stream); }},
      {"wait", "waiting for an event", [&] { return device.wait(stream, first); }},
      {"elapsed", "the time between two events", [&] { return without_value(device.elapsed_seconds(first, second)); }},
      {"synchronize", "waiting for a stream", [&] { return device.synchronize(stream); }},
      {"is_capturing", "asking for a stream's capture", [&] { return device.synchronize(stream); }},
      {"device_of_stream", "asking for a stream's device",
       [&] { return without_value(device.borrow(stream.handle())); }},
      {"begin_capture", "beginning to capture", [&] { return device.begin_capture(stream); }},
      {"end_capture", "capturing a stream into a graph", [&] { return without_value(device.end_capture(stream)); }},
      {"launch_graph", "the launch of a graph", [&] { return device.launch(stream, Device::Graph()); }},
      {"free_memory", "asking for free memory", [&] { return without_value(device.free_memory_bytes()); }},
  };
  for (const Call& call : calls) {
    INFO(call.scripted);
    ScriptedRuntime::books.current = 0;
    const auto fails = [&](Code code, ErrorKind kind, const std::string& remedy) {
      ScriptedRuntime::books.failing = {{call.scripted, code}};
      ScriptedRuntime::books.calls.clear();
      const auto result = call.make();
      check_failure(result, kind, call.named);
      CHECK_THAT(result.error().message, contains("Scripted"));
      CHECK_THAT(result.error().message, contains(ScriptedRuntime::describe(code)));
      CHECK_THAT(result.error().message, contains(remedy));
      CHECK(ScriptedRuntime::books.last == Code::success);
      CHECK(ScriptedRuntime::books.current == 0);
      CHECK(ScriptedRuntime::called(std::string(call.scripted) + " on 1"));
    };
    fails(Code::invalid_value, ErrorKind::device, "device 1");
    fails(Code::out_of_memory, ErrorKind::out_of_memory, "free memory");
    fails(Code::no_kernel_image, ErrorKind::unsupported, "build it with its architecture (SCRIPTED_ARCH)");
    fails(Code::no_device, ErrorKind::unsupported, "install the driver");
    fails(Code::illegal_address, ErrorKind::device, "this process can use the device no more");
    ScriptedRuntime::books.failing.clear();
    CHECK(call.make());
    CHECK(ScriptedRuntime::books.current == 0);
    if (std::string(call.scripted) == "begin_capture") REQUIRE(device.end_capture(stream));
  }
}

TEST_CASE("a stream that is captured into a graph is not waited for", "[backends]") {
  Device device = opened();
  auto stream = device.make_stream().value();
  REQUIRE(device.begin_capture(stream));
  check_failure(device.synchronize(stream), ErrorKind::invalid, "Scripted is capturing this stream into a graph");
  CHECK_FALSE(ScriptedRuntime::called("synchronize on 1"));
  {
    const auto graph = device.end_capture(stream);
    REQUIRE(graph);
    CHECK(device.launch(stream, graph.value()));
    CHECK(ScriptedRuntime::books.graphs.size() == 1);
  }
  CHECK(ScriptedRuntime::books.graphs.empty());
  CHECK(device.synchronize(stream));
}

TEST_CASE("own streams and events end with their last owner, borrowed streams are left alone", "[backends]") {
  Device device = opened();
  const std::size_t pool = ScriptedRuntime::books.streams.size();
  {
    auto stream = device.make_stream().value();
    auto event = device.make_event().value();
    Device::Stream moved = std::move(stream);
    CHECK(ScriptedRuntime::books.streams.size() == pool + 1);
    CHECK(ScriptedRuntime::books.events.size() == 1);
    CHECK((*ScriptedRuntime::books.events.begin())->device == 1);
    CHECK(moved.handle()->device == 1);
  }
  CHECK(ScriptedRuntime::books.streams.size() == pool);
  CHECK(ScriptedRuntime::books.events.empty());

  ScriptedRuntime::Handle own{1}, of_another{0};
  {
    auto borrowed = device.borrow(&own);
    REQUIRE(borrowed);
    CHECK(borrowed.value().handle() == &own);
    CHECK(device.synchronize(borrowed.value()));
    auto standard = device.borrow(nullptr);
    REQUIRE(standard);
    CHECK(standard.value().handle() == nullptr);
    CHECK(device.synchronize(standard.value()));
  }
  CHECK(ScriptedRuntime::books.streams.size() == pool);
  check_failure(device.borrow(&of_another), ErrorKind::invalid, "Scripted device 1 was given a stream of device 0");
}

TEST_CASE("copies are counted, over all handles on a device, and refused for memory of another one", "[backends]") {
  Device device = opened();
  const Device copy = device;
  auto stream = device.make_stream().value();
  auto buffer = device.allocate<float>(10).value();
  std::vector<float> sent(10, 2.5f), received(10);
  REQUIRE(device.copy_to_device(stream, buffer.data(), sent.data(), 10));
  REQUIRE(copy.copy_to_host(stream, received.data(), buffer.data(), 7));
  REQUIRE(copy.copy_to_host(stream, received.data(), static_cast<const float*>(nullptr), 0));
  CHECK(received[6] == 2.5f);
  CHECK(received[7] == 0);
  Device other = Device::open(0).value();
  check_failure(other.copy_to_host(stream, received.data(), static_cast<const float*>(buffer.data()), 10),
                ErrorKind::invalid, "Scripted device 0: a copy was given memory of device 1");
  check_failure(other.copy_to_device(stream, buffer.data(), sent.data(), 10), ErrorKind::invalid, "memory of device 1");
  CHECK_THROWS_AS(device.copy_to_host(stream, static_cast<float*>(nullptr), buffer.data(), 1), Misuse);
  CHECK_THROWS_AS(device.copy_to_device(stream, static_cast<float*>(nullptr), sent.data(), 1), Misuse);
  const TransferCount transfers = device.transfers();
  CHECK(transfers.copies_to_device == 1);
  CHECK(transfers.bytes_to_device == 40);
  CHECK(transfers.copies_to_host == 1);
  CHECK(transfers.bytes_to_host == 28);
  CHECK(other.transfers().copies_to_host == 0);
}

TEST_CASE("large blocks of a device are used again, all goes back in the end, and the caller's device stays current",
          "[backends]") {
  {
    Device device = opened();
    const auto count = [] {
      std::size_t made = 0;
      for (const std::string& call : ScriptedRuntime::books.calls) made += call == "allocate on 1" ? 1 : 0;
      return made;
    };
    const float* first = nullptr;
    {
      auto buffer = device.allocate<float>(1 << 20).value();
      first = buffer.data();
    }
    auto again = device.allocate<float>((1 << 20) - 5).value();
    CHECK(again.data() == first);
    CHECK(count() == 1);
    CHECK(ScriptedRuntime::called("synchronize on 1"));  // the pool's own stream: memory is there when allocate returns
    CHECK(ScriptedRuntime::books.current == 0);
  }
  CHECK(ScriptedRuntime::books.memory.empty());
  CHECK(ScriptedRuntime::books.streams.empty());
  CHECK(ScriptedRuntime::books.current == 0);
}

TEST_CASE("an allocation that a device refuses leaves no error behind, and what is kept is given up for it",
          "[backends]") {
  Device device = opened();
  { auto kept = device.allocate<float>(1 << 20).value(); }
  CHECK(ScriptedRuntime::books.memory.size() == 1);
  ScriptedRuntime::books.failing["allocate"] = Code::out_of_memory;
  check_failure(device.allocate<float>(1 << 22), ErrorKind::out_of_memory,
                "scripted could not allocate 4194304 elements of 4 bytes");
  CHECK(ScriptedRuntime::books.last == Code::success);
  CHECK(ScriptedRuntime::books.memory.empty());
  check_failure(device.allocate<float>(10), ErrorKind::out_of_memory, "10 elements");
  CHECK(ScriptedRuntime::books.last == Code::success);
  ScriptedRuntime::books.failing = {{"synchronize", Code::illegal_address}};
  check_failure(device.allocate<float>(10), ErrorKind::out_of_memory, "10 elements");
  CHECK(ScriptedRuntime::books.last == Code::success);
  ScriptedRuntime::books.failing.clear();
  ScriptedRuntime::books.misalignment = 32;
  const std::size_t held = ScriptedRuntime::books.memory.size();
  check_failure(device.allocate<float>(10), ErrorKind::out_of_memory, "10 elements");
  CHECK(ScriptedRuntime::books.memory.size() == held);
  ScriptedRuntime::books.misalignment = 0;
}

TEST_CASE("a device without pools of memory gives single allocations", "[backends]") {
  ScriptedRuntime::books = {};
  ScriptedRuntime::books.pools = false;
  {
    Device device = Device::open(1).value();
    { auto buffer = device.allocate<float>(10).value(); }
    CHECK(ScriptedRuntime::called("allocate on 1"));
    CHECK(ScriptedRuntime::called("deallocate on 1"));
    ScriptedRuntime::books.failing["allocate"] = Code::out_of_memory;
    check_failure(device.allocate<float>(10), ErrorKind::out_of_memory, "10 elements");
    CHECK(ScriptedRuntime::books.last == Code::success);
  }
  for (const char* call : {"make_pool on 1", "destroy_pool on 1", "synchronize on 1"})
    CHECK_FALSE(ScriptedRuntime::called(call));
  CHECK(ScriptedRuntime::books.memory.empty());
  CHECK(ScriptedRuntime::books.current == 0);
  ScriptedRuntime::books.failing = {{"has_pools", Code::illegal_address}};
  check_failure(Device::open(1), ErrorKind::device, "Scripted device 1, asking for pools of memory: illegal address");
}

TEST_CASE("a device's memory is opened to devices that reach it", "[backends]") {
  Device device = opened();
  check_failure(device.open_memory_to(2), ErrorKind::unsupported, "Scripted has no device 2 on this machine");
  check_failure(device.open_memory_to(0), ErrorKind::unsupported,
                "Scripted device 1: device 0 cannot reach its memory; take devices");
  ScriptedRuntime::books.joined = {{0, 1}};
  CHECK(device.open_memory_to(1));
  CHECK_FALSE(ScriptedRuntime::called("open_pool to 1 on 1"));
  CHECK(device.open_memory_to(0));
  CHECK(ScriptedRuntime::called("open_pool to 0 on 1"));
  for (const char* call : {"can_reach", "open_pool to 0"}) {
    ScriptedRuntime::books.failing = {{call, Code::invalid_value}};
    check_failure(device.open_memory_to(0), ErrorKind::device, "Scripted device 1, ");
    CHECK(ScriptedRuntime::books.last == Code::success);
  }
  check_failure(
      Device::open(1, std::make_shared<Device::Resource>(0, detail::DeviceResource<ScriptedRuntime>::make(1).value()))
          .value()
          .open_memory_to(0),
      ErrorKind::unsupported, "device 1 has memory of the caller's; open it to device 0 where it was made");
}

TEST_CASE("single allocations are opened by letting the other device's kernels in", "[backends]") {
  ScriptedRuntime::books = {};
  ScriptedRuntime::books.pools = false;
  ScriptedRuntime::books.joined = {{0, 1}};
  CHECK(Device::open(1).value().open_memory_to(0));
  CHECK(ScriptedRuntime::called("open_device 1 on 0"));  // kernels of the current device are meant
  CHECK(ScriptedRuntime::books.current == 0);
}

TEST_CASE("events of a device tell seconds, once they were recorded", "[backends]") {
  Device device = opened();
  auto stream = device.make_stream().value();
  auto first = device.make_event().value(), second = device.make_event().value();
  check_failure(device.wait(stream, first), ErrorKind::invalid, "never recorded");
  check_failure(device.elapsed_seconds(first, second), ErrorKind::invalid, "(the first)");
  REQUIRE(device.record(first, stream));
  check_failure(device.elapsed_seconds(first, second), ErrorKind::invalid, "(the second)");
  ScriptedRuntime::books.failing["record"] = Code::invalid_value;
  CHECK_FALSE(device.record(second, stream));
  check_failure(device.elapsed_seconds(first, second), ErrorKind::invalid, "(the second)");
  ScriptedRuntime::books.failing.clear();
  REQUIRE(device.record(second, stream));
  CHECK(device.elapsed_seconds(first, second).value() == 0.5);
  CHECK(device.wait(stream, first));
}

TEST_CASE("a device's memory may be the caller's", "[backends]") {
  ScriptedRuntime::books = {};
  struct Counting {
    std::size_t* out;
    [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
      *out += bytes;
      return AlignedResource{}.allocate(bytes, alignment);
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
      *out -= bytes;
      AlignedResource{}.deallocate(memory, bytes, alignment);
    }
  };
  std::size_t out = 0;
  auto device = DeviceBackend<ScriptedRuntime, Counting>::open(0, std::make_shared<Counting>(Counting{&out}));
  REQUIRE(device);
  {
    auto buffer = device.value().allocate<double>(8);
    REQUIRE(buffer);
    CHECK(out == 64);
  }
  CHECK(out == 0);
  CHECK_FALSE(ScriptedRuntime::called("allocate on 0"));
}
