// Validators of devices: right kernels pass, and faulty ones are caught, in the device's memory.
#include <cstddef>
#include <memory>
#include <vector>

#include "assay/backends/counting_resource.hpp"
#include "assay/backends/guarded_resource.hpp"
#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/validators/device/check_all_reduce_on_device.hpp"
#include "assay/validators/device/check_arithmetic.hpp"
#include "assay/validators/device/check_determinism.hpp"
#include "assay/validators/device/check_error_reporting.hpp"
#include "assay/validators/device/check_graph_replay.hpp"
#include "assay/validators/device/check_huge_offsets.hpp"
#include "assay/validators/device/check_launch_independence.hpp"
#include "assay/validators/device/check_memory_use.hpp"
#include "assay/validators/device/check_multiprocessors.hpp"
#include "assay/validators/device/check_stream_order.hpp"
#include "assay/validators/device/device_case.hpp"
#include "devices/device_under_test.hpp"
#include "validators/device/device_kernels.hpp"

using namespace assay;
using namespace assay::testing;
using Device = DeviceUnderTest;

namespace {
#if defined(__CUDACC__) || defined(__HIPCC__)
constexpr bool emulated = false;
#else
constexpr bool emulated = true;
#endif

/// A device passes; its emulated twin may lack what a check needs.
bool passes(const Outcome& outcome, Verdict where_emulated) {
  return outcome.verdict == Verdict::pass || (emulated && outcome.verdict == where_emulated);
}
}  // namespace

TEST_CASE("the device code of this program computes as IEEE 754 asks", "[validators]") {
  const Outcome outcome = check_arithmetic(device_under_test());
  INFO(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
}

TEST_CASE("every multiprocessor of a device computes, and computes right", "[validators]") {
  const Outcome outcome = check_multiprocessors(device_under_test());
  INFO(outcome.reason);
  CHECK(passes(outcome, Verdict::unsupported));
  if (outcome.verdict == Verdict::pass)
    CHECK(outcome.measurement("multiprocessors_seen").value() ==
          outcome.measurement("multiprocessors_present").value());
}

TEST_CASE("kernels that give the same however they are launched, and one that flips a bit now and then",
          "[validators]") {
  Device& device = device_under_test();
  const Outcome launches = check_launch_independence(device, right_kernel<Device>(100000));
  INFO(launches.reason);
  CHECK(launches.verdict == Verdict::pass);
  CHECK(check_determinism(device, right_kernel<Device>(100000)).verdict == Verdict::pass);
  const Outcome flips = check_determinism(device, spoilt_kernel<Device>([](std::size_t number, const KernelOperands&) {
                                            return number % 100 == 77 ? 777 : -1;
                                          }),
                                          {.launches = 200});
  CHECK(flips.verdict == Verdict::fail);
  CHECK(flips.measurement("differing_launches").value() == 2);
  const Outcome careless =
      check_launch_independence(device, spoilt_kernel<Device>([](std::size_t, const KernelOperands& at) {
                                  return reinterpret_cast<std::uintptr_t>(at.inputs[0]) % 16 == 12 ? 4 : -1;
                                }));
  CHECK(careless.label("fault") == "depends_on_alignment");
}

TEST_CASE("a graph that holds a value of the host's is found", "[validators]") {
  Device& device = device_under_test();
  CHECK(check_graph_replay(device, right_kernel<Device>()).verdict == Verdict::pass);
  float by = 1;
  DeviceKernel<Device> kernel = right_kernel<Device>();
  kernel.launch = [&by, right = kernel.launch](Device& on, Device::Stream& stream,
                                               const KernelOperands& at) -> Result<void> {
    if (auto run = right(on, stream, at); !run) return run;
    return on.parallel_for(stream, 1, Spoil{static_cast<float*>(at.outputs[0]), by});
  };
  GraphReplayOptions options;
  options.inputs_change = [&by](std::size_t set) { by = static_cast<float>(1 + set); };
  CHECK(check_graph_replay(device, kernel, options).label("fault") == "stale_graph");
}

TEST_CASE("a stream that does not wait for another is found when that one is held up", "[validators]") {
  Device& device = device_under_test();
  auto scratch = std::make_shared<Device::Buffer<float>>(device.allocate<float>(1000).value());
  bool waits = true;
  StreamedKernel<Device> subject{"pipeline", {kernel_input(some_floats(1000))}, {{1000, 4}}, 2, {}};
  subject.submit = [scratch, &waits](Device& on, std::vector<Device::Stream>& streams,
                                     const KernelOperands& at) -> Result<void> {
    if (auto run =
            on.parallel_for(streams[0], 1000, TwicePlusOne{static_cast<const float*>(at.inputs[0]), scratch->data()});
        !run)
      return run;
    if (waits) {
      auto event = on.make_event();
      if (!event) return event.propagate();
      if (auto recorded = on.record(event.value(), streams[0]); !recorded) return recorded;
      if (auto waited = on.wait(streams[1], event.value()); !waited) return waited;
    }
    return on.parallel_for(streams[1], 1000, TwicePlusOne{scratch->data(), static_cast<float*>(at.outputs[0])});
  };
  CHECK(check_stream_order(device, subject).verdict == Verdict::pass);
  waits = false;
  CHECK(check_stream_order(device, subject).label("fault") == "missing_wait");
}

TEST_CASE("memory of a device is counted and guarded there", "[validators]") {
  Device& device = device_under_test();
  const Outcome memory = check_memory_use(device, right_kernel<Device>());
  INFO(memory.reason);
  CHECK(passes(memory, Verdict::unsupported));
#if defined(__CUDACC__) || defined(__HIPCC__)
#if defined(__HIPCC__)
  using Runtime = assay::detail::HipRuntime;
#else
  using Runtime = assay::detail::CudaRuntime;
#endif
  using Counted = CountingResource<assay::detail::DeviceResource<Runtime>>;
  using Guarded = GuardedResource<Counted, Device>;
  Counted counted(std::size_t{1} << 30, assay::detail::DeviceResource<Runtime>::make(device.device()).value());
  Guarded guarded(device, counted);
  auto dressed = DeviceBackend<Runtime, Guarded>::open(device.device(), std::make_shared<Guarded>(guarded));
  REQUIRE(dressed.has_value());
  {
    auto stream = device.make_stream().value();
    auto buffer = dressed.value().allocate<float>(100).value();
    REQUIRE(device.parallel_for(stream, 1, Spoil{buffer.data() + 101, 1}).has_value());
    REQUIRE(device.synchronize(stream).has_value());
  }
  REQUIRE(guarded.findings().size() == 1);
  CHECK(guarded.errors().empty());
  CHECK(counted.usage().living() == 0);
#endif
}

namespace {
/// out = ~in, with offsets of 64 bits, or of 32.
struct Invert {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t columns, leading_dimension;
  std::uint64_t mask;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const auto i = static_cast<std::int64_t>(index),
               at = static_cast<std::int64_t>(
                   static_cast<std::uint64_t>(i / columns * leading_dimension + i % columns) & mask);
    out[at] = static_cast<unsigned char>(~in[at]);
  }
};
}  // namespace

