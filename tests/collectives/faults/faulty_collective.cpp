#include "assay/collectives/faults/faulty_collective.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "assay/collectives/in_process/run_ranks.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr int ranks = 4;
using Values = std::vector<float>;

/// Assertions are for one thread; ranks throw.
void must(bool holds) {
  if (!holds) throw std::runtime_error("a rank found what it should not");
}

Deadline soon() {
  return deadline_after(std::chrono::seconds(20));
}

FaultInjection injection(std::string fault, int rank = 1) {
  FaultInjection how;
  how.fault = std::move(fault);
  how.rank = rank;
  return how;
}

/// What each rank of four holds after the last of `calls` calls in which rank r gives 10^r in every element; before,
/// -1.
std::vector<Values> outputs(const FaultInjection& how, CollectiveCall call, Index count = 4, int calls = 1) {
  const InProcessWorld world(ranks);
  std::vector<Values> all(ranks);
  run_ranks(world, [&](InProcessCollective& right) {
    FaultyCollective faulty(right, how);
    CollectiveCall own = call;
    own.count = count;
    const int rank = right.rank();
    Values given(static_cast<std::size_t>(std::max<Index>(1, send_extent(own, rank, ranks)))),
        received(static_cast<std::size_t>(std::max<Index>(1, receive_extent(own, rank, ranks))));
    for (int number = 0; number < calls; ++number) {
      const auto value = static_cast<float>(std::pow(10, rank)) * static_cast<float>(number + 1);
      for (float& element : given) element = value;
      for (float& element : received) element = -1;
      own.send = given.data();
      own.receive = received.data();
      own.multiplier = rank + 1;
      launch(faulty, own, soon()).value();
    }
    if (receive_extent(own, rank, ranks) > 0) all[static_cast<std::size_t>(rank)] = received;
  });
  return all;
}

CollectiveCall call_of(CollectiveOperation operation, ReductionOperator reduction = ReductionOperator::sum,
                       int root = 0) {
  CollectiveCall call;
  call.operation = operation;
  call.reduction = reduction;
  call.root = root;
  return call;
}

/// The first element of every rank's output of a sum of 1, 10, 100 and 1000.
std::vector<float> sums(const FaultInjection& how, ReductionOperator reduction = ReductionOperator::sum,
                        int calls = 1) {
  std::vector<float> firsts;
  for (const Values& output : outputs(how, call_of(CollectiveOperation::all_reduce, reduction), 4, calls))
    firsts.push_back(output.front());
  return firsts;
}
std::vector<float> on_all(float value) {
  return std::vector<float>(ranks, value);
}

}  // namespace

static_assert(Collective<FaultyCollective>);

TEST_CASE("a collective without a fault gives what it gives", "[collectives]") {
  CHECK(sums({}) == on_all(1111));
  CHECK(sums(injection("average_not_divided")) == on_all(1111));  // does not fit a sum
  FaultInjection later = injection("rank_dropped");
  later.first_call = 1;
  CHECK(sums(later) == on_all(1111));
  CHECK(sums(later, ReductionOperator::sum, 2) == on_all(2 * 1101));
}

TEST_CASE("what goes into a reduction: dropped, doubled, of another rank or another call", "[collectives]") {
  CHECK(sums(injection("rank_dropped")) == on_all(1101));
  CHECK(sums(injection("rank_dropped", 3), ReductionOperator::maximum) == on_all(100));
  CHECK(sums(injection("rank_dropped", 0), ReductionOperator::minimum) == on_all(10));
  CHECK(sums(injection("contribution_duplicated")) == on_all(1121));
  CHECK(sums(injection("contribution_duplicated", 2), ReductionOperator::product) == on_all(1e8f));
  CHECK(sums(injection("duplicate_and_drop")) == on_all(1021));
  CHECK(sums(injection("duplicate_and_drop", 3)) == on_all(2110));
  CHECK(sums(injection("multiplier_of_wrong_rank"), ReductionOperator::premultiplied_sum) ==
        on_all(1 + 30 + 300 + 4000));
  CHECK(sums(injection("stale_input"), ReductionOperator::sum, 2) == on_all(2222 - 10));
  CHECK(sums(injection("previous_output"), ReductionOperator::sum, 2) == std::vector<float>{2222, 1111, 2222, 2222});
}

TEST_CASE("the reduction itself", "[collectives]") {
  CHECK(sums(injection("average_not_divided"), ReductionOperator::average) == on_all(1111));
  CHECK(sums(injection("wrong_reduction")) == on_all(1000));
  CHECK(sums(injection("wrong_reduction"), ReductionOperator::maximum) == on_all(1));
  CHECK(sums(injection("narrow_accumulator")) == on_all(1112));  // 1111 in bf16
  CHECK(sums(injection("type_reinterpreted")) != on_all(1111));
}

