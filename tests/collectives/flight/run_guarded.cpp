#include "assay/collectives/flight/run_guarded.hpp"

#include <thread>

#include "assay/collectives/in_process/in_process_coordinator.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// A communicator of two threads that knows barriers; it waits for ever, until it is aborted.
struct Pair {
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    int arrived = 0, round = 0;
    bool aborted = false;
  };
  std::shared_ptr<State> state;
  int number = 0;

  int rank() const { return number; }
  int size() const { return 2; }
  std::string name() const { return "pair"; }
  void abort(std::string_view) {
    const std::lock_guard<std::mutex> lock(state->mutex);
    state->aborted = true;
    state->changed.notify_all();
  }
  Result<void> barrier(const CollectiveCall&, Deadline) {
    std::unique_lock<std::mutex> lock(state->mutex);
    const int round = state->round;
    if (++state->arrived == 2) {
      state->arrived = 0;
      ++state->round;
      state->changed.notify_all();
    }
    state->changed.wait(lock, [&] { return state->round != round || state->aborted; });
    return state->round != round ? Result<void>() : failure(ErrorKind::aborted, "aborted");
  }
};

Result<Outcome> passes(AnyCollective& collective) {
  CollectiveCall call;
  call.operation = CollectiveOperation::barrier;
  if (auto done = collective.run(call, deadline_after(std::chrono::milliseconds(250))); !done) return done.propagate();
  Outcome outcome;
  outcome.verdict = Verdict::pass;
  return outcome;
}

/// What rank 0 and rank 1 made of the same checks.
std::vector<std::vector<Outcome>> run(const std::vector<GuardedCheck>& checks, AfterHang after, bool renewable = true) {
  auto coordinators = in_process_coordinators(2);
  const std::vector<std::shared_ptr<Pair::State>> states{std::make_shared<Pair::State>(),
                                                         std::make_shared<Pair::State>()};
  std::vector<std::vector<Outcome>> outcomes(2);
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 2; ++rank)
    ranks.emplace_back([&, rank] {
      GuardOptions options;
      options.after_hang = after;
      options.recorded.grace = std::chrono::milliseconds(5);
      options.renew = [&, rank]() -> Result<AnyCollective> {
        if (!renewable && rank == 1) return failure(ErrorKind::device, "no port is left");
        return AnyCollective(Pair{states[1], rank});
      };
      outcomes[static_cast<std::size_t>(rank)] =
          run_guarded(AnyCollective(Pair{states[0], rank}), coordinators[static_cast<std::size_t>(rank)], checks,
                      options)
              .value();
    });
  for (std::thread& rank : ranks) rank.join();
  return outcomes;
}

const std::vector<GuardedCheck> checks{{"first", passes},
                                       {"hangs",
                                        [](AnyCollective& collective) -> Result<Outcome> {
                                          if (collective.rank() == 0) return passes(collective);
                                          Outcome outcome;  // rank 1 stays away, and thinks that all is well
                                          outcome.verdict = Verdict::pass;
                                          return outcome;
                                        }},
                                       {"last", passes}};

}  // namespace

TEST_CASE("after a hang the run goes on with a new communicator, or ends, as asked") {
  const auto after = GENERATE(AfterHang::end, AfterHang::go_on);
  for (const std::vector<Outcome>& outcomes : run(checks, after)) {
    REQUIRE(outcomes.size() == 3);
    CHECK(outcomes[0].verdict == Verdict::pass);
    CHECK(outcomes[0].id == "first");
    CHECK(outcomes[1].verdict == Verdict::error);
    CHECK(outcomes[1].id == "hangs");
    CHECK_THAT(outcomes[1].reason, contains("rank 1 never entered barrier #2"));
    CHECK(outcomes[2].verdict == (after == AfterHang::go_on ? Verdict::pass : Verdict::skipped));
    if (after == AfterHang::end)
      CHECK(outcomes[2].reason == "the communicator was lost in hangs; the run was to end then");
  }
}

TEST_CASE("where no new communicator can be made on one rank, the run ends on all of them") {
  for (const std::vector<Outcome>& outcomes : run(checks, AfterHang::go_on, false)) {
    REQUIRE(outcomes.size() == 3);
    CHECK(outcomes[2].verdict == Verdict::skipped);
    CHECK_THAT(outcomes[2].reason, contains("rank 1 has no new one: no port is left"));
  }
}

TEST_CASE("what is unsupported or wrong costs no communicator") {
  std::vector<GuardedCheck> harmless = checks;
  harmless[1].run = [](AnyCollective& collective) -> Result<Outcome> {
    if (collective.rank() == 0) return failure(ErrorKind::unsupported, "no such operation");
    Outcome outcome;
    outcome.verdict = Verdict::fail;
    return outcome;
  };
  const auto outcomes = run(harmless, AfterHang::end);
  CHECK(outcomes[0][1].verdict == Verdict::unsupported);
  CHECK(outcomes[1][1].verdict == Verdict::fail);
  CHECK(outcomes[0][2].verdict == Verdict::pass);
  CHECK(outcomes[1][2].verdict == Verdict::pass);
}

TEST_CASE("to go on without saying how is misuse") {
  auto coordinators = in_process_coordinators(1);
  GuardOptions options;
  options.after_hang = AfterHang::go_on;
  CHECK_THROWS_AS(
      run_guarded(AnyCollective(Pair{std::make_shared<Pair::State>(), 0}), coordinators[0], checks, options), Misuse);
}
