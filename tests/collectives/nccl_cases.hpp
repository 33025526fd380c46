#pragma once

#include <cstdio>
#include <cstdlib>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "collectives/runtime_cases.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// What holds of NCCL and of RCCL: with a device, all of one rank; without one, that nobody takes it for right, and
/// the program ends with 77.
template <class NcclLike>
void check_nccl_like() {
  static_assert(Collective<NcclLike>);
  const Deadline deadline = deadline_after(std::chrono::seconds(60));
  auto coordinators = in_process_coordinators(1);
  REQUIRE(NcclLike::create(1, 1, std::string(128, 'x'), 0, deadline).error().kind == ErrorKind::invalid);
  REQUIRE(NcclLike::create(0, 1, "short", 0, deadline).error().kind == ErrorKind::invalid);

  auto made = NcclLike::create(coordinators[0], 0, deadline);
  if (!made) {
    REQUIRE(made.error().kind == ErrorKind::unsupported);
    REQUIRE_THAT(made.error().message, contains("on this machine"));
    const auto direct = NcclLike::create(0, 1, std::string(128, 'x'), 0, deadline);
    REQUIRE(!direct);
    REQUIRE(direct.error().kind == ErrorKind::unsupported);
    std::printf("skipped: %s\n", made.error().message.c_str());
    std::fflush(stdout);
    std::exit(77);
  }
  CHECK(NcclLike::create(0, 1, std::string(128, 'x'), 1000, deadline).error().kind == ErrorKind::unsupported);
  AnyCollective collective(std::move(made).value());
  CHECK(!collective.memory().host_accessible);
  std::size_t passed = 0;
  for (const CollectiveProblem& problem : some_of(runtime_problems(1), 5)) {
    CollectiveCheckOptions options;
    options.calls = 1;
    options.slots = 1;
    const Outcome outcome = check_collective(collective, coordinators[0], problem, options);
    INFO(outcome.id << ": " << outcome.reason);
    CHECK((outcome.verdict == Verdict::pass || outcome.verdict == Verdict::unsupported));
    passed += outcome.verdict == Verdict::pass ? 1 : 0;
  }
  CHECK(passed > 50);

  collective.abort("asked for by the test");
  CollectiveCall call;
  call.operation = CollectiveOperation::barrier;
  CHECK(collective.run(call, deadline).error().kind == ErrorKind::aborted);
}

}  // namespace assay::testing
