#include "assay/validators/device/device_rank_check.hpp"

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "assay/collectives/verification/rank_check.hpp"
#include "assay/validators/device/check_all_reduce_on_device.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Copies within the device, byte by byte.
struct MoveBytes {
  const unsigned char* from;
  unsigned char* to;
  ASSAY_FUNCTION void operator()(std::size_t i) const { to[i] = from[i]; }
};
struct Flip {
  unsigned char* at;
  ASSAY_FUNCTION void operator()(std::size_t) const { *at ^= 1; }
};

/// An all_reduce of one rank on an emulated device, which flips a bit of a place of its buffers if asked.
struct DeviceSum {
  EmulatedDevice device;
  std::shared_ptr<std::ptrdiff_t> flipped =
      std::make_shared<std::ptrdiff_t>(PTRDIFF_MIN);  ///< byte of the output; PTRDIFF_MIN: none
  bool input = false;
  int rank() const { return 0; }
  int size() const { return 1; }
  std::string name() const { return "emulated"; }
  void abort(std::string_view) {}
  Result<void> all_reduce(const CollectiveCall& call, Deadline) {
    auto stream = device.make_stream();
    if (!stream) return stream.propagate();
    auto* const to = static_cast<unsigned char*>(call.receive);
    const auto* const from = static_cast<const unsigned char*>(call.send);
    if (auto run = device.parallel_for(stream.value(), static_cast<std::size_t>(call.count) * bytes_of(call.type),
                                       MoveBytes{from, to});
        !run)
      return run;
    if (*flipped != PTRDIFF_MIN)
      if (auto run =
              device.parallel_for(stream.value(), 1, Flip{(input ? const_cast<unsigned char*>(from) : to) + *flipped});
          !run)
        return run;
    return device.synchronize(stream.value());
  }
};

CollectiveProblem problem_of(ElementType type, CollectiveDataKind data, Index count = 5000) {
  CollectiveProblem problem;
  problem.type = type;
  problem.data = data;
  problem.count = count;
  problem.seed = 7;
  return problem;
}

}  // namespace

TEST_CASE("what a device is given and judged by is what the host makes, of every type", "[device]") {
  EmulatedDevice device;
  AnyCollective collective(DeviceSum{device});
  for (const ElementType type :
       {ElementType::int8, ElementType::bfloat16, ElementType::float32, ElementType::int64, ElementType::float64})
    for (const CollectiveDataKind data : {CollectiveDataKind::decode, CollectiveDataKind::exact})
      for (const Index count : {Index{0}, Index{1}, Index{700}, Index{40000}}) {
        const CollectiveProblem problem = problem_of(type, data, count);
        auto made = DeviceRankCheck<EmulatedDevice>::make(device, collective, problem, 1);
        REQUIRE(made);
        for (const std::uint64_t number : {0u, 5u}) {
          REQUIRE(made.value().prepare(0, number));
          const CollectiveCall call = made.value().call(0);
          std::vector<unsigned char> there(static_cast<std::size_t>(count) * bytes_of(type)), here(there.size());
          auto stream = device.make_stream();
          REQUIRE(device.copy_to_host(stream.value(), there.data(), static_cast<const unsigned char*>(call.send),
                                      there.size()));
          REQUIRE(device.synchronize(stream.value()));
          CollectiveData(problem, 0, 1).write(here.data(), number, 0, 0, count);
          CHECK(there == here);
          REQUIRE(collective.run(call, deadline_after(std::chrono::seconds(5))));
          const auto found = made.value().inspect(0);
          REQUIRE(found);
          CHECK(found.value().is_right());
          CHECK(found.value().elements == count);
        }
      }
  CHECK(device.misuses().empty());
}

TEST_CASE("right calls copy counts to the host, and no data", "[device]") {
  EmulatedDevice device;
  AnyCollective collective(DeviceSum{device});
  auto coordinators = in_process_coordinators(1);
  const TransferCount before = device.transfers();
  const Outcome outcome = check_all_reduce_on_device(
      device, collective, coordinators[0], problem_of(ElementType::float32, CollectiveDataKind::decode, 1 << 20));
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("calls") == 3);
  CHECK(outcome.measurement("elements") == 3 << 20);
  CHECK(device.transfers().bytes_to_host - before.bytes_to_host < 100000);      // of 12 MiB
  CHECK(device.transfers().bytes_to_device - before.bytes_to_device < 100000);  // tables
}

