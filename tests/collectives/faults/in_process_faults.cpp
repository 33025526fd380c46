#include "assay/collectives/faults/in_process_faults.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

FaultInjection injection(std::string_view fault) {
  FaultInjection how;
  how.fault = fault;
  how.rank = 1;
  return how;
}
InProcessMessage message(std::vector<std::byte>& bytes, AlgorithmPhase phase, int from, int step = 0) {
  InProcessMessage made;
  made.place.phase = phase;
  made.place.step = step;
  made.from = from;
  made.to = (from + 1) % 4;
  made.bytes = bytes;
  return made;
}

}  // namespace

TEST_CASE("the guilty rank's first addend is lost or doubled, and nothing else", "[collectives]") {
  std::vector<std::byte> bytes(8);
  for (const auto& [fault, fate] :
       {std::pair("chunk_dropped", MessageFate::lose), std::pair("contribution_duplicated", MessageFate::duplicate)}) {
    std::atomic<std::uint64_t> effects{0};
    const InProcessHooks hooks = in_process_hooks(injection(fault), 4, &effects);
    const auto fate_of = [&](AlgorithmPhase phase, int from, int step = 0) {
      InProcessMessage own = message(bytes, phase, from, step);
      return hooks.on_message(own);
    };
    CHECK(fate_of(AlgorithmPhase::reduce_scatter, 0) == MessageFate::deliver);
    CHECK(fate_of(AlgorithmPhase::reduce_scatter, 1, 1) == MessageFate::deliver);
    CHECK(fate_of(AlgorithmPhase::all_gather, 1) == MessageFate::deliver);
    CHECK(effects == 0);
    CHECK(fate_of(AlgorithmPhase::reduce_scatter, 1) == fate);
    CHECK(effects == 1);
    CHECK_FALSE(hooks.on_reduce);
    CHECK_FALSE(hooks.on_call);
  }
}

TEST_CASE("one bit of a result is flipped on its way; a slow link is slow one way", "[collectives]") {
  std::vector<std::byte> bytes(8);
  const InProcessHooks flips = in_process_hooks(injection("bit_flip"), 4);
  InProcessMessage own = message(bytes, AlgorithmPhase::all_gather, 1);
  CHECK(flips.on_message(own) == MessageFate::deliver);
  int bits = 0;
  for (const std::byte byte : bytes) bits += __builtin_popcount(static_cast<unsigned>(byte));
  CHECK(bits == 1);

  const InProcessHooks slow = in_process_hooks(injection("slow_link"), 4);
  own = message(bytes, AlgorithmPhase::exchange, 1);
  slow.on_message(own);
  CHECK(own.delay == injection("").delay);
  own = message(bytes, AlgorithmPhase::exchange, 2);
  own.to = 1;
  slow.on_message(own);
  CHECK(own.delay.count() == 0);
}

TEST_CASE("reductions are wrong or narrow, orders change from call to call and not within one", "[collectives]") {
  InProcessReduction step;
  float into = 1, with = 1.0f / 512;
  const auto reduced_by = [&](const char* fault) {
    into = 1;
    step.into = reinterpret_cast<std::byte*>(&into);
    step.with = reinterpret_cast<const std::byte*>(&with);
    step.count = 1;
    CHECK(in_process_hooks(injection(fault), 4).on_reduce(step));
    return into;
  };
  CHECK(reduced_by("narrow_accumulator") == 1);
  CHECK(reduced_by("wrong_reduction") == 1);
  with = 3;
  CHECK(reduced_by("narrow_accumulator") == 4);
  CHECK(reduced_by("wrong_reduction") == 3);

  const InProcessHooks orders = in_process_hooks(injection("nondeterministic_order"), 8);
  std::vector<std::vector<int>> seen;
  for (const std::uint64_t call : {0u, 0u, 1u, 2u, 3u}) {
    std::vector<int> ranks(8);
    std::iota(ranks.begin(), ranks.end(), 0);
    InProcessPlace place;
    place.call = call;
    orders.on_order(place, ranks);
    seen.push_back(ranks);
  }
  CHECK(seen[0] == seen[1]);
  CHECK((seen[2] != seen[0] || seen[3] != seen[0]));
}

TEST_CASE("what becomes of the guilty rank's call, from the first that is hit on", "[collectives]") {
  CollectiveCall call;
  call.operation = CollectiveOperation::barrier;
  InProcessArrival arrival;
  arrival.calls = {&call, 1};
  arrival.place.call = 5;
  for (const auto& [fault, fate] : {std::pair("rank_hang", CallFate::hang), std::pair("rank_crash", CallFate::crash),
                                    std::pair("early_barrier_exit", CallFate::leave_early)}) {
    FaultInjection how = injection(fault);
    how.first_call = 5;
    const InProcessHooks hooks = in_process_hooks(how, 4);
    arrival.rank = 0;
    CHECK(hooks.on_call(arrival) == CallFate::proceed);
    arrival.rank = 1;
    CHECK(hooks.on_call(arrival) == fate);
    arrival.place.call = 4;
    CHECK(hooks.on_call(arrival) == CallFate::proceed);
    arrival.place.call = 5;
  }
}

TEST_CASE("the in-process algorithms refuse faults that they cannot have", "[collectives]") {
  FaultInjection how;
  how.fault = "previous_output";
  CHECK_THROWS_AS(in_process_hooks(how, 4), Misuse);
  how.fault = "no_fault";
  CHECK_THROWS_AS(in_process_hooks(how, 4), Misuse);
  how.fault = "slow_rank";
  how.rank = 4;
  CHECK_THROWS_AS(in_process_hooks(how, 4), Misuse);
  for (const std::string_view name : faults_inside_in_process) CHECK(collective_fault_named(name));
}
