#include "assay/validators/device/check_determinism.hpp"

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "backends/failing_host.hpp"
#include "testing/catch.hpp"
#include "validators/device/device_kernels.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a kernel that gives the same bits each time passes, and the outcome says what that excludes", "[device]") {
  Host host(2);
  DeterminismOptions options;
  options.launches = 300;
  const Outcome outcome = check_determinism(host, right_kernel<Host>(), options);
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.id == "determinism/host/twice");
  CHECK(outcome.measurement("launches") == 300);
  CHECK(outcome.measurement("differing_rate_upper").value() == Approx(0.01264).epsilon(0.01));
  CHECK(outcome.tables.empty());
}

TEST_CASE("a flip in one of 500 launches is hunted down and its place told", "[device]") {
  Host host(1);
  DeterminismOptions options;
  options.launches = 2000;
  const auto flips =
      spoilt_kernel<Host>([](std::size_t number, const KernelOperands&) { return number % 500 == 499 ? 777 : -1; });
  const Outcome outcome = check_determinism(host, flips, options);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "nondeterministic");
  CHECK_THAT(outcome.reason, contains("4 of 2000 launches differ from what is expected; the first is launch 499 in 1 "
                                      "of 1000 elements, the first is element 777"));
  REQUIRE(outcome.tables.size() == 1);
  CHECK(outcome.tables[0].rows.size() == 4);
  options.launches = 400;
  CHECK(check_determinism(host, flips, options).verdict == Verdict::pass);
}

TEST_CASE("the odd launch is blamed, wherever it is, not the others", "[device]") {
  Host host(1);
  for (const std::size_t odd : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    CAPTURE(odd);
    const Outcome outcome = check_determinism(
        host, spoilt_kernel<Host>([odd](std::size_t number, const KernelOperands&) { return number == odd ? 5 : -1; }));
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.measurement("differing_launches") == 1);
    CHECK_THAT(outcome.reason, contains("launch " + std::to_string(odd) + " "));
  }
  // One that never repeats itself is stopped early.
  const Outcome never = check_determinism(host, spoilt_kernel<Host>([](std::size_t number, const KernelOperands&) {
                                            return static_cast<std::ptrdiff_t>(number);
                                          }),
                                          {.launches = 1000});
  CHECK(never.verdict == Verdict::fail);
  CHECK(never.measurement("differing_launches") == 16);
  CHECK(never.measurement("launches").value() < 30);
}

TEST_CASE("elements that nobody writes, or that lie beside the output, are told", "[device]") {
  Host host(1);
  DeviceKernel<Host> partial = right_kernel<Host>();
  partial.launch = [](Host& backend, Host::Stream& stream, const KernelOperands& at) {
    return backend.parallel_for(
        stream, 990, TwicePlusOne{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0])});
  };
  Outcome outcome = check_determinism(host, partial);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "unwritten_output");
  CHECK_THAT(outcome.diagnosis.at(0), contains("element 990 of output 0 still holds what the output was filled with"));

  for (const std::ptrdiff_t beside : {-1, 1000, 1063}) {
    outcome = check_determinism(host, spoilt_kernel<Host>([beside](std::size_t, const KernelOperands& at) {
                                  static_cast<float*>(at.outputs[0])[beside] = 3;
                                  return -1;
                                }));
    CAPTURE(beside, outcome.reason);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.label("fault") == "out_of_bounds_write");
  }
}

TEST_CASE("differences within what an output allows are told apart from NaN and larger ones", "[device]") {
  Host host(1);
  DeterminismOptions options;
  options.bitwise = false;
  const auto wobbling = [](float by) {
    auto kernel =
        spoilt_kernel<Host>([](std::size_t number, const KernelOperands&) { return number % 3 == 2 ? 0 : -1; }, by);
    kernel.outputs[0].allowed_ulps = 4;
    return kernel;
  };
  const float ulp = 1.f / (1 << 20);  // of -11.5
  CHECK(check_determinism(host, wobbling(3 * ulp), options).verdict == Verdict::pass);
  CHECK(check_determinism(host, wobbling(5 * ulp), options).verdict == Verdict::fail);
  CHECK(check_determinism(host, wobbling(std::numeric_limits<float>::quiet_NaN()), options).verdict == Verdict::fail);
  options.bitwise = true;
  CHECK(check_determinism(host, wobbling(3 * ulp), options).verdict == Verdict::fail);
}

TEST_CASE("all of it happens in the device's memory", "[device]") {
  EmulatedDevice device;
  const TransferCount before = device.transfers();
  Outcome outcome = check_determinism(device, right_kernel<EmulatedDevice>(100000));
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(device.transfers().bytes_to_host - before.bytes_to_host < 10000);  // of 8 MB
  outcome = check_determinism(
      device, spoilt_kernel<EmulatedDevice>(
                  [](std::size_t number, const KernelOperands&) { return number == 7 ? 54321 : -1; }, 1, 100000));
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("launch 7 in 1 of 100000 elements, the first is element 54321"));
  CHECK(device.misuses().empty());
}

TEST_CASE("failures of the device are errors, and misuse is told", "[device]") {
  FailingHost host(1);
  for (const auto refuse : {FailingHost::Refuse::allocation, FailingHost::Refuse::loop, FailingHost::Refuse::copy,
                            FailingHost::Refuse::synchronization}) {
    host.refuse = refuse;
    CHECK(check_determinism(host, right_kernel<FailingHost>()).verdict == Verdict::error);
  }
  host.refuse = FailingHost::Refuse::nothing;
  DeviceKernel<FailingHost> kernel = right_kernel<FailingHost>();
  kernel.launch = [&](FailingHost&, FailingHost::Stream&, const KernelOperands&) -> Result<void> {
    return failure(ErrorKind::unsupported, "no such size");
  };
  CHECK(check_determinism(host, kernel).verdict == Verdict::unsupported);
  kernel.outputs.clear();
  CHECK_THROWS_AS(check_determinism(host, kernel), Misuse);
  CHECK_THROWS_AS(check_determinism(host, right_kernel<FailingHost>(), {.launches = 2}), Misuse);
}
