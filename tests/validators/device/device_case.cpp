#include "assay/validators/device/device_case.hpp"

#include <csignal>
#include <numeric>

#include "assay/suite/isolated_runner.hpp"
#include "assay/validators/device/check_determinism.hpp"
#include "backends/failing_host.hpp"
#include "testing/catch.hpp"
#include "validators/device/device_kernels.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A device that is lost to the whole process by one bad kernel, as CUDA's is.
struct LosableDevice : Host {
  static inline bool lost = false;
  LosableDevice() : Host(1) {}
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    if (lost) return failure(ErrorKind::device, "illegal address; this process can use the device no more");
    return Host::parallel_for(stream, count, functor);
  }
};

enum class Does { right, loses_device, loses_it_silently, dies };

Case one_case(const std::string& id, Does does) {
  return device_case(
      id, {{"operation", "test"}}, []() -> Result<LosableDevice> { return LosableDevice(); },
      [does](LosableDevice& device, const CaseContext&) {
        DeviceKernel<LosableDevice> kernel = right_kernel<LosableDevice>();
        kernel.launch = [right = kernel.launch, does, number = 0](LosableDevice& on, LosableDevice::Stream& stream,
                                                                  const KernelOperands& at) mutable -> Result<void> {
          if (does == Does::dies) std::raise(SIGSEGV);
          auto run = right(on, stream, at);
          ++number;
          if (does == Does::loses_device && number == 2) LosableDevice::lost = true;
          return run;
        };
        const Outcome outcome = check_determinism(device, kernel);
        if (does == Does::loses_it_silently) LosableDevice::lost = true;
        return outcome;
      });
}

Suite suite() {
  return {one_case("a", Does::right), one_case("b", Does::loses_device),
          one_case("c", Does::right), one_case("d", Does::loses_it_silently),
          one_case("e", Does::right), one_case("f", Does::dies),
          one_case("g", Does::right)};
}

std::vector<std::size_t> all_of(const Suite& cases) {
  std::vector<std::size_t> chosen(cases.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  return chosen;
}

}  // namespace

TEST_CASE("a device that is lost, and a kernel that dies, cost one case each when cases are isolated", "[device]") {
  const Suite cases = suite();
  NullObserver observer;
  for (const unsigned jobs : {1u, 2u}) {
    RunOptions options;
    options.jobs = jobs;
    const Run run = run_isolated(cases, all_of(cases), options, {}, {}, observer);
    REQUIRE(run.outcomes.size() == 7);
    for (const std::size_t good : {0u, 2u, 4u, 6u}) {
      CAPTURE(jobs, run.outcomes[good].id, run.outcomes[good].reason);
      CHECK(run.outcomes[good].verdict == Verdict::pass);
    }
    CHECK(run.outcomes[1].verdict == Verdict::error);
    CHECK(run.outcomes[1].label(spent_process_label) == "device lost");
    CHECK_THAT(run.outcomes[1].reason, contains("illegal address"));
    CHECK(run.outcomes[3].verdict == Verdict::error);
    CHECK_THAT(run.outcomes[3].reason, contains("the check passed, but afterwards the device works no more"));
    CHECK(run.outcomes[5].verdict == Verdict::error);
    CHECK_FALSE(run.outcomes[5].label("ended").empty());
  }
}

TEST_CASE("without isolation what follows a lost device is errors with that reason, never passes", "[device]") {
  Suite cases{one_case("a", Does::right), one_case("b", Does::loses_device), one_case("c", Does::right)};
  NullObserver observer;
  const Run run = run_suite(cases, all_of(cases), {}, {}, observer);
  LosableDevice::lost = false;
  CHECK(run.outcomes.at(0).verdict == Verdict::pass);
  CHECK(run.outcomes.at(1).verdict == Verdict::error);
  CHECK(run.outcomes.at(2).verdict == Verdict::error);
  CHECK_THAT(run.outcomes.at(2).reason, contains("can use the device no more"));
  CHECK(run.outcomes.at(2).id == "c");
  CHECK(run.outcomes.at(2).label("operation") == "test");
}

TEST_CASE("a device that is not there is unsupported", "[device]") {
  const Case absent = device_case(
      "x", {}, []() -> Result<Host> { return failure(ErrorKind::unsupported, "no driver"); },
      [](Host&, const CaseContext&) { return Outcome(); });
  const Outcome outcome = absent.run({});
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK(outcome.reason == "no driver");
  CHECK(outcome.id == "x");
}
