#include "assay/validators/device/check_error_reporting.hpp"

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "testing/catch.hpp"
#include "validators/device/device_kernels.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A kernel whose work fails on the device, as the device is told.
DeviceKernel<EmulatedDevice> failing_kernel(EmulatedFailure failure, std::size_t calls_later = 0) {
  DeviceKernel<EmulatedDevice> kernel = right_kernel<EmulatedDevice>();
  kernel.name = "failing";
  kernel.launch = [right = kernel.launch, failure, calls_later](EmulatedDevice& device, EmulatedDevice::Stream& stream,
                                                                const KernelOperands& at) {
    device.fail_after(calls_later, failure);
    return right(device, stream, at);
  };
  return kernel;
}

/// A runtime that keeps what went wrong to itself, or tells it to the next.
struct QuietDevice : Host {
  using Host::Host;
  bool told_later = false, spoils = false;
  mutable int failed = 0;
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    if (failed > 0 && told_later) return failure(ErrorKind::device, "illegal address");
    if (failed > 0 && spoils && count == 1000) return {};
    return Host::parallel_for(stream, count, functor);
  }
};
DeviceKernel<QuietDevice> quietly_failing(bool told) {
  DeviceKernel<QuietDevice> kernel = right_kernel<QuietDevice>();
  kernel.name = "failing";
  kernel.launch = [told](QuietDevice& device, QuietDevice::Stream&, const KernelOperands&) -> Result<void> {
    ++device.failed;
    if (told) return failure(ErrorKind::device, "illegal address");
    return {};
  };
  return kernel;
}

}  // namespace

TEST_CASE("errors that come at the launch, later, and for good are told from each other", "[device]") {
  EmulatedDevice device;
  Outcome outcome =
      check_error_reporting(device, failing_kernel(EmulatedFailure::asynchronous), right_kernel<EmulatedDevice>());
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("told") == "when waited for");
  CHECK(outcome.label("afterwards") == "recovered");
  outcome = check_error_reporting(device, failing_kernel(EmulatedFailure::once), right_kernel<EmulatedDevice>());
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("told") == "at the launch");
  outcome = check_error_reporting(device, failing_kernel(EmulatedFailure::sticky, 1), right_kernel<EmulatedDevice>());
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("told") == "when waited for");
  CHECK(outcome.label("afterwards") == "lost");
  outcome = check_error_reporting(device, failing_kernel(EmulatedFailure::once), right_kernel<EmulatedDevice>());
  CHECK(outcome.verdict == Verdict::error);  // it was lost before
}

TEST_CASE("a runtime that says nothing, or says it to another, fails", "[device]") {
  QuietDevice silent(1);
  CHECK(check_error_reporting(silent, quietly_failing(false), right_kernel<QuietDevice>()).label("fault") ==
        "swallowed_error");
  QuietDevice late(1);
  late.told_later = true;
  const Outcome outcome = check_error_reporting(late, quietly_failing(false), right_kernel<QuietDevice>());
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "misattributed_error");
  QuietDevice spoilt(1);
  spoilt.spoils = true;
  CHECK(check_error_reporting(spoilt, quietly_failing(true), right_kernel<QuietDevice>()).label("fault") ==
        "wrong_after_error");
  QuietDevice honest(1);
  CHECK(check_error_reporting(honest, quietly_failing(true), right_kernel<QuietDevice>()).verdict == Verdict::pass);
}
