#include "assay/validators/device/check_graph_replay.hpp"

#include "assay/backends/emulated_device.hpp"
#include "testing/catch.hpp"
#include "validators/device/device_kernels.hpp"
#include "validators/device/threaded_device.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// out = in + by.
struct Add {
  const float* in;
  float* out;
  float by;
  ASSAY_FUNCTION void operator()(std::size_t i) const { out[i] = in[i] + by; }
};
/// out = in + *by.
struct AddThere {
  const float* in;
  float* out;
  const float* by;
  ASSAY_FUNCTION void operator()(std::size_t i) const { out[i] = in[i] + *by; }
};

}  // namespace

TEST_CASE("a captured kernel that gives what a call gives passes, whatever its inputs become", "[device]") {
  ThreadedDevice device;
  const Outcome outcome = check_graph_replay(device, right_kernel<ThreadedDevice>());
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("launches") == 10);
}

TEST_CASE("graphs are replayed on a device that the host may not touch", "[device]") {
  EmulatedDevice device;
  CHECK(check_graph_replay(device, right_kernel<EmulatedDevice>()).verdict == Verdict::pass);
  CHECK(device.misuses().empty());
  // Work that goes to another stream than the one that is captured is no part of the graph.
  DeviceKernel<EmulatedDevice> kernel = right_kernel<EmulatedDevice>();
  kernel.launch = [right = kernel.launch](EmulatedDevice& on, EmulatedDevice::Stream&,
                                          const KernelOperands& at) -> Result<void> {
    auto own = on.make_stream();
    if (!own) return own.propagate();
    if (auto run = right(on, own.value(), at); !run) return run;
    return on.synchronize(own.value());
  };
  const Outcome outcome = check_graph_replay(device, kernel);
  CAPTURE(outcome.reason);
  CHECK((outcome.verdict == Verdict::fail || outcome.verdict == Verdict::unsupported));
}

TEST_CASE("a graph that holds a value of the host is found as soon as that changes", "[device]") {
  ThreadedDevice device;
  float scale = 1;
  DeviceKernel<ThreadedDevice> kernel = right_kernel<ThreadedDevice>();
  kernel.launch = [&scale](ThreadedDevice& on, ThreadedDevice::Stream& stream, const KernelOperands& at) {
    return on.parallel_for(stream, 1000,
                           Add{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0]), scale});
  };
  GraphReplayOptions options;
  options.inputs_change = [&scale](std::size_t set) { scale = static_cast<float>(1 + set); };
  Outcome outcome = check_graph_replay(device, kernel, options);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "stale_graph");
  CHECK_THAT(outcome.reason,
             contains("replay 0 after the inputs were changed differs from a call in 1000 of 1000 elements"));
  CHECK(outcome.measurement("differing_launches") == 5);

  // In the device's memory it is right.
  auto there = device.allocate<float>(1);
  REQUIRE(there);
  options.inputs_change = [&](std::size_t set) { *there.value().data() = static_cast<float>(1 + set); };
  kernel.launch = [&](ThreadedDevice& on, ThreadedDevice::Stream& stream, const KernelOperands& at) {
    return on.parallel_for(
        stream, 1000,
        AddThere{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0]), there.value().data()});
  };
  CHECK(check_graph_replay(device, kernel, options).verdict == Verdict::pass);
}

TEST_CASE("a graph with data, or with memory that is somebody else's by now, is found", "[device]") {
  ThreadedDevice device;
  DeviceKernel<ThreadedDevice> kernel = right_kernel<ThreadedDevice>();
  // Takes the inputs that it was first called with for good.
  auto kept = device.allocate<float>(1000);
  REQUIRE(kept);
  bool first = true;
  kernel.launch = [&](ThreadedDevice& on, ThreadedDevice::Stream& stream, const KernelOperands& at) {
    if (stream.queue->capturing || first) std::memcpy(kept.value().data(), at.inputs[0], 4000);
    const auto* in = stream.queue->capturing ? kept.value().data() : static_cast<const float*>(at.inputs[0]);
    first = false;
    return on.parallel_for(stream, 1000, TwicePlusOne{in, static_cast<float*>(at.outputs[0])});
  };
  CHECK(check_graph_replay(device, kernel).label("fault") == "stale_graph");

  // A scratch buffer that the launch gives back: the pool hands it to the next who asks.
  std::vector<std::vector<float>> pool;
  kernel.launch = [&](ThreadedDevice& on, ThreadedDevice::Stream& stream, const KernelOperands& at) -> Result<void> {
    pool.emplace_back(1, 3.0f);
    auto run = on.parallel_for(
        stream, 1000,
        AddThere{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0]), pool.back().data()});
    if (stream.queue->capturing) pool.back()[0] = 8;  // by whoever has it now
    return run;
  };
  CHECK(check_graph_replay(device, kernel).label("fault") == "graph_differs");
}

TEST_CASE(
    "kernels that cannot be captured and backends without graphs are unsupported, data that show nothing inconclusive",
    "[device]") {
  ThreadedDevice device;
  DeviceKernel<ThreadedDevice> kernel = right_kernel<ThreadedDevice>();
  kernel.launch = [right = kernel.launch](ThreadedDevice& on, ThreadedDevice::Stream& stream,
                                          const KernelOperands& at) -> Result<void> {
    if (auto run = right(on, stream, at); !run) return run;
    return on.synchronize(stream);
  };
  const Outcome waits = check_graph_replay(device, kernel);
  CHECK(waits.verdict == Verdict::unsupported);
  CHECK_THAT(waits.reason, contains("cannot be captured into a graph: the stream is being captured"));
  Host host(1);
  CHECK(check_graph_replay(host, right_kernel<Host>()).verdict == Verdict::unsupported);

  kernel = right_kernel<ThreadedDevice>();
  std::fill(kernel.inputs[0].content.begin(), kernel.inputs[0].content.end(), static_cast<unsigned char>(0));
  CHECK(check_graph_replay(device, kernel).verdict == Verdict::inconclusive);
  GraphReplayOptions options;
  options.other_inputs = {{kernel_input(some_floats(1000))}};
  CHECK(check_graph_replay(device, kernel, options).verdict == Verdict::pass);
  options.other_inputs = {{kernel_input(some_floats(999))}};
  CHECK_THROWS_AS(check_graph_replay(device, kernel, options), Misuse);
}