TEST_CASE("a chunk, a boundary, a remainder, the tail, an offset", "[collectives]") {
  FaultInjection second_half = injection("chunk_dropped");
  second_half.chunk = 1;
  for (const Values& output : outputs(second_half, call_of(CollectiveOperation::all_reduce)))
    CHECK(output == Values{1111, 1111, 1101, 1101});
  for (const Values& output : outputs(injection("remainder_lost"), call_of(CollectiveOperation::all_reduce), 6))
    CHECK(output == Values{1111, 1111, 1111, 1111, -1, -1});
  CHECK(outputs(injection("torn_tail"), call_of(CollectiveOperation::all_reduce), 6)[1] ==
        Values{1111, 1111, -1, -1, -1, -1});
  CHECK(outputs(injection("torn_tail"), call_of(CollectiveOperation::all_reduce), 6)[0] == Values(6, 1111));
  FaultInjection narrow_offsets = injection("offset_overflow");
  narrow_offsets.offset_limit = 8;
  for (const Values& output : outputs(narrow_offsets, call_of(CollectiveOperation::all_gather), 1))
    CHECK(output == Values{100, 1000, -1, -1});
  CHECK(outputs(injection("off_by_one"), call_of(CollectiveOperation::all_gather), 2)[1] ==
        Values{1, 1, 10, 10, 100, 100, 1000, 1000});  // equal elements do not show it
}

TEST_CASE("blocks that are exchanged, missing or of the wrong root", "[collectives]") {
  for (const Values& output : outputs(injection("ranks_permuted"), call_of(CollectiveOperation::all_gather), 1))
    CHECK(output == Values{1, 100, 10, 1000});
  for (const Values& output : outputs(injection("rank_dropped"), call_of(CollectiveOperation::all_gather), 1))
    CHECK(output == Values{1, -1, 100, 1000});
  for (const Values& output : outputs(injection("duplicate_and_drop"), call_of(CollectiveOperation::all_gather), 1))
    CHECK(output == Values{1, 10, 10, 1000});
  const auto broadcast =
      outputs(injection("rank_dropped"), call_of(CollectiveOperation::broadcast, ReductionOperator::sum, 2), 1);
  CHECK(broadcast == std::vector<Values>{{100}, {-1}, {100}, {100}});
  const auto from_next =
      outputs(injection("wrong_root"), call_of(CollectiveOperation::broadcast, ReductionOperator::sum, 2), 1);
  CHECK(from_next == std::vector<Values>{{-1}, {-1}, {-1}, {-1}});  // rank 3 sends what its output held
  CHECK(outputs(injection("wrong_root"), call_of(CollectiveOperation::reduce), 1)[0] == Values{-1});
  CHECK(outputs(injection("wrong_root"), call_of(CollectiveOperation::gather, ReductionOperator::sum, 3), 1)[3] ==
        Values{-1, -1, -1, -1});
  CHECK(outputs(injection("wrong_root"), call_of(CollectiveOperation::scatter, ReductionOperator::sum, 3), 1) ==
        std::vector<Values>{{-1}, {0}, {0}, {0}});
}

TEST_CASE("minima of NaN and of zeros of both signs", "[collectives]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto least = [](std::string fault, const Values& given) {
    const InProcessWorld world(ranks);
    float least = 0;
    run_ranks(world, [&](InProcessCollective& right) {
      FaultyCollective faulty(right, injection(fault));
      float own = given[static_cast<std::size_t>(right.rank())], received = -1;
      CollectiveCall call = call_of(CollectiveOperation::all_reduce, ReductionOperator::minimum);
      call.count = 1;
      call.send = &own;
      call.receive = &received;
      launch(faulty, call, soon()).value();
      if (right.rank() == 0) least = received;
    });
    return least;
  };
  CHECK(std::isnan(least("", {3, nan, 2, 5})));
  CHECK(least("nan_lost", {3, nan, 2, 5}) == 2);
  CHECK(least("nan_lost", {nan, nan, nan, 5}) == 5);
  CHECK(std::signbit(least("nan_lost", {0.f, -0.f, 0.f, 1})));
  int lost = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    Values zeros(ranks, 0.f);
    zeros[static_cast<std::size_t>(rank)] = -0.f;
    CHECK(std::signbit(least("", zeros)));
    lost += std::signbit(least("zero_sign_lost", zeros)) ? 0 : 1;
  }
  CHECK(lost == 3);  // only the zero that comes first counts
}