TEST_CASE("one wrong bit in the output, the input or beside them is told", "[device]") {
  EmulatedDevice device;
  DeviceSum sum{device};
  auto coordinators = in_process_coordinators(1);
  const auto outcome_with = [&](std::ptrdiff_t byte, bool input, bool in_place = false) {
    *sum.flipped = byte;
    sum.input = input;
    AnyCollective collective(sum);
    CollectiveProblem problem = problem_of(ElementType::float32, CollectiveDataKind::exact);
    problem.offset = 3;
    problem.in_place = in_place;
    return check_all_reduce_on_device(device, collective, coordinators[0], problem);
  };
  for (const bool in_place : {false, true}) {
    CHECK(outcome_with(PTRDIFF_MIN, false, in_place).verdict == Verdict::pass);
    for (const std::ptrdiff_t byte : {0, 10001, 19999}) {
      const Outcome outcome = outcome_with(byte, false, in_place);
      CAPTURE(byte, outcome.reason);
      CHECK(outcome.verdict == Verdict::fail);
      CHECK(outcome.measurement(measurement::violations) == 1);
      CHECK(outcome.measurement("calls") == 1);
    }
    for (const std::ptrdiff_t byte : {-1, -268, 20000, 20255}) {
      const Outcome outcome = outcome_with(byte, false, in_place);
      CAPTURE(byte, outcome.reason);
      CHECK(outcome.verdict == Verdict::fail);
      CHECK(outcome.label("fault") == "out_of_bounds_write");
    }
  }
  CHECK(outcome_with(500, true).label("fault") == "input_overwritten");
  CHECK(outcome_with(-5, true).label("fault") == "out_of_bounds_write");
}

TEST_CASE("ranks that are checked in place, and some through the host, agree on who is guilty", "[device]") {
  InProcessWorld world(4);
  auto coordinators = in_process_coordinators(4);
  std::vector<Outcome> outcomes(4);
  const CollectiveProblem problem = problem_of(ElementType::float32, CollectiveDataKind::decode, 3000);
  for (const bool broken : {false, true}) {
    run_ranks(world, [&](InProcessCollective& end) {
      const auto rank = static_cast<std::size_t>(end.rank());
      struct Doubling {
        InProcessCollective right;
        bool broken;
        int rank() const { return right.rank(); }
        int size() const { return right.size(); }
        std::string name() const { return right.name(); }
        void abort(std::string_view reason) { right.abort(reason); }
        Result<void> all_reduce(const CollectiveCall& call, Deadline deadline) {
          auto done = right.run(call, deadline);
          if (done && broken && rank() == 2) static_cast<float*>(call.receive)[1234] += 1;
          return done;
        }
      };
      AnyCollective collective(Doubling{end, broken});
      Host host(1);
      outcomes[rank] = rank % 2 == 0 ? check_all_reduce_on_device(host, collective, coordinators[rank], problem)
                                     : check_collective(collective, coordinators[rank], problem);
    });
    for (const Outcome& outcome : outcomes) {
      CAPTURE(outcome.reason);
      CHECK(outcome.verdict == (broken ? Verdict::fail : Verdict::pass));
      CHECK(outcome.reason == outcomes[0].reason);
    }
  }
}

TEST_CASE("what cannot be judged bit for bit on a device is unsupported", "[device]") {
  Host host(1);
  EmulatedDevice device;
  AnyCollective collective(DeviceSum{device});
  CollectiveProblem problem = problem_of(ElementType::float32, CollectiveDataKind::random);
  CHECK(DeviceRankCheck<Host>::make(host, collective, problem).error().kind == ErrorKind::unsupported);
  problem = problem_of(ElementType::float32, CollectiveDataKind::exact);
  problem.operation = CollectiveOperation::all_gather;
  CHECK_THAT(DeviceRankCheck<Host>::make(host, collective, problem).error().message, contains("not all_gather"));
  problem.operation = CollectiveOperation::all_reduce;
  CHECK_THROWS_AS(DeviceRankCheck<Host>::make(host, collective, problem, 0), Misuse);
  EmulatedDevice small({.memory_bytes = 30000});
  CHECK(DeviceRankCheck<EmulatedDevice>::make(small, collective, problem).error().kind == ErrorKind::out_of_memory);
}
