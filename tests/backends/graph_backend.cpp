#include "assay/backends/graph_backend.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"
#include "validators/device/threaded_device.hpp"

using namespace assay;

static_assert(!GraphBackend<Host>);
static_assert(GraphBackend<testing::ThreadedDevice>);

namespace {
struct Increment {
  int* value;
  void operator()(std::size_t) const { ++*value; }
};
}  // namespace

TEST_CASE("what is captured is not done, and done as often as its graph is launched", "[backends]") {
  testing::ThreadedDevice device;
  auto stream = device.make_stream();
  REQUIRE(stream);
  int value = 0;
  REQUIRE(device.begin_capture(stream.value()));
  REQUIRE(device.parallel_for(stream.value(), 3, Increment{&value}));
  CHECK_FALSE(device.synchronize(stream.value()));
  auto graph = device.end_capture(stream.value());
  REQUIRE(graph);
  REQUIRE(device.synchronize(stream.value()));
  CHECK(value == 0);
  REQUIRE(device.launch(stream.value(), graph.value()));
  REQUIRE(device.launch(stream.value(), graph.value()));
  REQUIRE(device.synchronize(stream.value()));
  CHECK(value == 6);
}