TEST_CASE("few calls are hit, always the same", "[collectives]") {
  const InProcessWorld world(2);
  std::vector<std::vector<int>> hit(2);
  run_ranks(world, [&](InProcessCollective& right) {
    FaultInjection how = injection("intermittent_bit_flip");
    how.rate = 0.05;
    FaultyCollective faulty(right, how);
    for (int number = 0; number < 400; ++number) {
      std::int32_t given = 1, received = 0;
      CollectiveCall call;
      call.type = ElementType::int32;
      call.count = 1;
      call.send = &given;
      call.receive = &received;
      launch(faulty, call, soon()).value();
      if (received != 2) hit[static_cast<std::size_t>(right.rank())].push_back(number);
    }
    must(faulty.hits() > 5 && faulty.hits() < 60);
    must(right.rank() == 0 || hit[1].size() == faulty.hits());
  });
  CHECK(hit[0].empty());
}

TEST_CASE("a hanging rank returns when it is aborted, a crashed one never comes back", "[collectives]") {
  const InProcessWorld world(2);
  FaultyCollective hanging(world.collective(1), injection("rank_hang"));
  CollectiveCall barrier = call_of(CollectiveOperation::barrier);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    hanging.abort("enough");
  });
  const auto woken = launch(hanging, barrier, deadline_after(std::chrono::hours(1)));
  other.join();
  REQUIRE_FALSE(woken);
  CHECK(woken.error().kind == ErrorKind::aborted);

  int crashes = 0;
  FaultInjection how = injection("rank_crash", 0);
  how.first_call = 0;
  how.crash = [&] { ++crashes; };
  FaultyCollective crashing(InProcessWorld(1).collective(0), how);
  for (int time = 0; time < 2; ++time) {
    const auto dead = launch(crashing, barrier, soon());
    REQUIRE_FALSE(dead);
    CHECK(dead.error().kind == ErrorKind::device);
  }
  CHECK(crashes == 1);
}

TEST_CASE("a rank that leaves a barrier early is through it before the next call", "[collectives]") {
  const InProcessWorld world(2);
  std::atomic<bool> arrived{false};
  run_ranks(world, [&](InProcessCollective& right) {
    FaultyCollective faulty(right, injection("early_barrier_exit"));
    const CollectiveCall barrier = call_of(CollectiveOperation::barrier);
    if (right.rank() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      arrived = true;
    }
    launch(faulty, barrier, soon()).value();
    must(right.rank() == 0 || !arrived);
    launch(faulty, barrier, soon()).value();
    must(arrived);
  });
}

TEST_CASE("groups have faults in all their calls; parts have those of the whole", "[collectives]") {
  const InProcessWorld world(ranks);
  run_ranks(world, [&](InProcessCollective& right) {
    AnyCollective faulty(FaultyCollective(right, injection("rank_dropped")));
    float given = static_cast<float>(std::pow(10, right.rank())), received[2] = {};
    std::vector<CollectiveCall> calls(2, call_of(CollectiveOperation::all_reduce));
    for (std::size_t i = 0; i < 2; ++i) {
      calls[i].count = 1;
      calls[i].send = &given;
      calls[i].receive = &received[i];
    }
    launch_group(faulty, calls, soon()).value();
    must(received[0] == 1101 && received[1] == 1101);
    auto part = faulty.split(right.rank() % 2);
    launch(part.value(), calls[0], soon()).value();
    must(received[0] == (right.rank() % 2 == 0 ? 1 : 10));
    must(part.value().name() == "in_process.ring+rank_dropped");
  });
}

TEST_CASE("faults that are not there are misuse; bad calls reach the runtime", "[collectives]") {
  const auto with = [](FaultInjection how) {
    return FaultyCollective(InProcessWorld(1).collective(0), std::move(how));
  };
  CHECK_THROWS_AS(with(injection("rank_droped", 0)), Misuse);
  CHECK_THROWS_AS(with(injection("rank_dropped", 1)), Misuse);
  FaultInjection how = injection("rank_dropped", 0);
  how.rate = 1.5;
  CHECK_THROWS_AS(with(how), Misuse);
  how.rate = 0;
  how.chunks = 0;
  CHECK_THROWS_AS(with(how), Misuse);
  how.chunks = 2;
  FaultyCollective faulty = with(how);
  CollectiveCall call;
  call.count = 5;
  const auto refused = launch(faulty, call, soon());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::invalid);
  FaultyCollective copy = faulty;
  copy.inject({});
  CHECK(faulty.name() == "in_process.ring");
}
