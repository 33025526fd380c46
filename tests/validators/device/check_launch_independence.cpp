#include "assay/validators/device/check_launch_independence.hpp"

#include <cstdint>

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "testing/catch.hpp"
#include "validators/device/device_kernels.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::uintptr_t place(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Each block's threads add what they hold; the shape tells how sums are split.
struct PartialSums {
  const float* in;
  float* out;
  std::size_t count, all;
  ASSAY_FUNCTION void operator()(std::size_t) const {
    float total = 0;
    for (std::size_t thread = 0; thread < all; ++thread) {
      float sum = 0;
      for (std::size_t i = thread; i < count; i += all) sum += in[i] * 0.1f;
      total += sum;
    }
    *out = total;
  }
};

DeviceKernel<Host> sum_kernel(std::uint64_t allowed) {
  DeviceKernel<Host> kernel;
  kernel.name = "sum";
  kernel.inputs.push_back(kernel_input(some_floats(5000)));
  kernel.outputs.push_back({1, 4, allowed, 0x7F800000});
  kernel.launch_shaped = [](Host& backend, Host::Stream& stream, const KernelOperands& at, const LaunchShape& shape) {
    return backend.parallel_for(stream, 1,
                                PartialSums{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0]),
                                            5000, std::size_t{shape.blocks} * shape.threads});
  };
  kernel.launch = [shaped = kernel.launch_shaped](Host& backend, Host::Stream& stream, const KernelOperands& at) {
    return shaped(backend, stream, at, {2, 64});
  };
  return kernel;
}

}  // namespace

TEST_CASE("a kernel that does not care how it is launched passes, bit for bit", "[device]") {
  Host host(2);
  const Outcome outcome = check_launch_independence(host, right_kernel<Host>());
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("determinism") == "across_shapes");
  REQUIRE(outcome.tables.size() == 1);
  CHECK(outcome.tables[0].rows.size() ==
        2 + 1 + 1 + 3 + 2 + 6);  // again, elsewhere, stream, 4, 8 and 12 bytes, each alone, shapes
  CHECK(outcome.measurement("refused_launches") == 0);
  DeviceKernel<Host> shapeless = right_kernel<Host>();
  shapeless.launch_shaped = nullptr;
  CHECK(check_launch_independence(host, shapeless).label("determinism") == "across_alignments");
}

TEST_CASE("a kernel whose result depends on alignment is accused of just that", "[device]") {
  Host host(1);
  const auto careless = spoilt_kernel<Host>(
      [](std::size_t, const KernelOperands& at) { return place(at.inputs[0]) % 16 == 12 ? 4 : -1; });
  const Outcome outcome = check_launch_independence(host, careless);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "depends_on_alignment");
  CHECK(outcome.label("determinism") == "across_streams");
  CHECK_THAT(outcome.reason, contains("all operands moved by 12 bytes"));
  CHECK_THAT(outcome.reason, contains("element 4 of output 0"));

  // What an element of 8 bytes cannot have is not tried.
  DeviceKernel<Host> aligned = careless;
  aligned.alignment = 16;
  CHECK(check_launch_independence(host, aligned).verdict == Verdict::pass);
}

TEST_CASE("relative alignment of operands counts as well", "[device]") {
  Host host(1);
  const Outcome outcome =
      check_launch_independence(host, spoilt_kernel<Host>([](std::size_t, const KernelOperands& at) {
                                  return place(at.inputs[0]) % 16 != place(at.outputs[0]) % 16 ? 0 : -1;
                                }));
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("input 0 alone moved by 4 bytes"));
}

TEST_CASE("misaligned launches that a kernel refuses are told of, and those that fail are errors", "[device]") {
  Host host(1);
  DeviceKernel<Host> kernel = right_kernel<Host>();
  ErrorKind kind = ErrorKind::unsupported;
  kernel.launch = [right = kernel.launch, &kind](Host& backend, Host::Stream& stream,
                                                 const KernelOperands& at) -> Result<void> {
    if (place(at.inputs[0]) % 16 != 0) return failure(kind, "needs 16 bytes");
    return right(backend, stream, at);
  };
  const Outcome outcome = check_launch_independence(host, kernel);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("refused_launches") == 4);
  CHECK_THAT(outcome.reason, contains("refused 4"));
  kind = ErrorKind::device;
  const Outcome broken = check_launch_independence(host, kernel);
  CHECK(broken.verdict == Verdict::error);
  CHECK_THAT(broken.reason, contains("moved by 4 bytes"));
}

TEST_CASE("sums that depend on the shape pass where it is allowed, and only as far", "[device]") {
  Host host(1);
  Outcome outcome = check_launch_independence(host, sum_kernel(1000));
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("determinism") == "across_alignments");
  CHECK_THAT(outcome.reason, contains("within what is allowed"));
  outcome = check_launch_independence(host, sum_kernel(0));
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "depends_on_shape");
  LaunchIndependenceOptions options;
  options.required = LaunchDeterminism::across_shapes;
  CHECK(check_launch_independence(host, sum_kernel(1000), options).verdict == Verdict::fail);
}

TEST_CASE("launches on a device that the host may not touch, one of which is refused by it", "[device]") {
  EmulatedDevice device;
  const std::size_t calls = device.calls();
  CHECK(check_launch_independence(device, right_kernel<EmulatedDevice>()).verdict == Verdict::pass);
  CHECK(device.misuses().empty());
  device.fail_after((device.calls() - calls) / 2, EmulatedFailure::asynchronous);
  const Outcome outcome = check_launch_independence(device, right_kernel<EmulatedDevice>());
  CHECK(outcome.verdict == Verdict::error);
  CHECK_THAT(outcome.reason, contains("it was told to fail"));
}

TEST_CASE("a kernel that varies by itself is nondeterministic, not dependent", "[device]") {
  Host host(1);
  const Outcome outcome =
      check_launch_independence(host, spoilt_kernel<Host>([](std::size_t number, const KernelOperands&) {
                                  return static_cast<std::ptrdiff_t>(number);
                                }));
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "nondeterministic");
  CHECK(outcome.label("determinism") == "none");
}
