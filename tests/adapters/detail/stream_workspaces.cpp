#include "assay/adapters/detail/stream_workspaces.hpp"

#include "backends/scripted_runtime.hpp"
#include "testing/catch.hpp"

using namespace assay;
using testing::contains;
using testing::ScriptedRuntime;
using Device = DeviceBackend<ScriptedRuntime>;

namespace {

Device opened() {
  ScriptedRuntime::books = {};
  return Device::open(1).value();
}

}  // namespace

TEST_CASE("a stream has one workspace, another stream another, and nothing waits for either") {
  const Device device = opened();
  detail::StreamWorkspaces<ScriptedRuntime> workspaces(device);
  const auto first = device.make_stream().value(), second = device.make_stream().value();
  void* const own = workspaces.of(first, 1000).value();
  REQUIRE(own != nullptr);
  CHECK(ScriptedRuntime::books.memory.at(own) == 1);
  CHECK(workspaces.of(first, 1000).value() == own);
  CHECK(workspaces.of(first, 1).value() == own);
  void* const other = workspaces.of(second, 1000).value();
  CHECK(other != own);
  CHECK(workspaces.of(first, 0).value() == nullptr);
  CHECK(ScriptedRuntime::books.current == 0);
}

TEST_CASE("what became too small is kept, for kernels may still use it, and goes with the library's handle") {
  const Device device = opened();
  {
    detail::StreamWorkspaces<ScriptedRuntime> workspaces(device);
    const auto stream = device.make_stream().value();
    void* const small = workspaces.of(stream, 4096).value();
    void* const large = workspaces.of(stream, 8192).value();
    CHECK(large != small);
    CHECK(ScriptedRuntime::books.memory.count(small) == 1);
    CHECK(workspaces.of(stream, 4096).value() == large);
    // sizes grow by powers of two at least, so that what is kept is less than what is used
    CHECK(workspaces.of(stream, 8193).value() == workspaces.of(stream, 16384).value());
  }
}

TEST_CASE("a captured stream is given each piece once: graphs may run at the same time") {
  const Device device = opened();
  detail::StreamWorkspaces<ScriptedRuntime> workspaces(device);
  const auto stream = device.make_stream().value();
  void* const outside = workspaces.of(stream, 512).value();
  REQUIRE(ScriptedRuntime::begin_capture(stream.handle()) == ScriptedRuntime::Code::success);
  void* const first = workspaces.of(stream, 512).value();
  void* const second = workspaces.of(stream, 512).value();
  CHECK(first != outside);
  CHECK(second != outside);
  CHECK(second != first);
  stream.handle()->capturing = false;
  CHECK(workspaces.of(stream, 512).value() == outside);
}

TEST_CASE("a workspace that is refused is out of memory, a stream that cannot be asked is its error") {
  const Device device = opened();
  detail::StreamWorkspaces<ScriptedRuntime> workspaces(device);
  const auto stream = device.make_stream().value();
  ScriptedRuntime::books.failing["allocate"] = ScriptedRuntime::Code::out_of_memory;
  const auto refused = workspaces.of(stream, 1 << 20);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::out_of_memory);
  ScriptedRuntime::books.failing.clear();
  CHECK(workspaces.of(stream, 1 << 20));
  ScriptedRuntime::books.failing["is_capturing"] = ScriptedRuntime::Code::illegal_address;
  const auto failed = workspaces.of(stream, 1 << 20);
  REQUIRE_FALSE(failed);
  CHECK_THAT(failed.error().message, contains("capture") && contains("device 1"));
}
