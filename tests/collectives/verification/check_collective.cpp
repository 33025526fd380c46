#include "assay/collectives/verification/check_collective.hpp"

#include <atomic>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "collectives/verification/verified_world.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A right collective whose results somebody alters.
struct Altered {
  AnyCollective right;
  testing::Mischief mischief;
  std::uint64_t calls = 0;

  int rank() const { return right.rank(); }
  int size() const { return right.size(); }
  std::string name() const { return right.name(); }
  void abort(std::string_view reason) { right.abort(reason); }
  Result<void> altered(const CollectiveCall& call, Deadline deadline) {
    auto done = right.run(call, deadline);
    if (done && mischief) mischief(rank(), calls, call);
    ++calls;
    return done;
  }
  Result<void> all_reduce(const CollectiveCall& call, Deadline deadline) { return altered(call, deadline); }
  Result<void> all_gather(const CollectiveCall& call, Deadline deadline) { return altered(call, deadline); }
  Result<void> all_to_all_v(const CollectiveCall& call, Deadline deadline) { return altered(call, deadline); }
  Result<void> barrier(const CollectiveCall& call, Deadline deadline) {
    return rank() == 2 && mischief ? Result<void>() : altered(call, deadline);
  }
};

}  // namespace

Outcome assay::testing::outcome_of_world(int size, const std::function<Outcome(AnyCollective&, Coordinator&)>& body,
                                         const Mischief& mischief, bool shuffled_order) {
  InProcessOptions options;
  if (shuffled_order)
    options.hooks.on_order = [](const InProcessPlace& place, std::vector<int>& ranks) {
      for (std::size_t i = ranks.size(); i > 1; --i)
        std::swap(ranks[i - 1], ranks[assay::detail::mixed(place.call, i) % i]);
    };
  const InProcessWorld world(size, options);
  auto coordinators = in_process_coordinators(size);
  std::vector<Outcome> outcomes(static_cast<std::size_t>(size));
  run_ranks(world, [&](InProcessCollective& end) {
    const auto rank = static_cast<std::size_t>(end.rank());
    AnyCollective collective(Altered{AnyCollective(end), mischief});
    outcomes[rank] = body(collective, coordinators[rank]);
  });
  for (const Outcome& outcome : outcomes) {
    CHECK(outcome.verdict == outcomes.front().verdict);
    CHECK(outcome.reason == outcomes.front().reason);
    CHECK(outcome.labels == outcomes.front().labels);
  }
  return outcomes.front();
}

namespace {

Outcome check(const CollectiveProblem& problem, const testing::Mischief& mischief = {}, int size = 4) {
  return testing::outcome_of_world(
      size,
      [&](AnyCollective& collective, Coordinator& coordinator) {
        return check_collective(collective, coordinator, problem);
      },
      mischief);
}
CollectiveProblem problem_of(CollectiveOperation operation, ElementType type, Index count) {
  CollectiveProblem problem;
  problem.operation = operation;
  problem.type = type;
  problem.count = count;
  return problem;
}
/// What `rank` gave to a sum taken `times` more on every rank, in some elements; -1 drops it.
testing::Mischief with_rank(const CollectiveProblem& problem, int size, int rank, int times, Index begin, Index end) {
  return [=](int, std::uint64_t number, const CollectiveCall& call) {
    const CollectiveData data(problem, 0, size);
    for (Index i = begin; i < end; ++i) {
      const double right = detail::value_of(call.type, detail::load_code(call.receive, i, bytes_of(call.type))),
                   own = detail::value_of(call.type, data.given(number, rank, i));
      detail::store_code(call.receive, i, bytes_of(call.type), detail::code_of(call.type, right + times * own));
    }
  };
}

}  // namespace

TEST_CASE("a right collective passes, and every rank receives the same outcome") {
  const Outcome outcome = check(problem_of(CollectiveOperation::all_reduce, ElementType::bfloat16, 1023));
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.id == "all_reduce.sum/in_process.ring/bf16/n4.count1023/decode");
  CHECK(outcome.measurement("calls") == 3.0);
  CHECK(outcome.measurement(measurement::elements) == 3.0 * 4 * 1023);
}

TEST_CASE("a rank that was dropped, in part or in whole, or counted twice is named") {
  for (const ElementType type : {ElementType::float32, ElementType::bfloat16, ElementType::float8_e4m3fn}) {
    const CollectiveProblem problem = problem_of(CollectiveOperation::all_reduce, type, 1000);
    Outcome outcome = check(problem, with_rank(problem, 4, 2, -1, 0, 1000));
    CHECK(outcome.label("fault") == "rank_dropped");
    CHECK(outcome.label("guilty_rank") == "2");
    outcome = check(problem, with_rank(problem, 4, 3, 1, 0, 1000));
    CHECK(outcome.label("fault") == "contribution_duplicated");
    CHECK(outcome.label("guilty_rank") == "3");
    outcome = check(problem, with_rank(problem, 4, 1, -1, 250, 500));
    CHECK(outcome.label("fault") == "chunk_dropped");
    CHECK(outcome.label("guilty_rank") == "1");
    CHECK_THAT(outcome.diagnosis.front(), testing::contains("in part 1 of 4"));
  }
}

