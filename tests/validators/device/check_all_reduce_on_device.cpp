#include "assay/validators/device/check_all_reduce_on_device.hpp"

#include "assay/backends/emulated_device.hpp"
#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {
/// Does nothing at all, and says that all is well.
struct Idle {
  int rank() const { return 0; }
  int size() const { return 1; }
  std::string name() const { return "idle"; }
  void abort(std::string_view) {}
  Result<void> all_reduce(const CollectiveCall&, Deadline) { return {}; }
};
}  // namespace

TEST_CASE("an all_reduce that writes nothing fails on the device as it does on the host; refusals are no pass",
          "[device]") {
  EmulatedDevice device;
  AnyCollective collective(Idle{});
  auto coordinators = in_process_coordinators(1);
  CollectiveProblem problem;
  problem.data = CollectiveDataKind::exact;
  Outcome outcome = check_all_reduce_on_device(device, collective, coordinators[0], problem);
  const Outcome on_host = check_collective(collective, coordinators[0], problem);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.reason == on_host.reason);
  CHECK(outcome.labels == on_host.labels);
  problem.operation = CollectiveOperation::broadcast;
  CHECK(check_all_reduce_on_device(device, collective, coordinators[0], problem).verdict == Verdict::unsupported);
  problem.operation = CollectiveOperation::all_reduce;
  device.fail_after(9, EmulatedFailure::sticky);
  CHECK(check_all_reduce_on_device(device, collective, coordinators[0], problem).verdict == Verdict::error);
}
