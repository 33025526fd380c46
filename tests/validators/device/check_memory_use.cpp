#include "assay/validators/device/check_memory_use.hpp"

#include "assay/backends/counting_resource.hpp"
#include "assay/backends/guarded_resource.hpp"
#include "testing/catch.hpp"
#include "validators/device/device_kernels.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

using CountedHost = BasicHost<CountingResource<>>;

/// The right kernel, which takes `bytes` for its scratch, and gives back all but `keeps(launch)`.
template <class B, class Keeps>
DeviceKernel<B> hungry_kernel(std::size_t bytes, const Keeps& keeps, bool looks = true) {
  DeviceKernel<B> kernel = right_kernel<B>();
  kernel.launch = [right = kernel.launch, bytes, keeps, looks, number = 0,
                   kept = std::make_shared<std::vector<typename B::template Buffer<char>>>()](
                      B& backend, typename B::Stream& stream, const KernelOperands& at) mutable -> Result<void> {
    auto scratch = backend.template allocate<char>(bytes);
    if (!scratch && looks) return scratch.propagate();
    if (scratch && keeps(number++)) kept->push_back(std::move(scratch).value());
    return right(backend, stream, at);
  };
  return kernel;
}

/// A driver that counts in steps, and other users of the device.
struct DrivenHost : Host {
  using Host::Host;
  std::shared_ptr<std::size_t> used = std::make_shared<std::size_t>(0);
  std::ptrdiff_t step = 0;
  [[nodiscard]] Result<std::size_t> free_memory_bytes() const {
    *used += static_cast<std::size_t>(step);
    return (std::size_t{1} << 40) - *used / (2 << 20) * (2 << 20);
  }
};

}  // namespace

TEST_CASE("a kernel that gives back what it takes passes, and what it takes is told", "[device]") {
  CountedHost host(1, CountingResource<>());
  Outcome outcome = check_memory_use(host, hungry_kernel<CountedHost>(5000, [](int) { return false; }));
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("peak_bytes") == 5000);
  CHECK(outcome.measurement("leaked_bytes") == 0);
  CHECK(outcome.label("without_memory") == "says so");
  // What the first launch keeps for the others is no leak.
  outcome = check_memory_use(host, hungry_kernel<CountedHost>(5000, [](int number) { return number == 0; }));
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("kept_bytes") == 5000);
  outcome = check_memory_use(host, right_kernel<CountedHost>());
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.label("without_memory") == "asks for none");
}

TEST_CASE("leaks, greed and deafness are told apart", "[device]") {
  CountedHost host(1, CountingResource<>());
  Outcome outcome = check_memory_use(host, hungry_kernel<CountedHost>(100, [](int) { return true; }));
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "memory_leak");
  CHECK(outcome.measurement("leaked_bytes") == 500);
  CHECK(
      check_memory_use(host, hungry_kernel<CountedHost>(100, [](int number) { return number == 3; })).label("fault") ==
      "memory_leak");
  MemoryUseOptions options;
  options.workspace_bytes = 4999;
  CHECK(check_memory_use(host, hungry_kernel<CountedHost>(5000, [](int) { return false; }), options).label("fault") ==
        "too_much_memory");
  options.workspace_bytes = 5000;
  CHECK(check_memory_use(host, hungry_kernel<CountedHost>(5000, [](int) { return false; }), options).verdict ==
        Verdict::pass);
  CHECK(check_memory_use(host, hungry_kernel<CountedHost>(
                                   5000, [](int) { return false; }, false))
            .label("fault") == "ignores_refusal");
  CHECK(host.memory_resource().usage().refusals >= 3);
  CHECK_THROWS_AS(check_memory_use(host, right_kernel<CountedHost>(), {.launches = 2}), Misuse);
}

TEST_CASE("writes beside what a kernel allocates are told, and beside its operands", "[device]") {
  using GuardedHost = BasicHost<GuardedResource<>>;
  GuardedHost host(1, GuardedResource<>());
  CHECK(check_memory_use(host, hungry_kernel<GuardedHost>(100, [](int) { return false; })).verdict == Verdict::pass);
  DeviceKernel<GuardedHost> kernel = right_kernel<GuardedHost>();
  kernel.launch = [right = kernel.launch](GuardedHost& backend, GuardedHost::Stream& stream,
                                          const KernelOperands& at) -> Result<void> {
    auto scratch = backend.allocate<char>(100);
    if (!scratch) return scratch.propagate();
    scratch.value().data()[103] = 1;
    return right(backend, stream, at);
  };
  Outcome outcome = check_memory_use(host, kernel);
  CHECK(outcome.label("fault") == "out_of_bounds_write");
  CHECK_THAT(outcome.reason, contains("of 100 bytes: 1 byte was written behind it, the nearest 4 past its end"));
  kernel = right_kernel<GuardedHost>();
  kernel.launch = [right = kernel.launch](GuardedHost& backend, GuardedHost::Stream& stream,
                                          const KernelOperands& at) -> Result<void> {
    static_cast<char*>(at.outputs[0])[4000] = 1;
    return right(backend, stream, at);
  };
  outcome = check_memory_use(host, kernel);
  CHECK(outcome.label("fault") == "out_of_bounds_write");
  CHECK_THAT(outcome.reason, contains("behind output 0, the first 1 past its end"));
}

TEST_CASE("a driver's count accuses only what grows each time", "[device]") {
  DrivenHost host(1);
  Outcome outcome = check_memory_use(host, right_kernel<DrivenHost>());
  CHECK(outcome.verdict == Verdict::pass);
  CHECK_THAT(outcome.reason, contains("as far as the driver's count shows"));
  host.step = 1 << 20;  // three questions a launch
  outcome = check_memory_use(host, right_kernel<DrivenHost>());
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "memory_leak");
  host.step = 1 << 18;  // some launches add to it, others do not
  outcome = check_memory_use(host, right_kernel<DrivenHost>());
  CHECK(outcome.verdict == Verdict::pass);
  CHECK_FALSE(outcome.diagnosis.empty());
  Host plain(1);
  CHECK(check_memory_use(plain, right_kernel<Host>()).verdict == Verdict::unsupported);
}