TEST_CASE("a message that is lost in a ring is told by the arc of ranks that are missing") {
  const CollectiveProblem problem = problem_of(CollectiveOperation::all_reduce, ElementType::float32, 800);
  const auto drop = [&](int rank) { return with_rank(problem, 8, rank, -1, 100, 200); };
  const Outcome outcome = check(
      problem,
      [&](int rank, std::uint64_t number, const CollectiveCall& call) {
        for (const int lost : {6, 7, 0}) drop(lost)(rank, number, call);
      },
      8);
  CHECK(outcome.label("fault") == "chunk_dropped");
  CHECK(outcome.label("guilty_rank").empty());  // in a ring rank 0; in another algorithm any of them
  CHECK(outcome.label("suspect_ranks") == "0, 6, 7");
  CHECK_THAT(outcome.diagnosis.front(),
             testing::contains("ranks 6 to 0 are left out: in a ring, what rank 0 sent to rank 1 at step 2 was lost"));
}

TEST_CASE("one rank's last bytes, one bit, and what a gap between blocks held are told") {
  std::atomic<Index> received{0};
  Outcome outcome = check(problem_of(CollectiveOperation::all_gather, ElementType::int8, 100),
                          [](int rank, std::uint64_t, const CollectiveCall& call) {
                            if (rank == 1) std::memset(static_cast<char*>(call.receive) + 384, 0xA7, 16);
                          });
  CHECK(outcome.label("fault") == "torn_tail");
  CHECK(outcome.label("guilty_rank") == "1");
  outcome = check(problem_of(CollectiveOperation::all_gather, ElementType::float32, 100),
                  [](int rank, std::uint64_t number, const CollectiveCall& call) {
                    if (rank == 3 && number == 1) static_cast<char*>(call.receive)[777] ^= 16;
                  });
  CHECK(outcome.label("fault") == "intermittent_bit_flip");
  CHECK(outcome.label("guilty_rank") == "3");
  outcome = check(problem_of(CollectiveOperation::all_to_all_v, ElementType::float32, 90),
                  [&](int rank, std::uint64_t, const CollectiveCall& call) {
                    const Index gap = call.received.displacements[1] - 1;
                    if (rank == 0) static_cast<float*>(call.receive)[gap] = 0;
                    received += gap;
                  });
  CHECK(outcome.label("fault") == "out_of_bounds_write");
  CHECK(received > 0);
}

TEST_CASE("results within their bounds that differ between ranks are a failure of agreement") {
  CollectiveProblem problem = problem_of(CollectiveOperation::all_reduce, ElementType::float32, 64);
  problem.data = CollectiveDataKind::random;
  const Outcome outcome = check(problem, [](int rank, std::uint64_t, const CollectiveCall& call) {
    if (rank != 1) return;
    std::uint32_t code;
    std::memcpy(&code, call.receive, 4);
    code ^= 1;
    std::memcpy(call.receive, &code, 4);
  });
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "ranks_disagree");
  CHECK(outcome.label("guilty_rank") == "1");
}

TEST_CASE("a rank that leaves a barrier before the last has come is named; one that waits is not accused") {
  const CollectiveProblem barrier = problem_of(CollectiveOperation::barrier, ElementType::float32, 0);
  CHECK(check(barrier).verdict == Verdict::pass);
  const auto leave = [](int, std::uint64_t, const CollectiveCall&) {};
  const Outcome outcome = testing::outcome_of_world(
      4,
      [&](AnyCollective& collective, Coordinator& coordinator) {
        CollectiveCheckOptions options;
        options.calls = 1;
        options.timeout = std::chrono::milliseconds(300);
        return check_collective(collective, coordinator, barrier, options);
      },
      leave);
  CHECK(outcome.verdict == Verdict::fail);  // the others wait for it in vain
  CHECK(outcome.label("fault") == "early_barrier_exit");
  CHECK(outcome.label("guilty_rank") == "2");
}

TEST_CASE("what the runtime lacks is unsupported, and no pass") {
  const Outcome outcome = check(problem_of(CollectiveOperation::broadcast, ElementType::float32, 8));
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK_THAT(outcome.reason, testing::contains("in_process.ring has no broadcast"));
}