TEST_CASE("offsets of 31 bits are found where memory allows it", "[validators]") {
  Device& device = device_under_test();
  HugeOffsetOptions options;
  if (emulated) options.limits = {Index{1} << 20};  // it touches all of its memory
  const auto invert = [&](std::uint64_t mask) {
    return StridedKernel<Device>{
        "invert", 1,
        [mask](Device& on, Device::Stream& stream, const void* in, void* out, Index rows, Index columns,
               Index leading) {
          return on.parallel_for(
              stream, static_cast<std::size_t>(rows * columns),
              Invert{static_cast<const unsigned char*>(in), static_cast<unsigned char*>(out), columns, leading, mask});
        }};
  };
  const Outcome right = check_huge_offsets(device, invert(~std::uint64_t{0}), options),
                wrong = check_huge_offsets(device, invert(static_cast<std::uint64_t>(options.limits[0]) - 1), options);
  INFO(right.reason);
  CHECK((right.verdict == Verdict::pass ||
         (right.verdict == Verdict::skipped && device.capabilities().memory_bytes < std::size_t{32} << 30)));
  if (right.verdict == Verdict::pass) CHECK(wrong.label("fault") == "index_overflow");
}

namespace {
struct CopyFloats {
  const float* in;
  float* out;
  ASSAY_FUNCTION void operator()(std::size_t i) const { out[i] = in[i]; }
};
/// The sum of one rank, in the device's memory; wrong in one place if asked.
struct OneRank {
  Device device;
  bool wrong = false;
  int rank() const { return 0; }
  int size() const { return 1; }
  std::string name() const { return "device"; }
  void abort(std::string_view) {}
  Result<void> all_reduce(const CollectiveCall& call, Deadline) {
    auto stream = device.make_stream();
    if (!stream) return stream.propagate();
    if (auto run =
            device.parallel_for(stream.value(), static_cast<std::size_t>(call.count),
                                CopyFloats{static_cast<const float*>(call.send), static_cast<float*>(call.receive)});
        !run)
      return run;
    if (wrong)
      if (auto run = device.parallel_for(stream.value(), 1, Spoil{static_cast<float*>(call.receive) + 4321, 1}); !run)
        return run;
    return device.synchronize(stream.value());
  }
};
}  // namespace

TEST_CASE("an all_reduce is judged in the device's memory", "[validators]") {
  Device& device = device_under_test();
  auto coordinators = in_process_coordinators(1);
  CollectiveProblem problem;
  problem.count = 100000;
  problem.data = CollectiveDataKind::exact;
  for (const bool wrong : {false, true}) {
    AnyCollective collective(OneRank{device, wrong});
    const Outcome outcome = check_all_reduce_on_device(device, collective, coordinators[0], problem);
    INFO(outcome.reason);
    CHECK(outcome.verdict == (wrong ? Verdict::fail : Verdict::pass));
  }
}

TEST_CASE("a case on a device, and what it says of errors", "[validators]") {
  DeviceKernel<Device> refuses = right_kernel<Device>();
  refuses.launch = [](Device&, Device::Stream&, const KernelOperands&) -> Result<void> {
    return failure(ErrorKind::device, "a launch that fails");
  };
  Device& device = device_under_test();
  const Case entry = device_case(
      "errors", {}, [&]() -> Result<Device> { return device; },
      [&](Device& on, const CaseContext&) { return check_error_reporting(on, refuses, right_kernel<Device>()); });
  const Outcome outcome = entry.run({});
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("afterwards") == "recovered");
}
