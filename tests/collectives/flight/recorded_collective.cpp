#include "assay/collectives/flight/recorded_collective.hpp"

#include <condition_variable>
#include <mutex>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;
using std::chrono::milliseconds;

namespace {

/// Rank 1 of 3, which does what the test wants of it; it ignores every deadline.
struct Scripted {
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::string aborted;
    Result<void> answer;
    bool hang = false, deaf = false;
    int groups = 0;
  };
  std::shared_ptr<State> state = std::make_shared<State>();

  int rank() const { return 1; }
  int size() const { return 3; }
  std::string name() const { return "scripted"; }
  void abort(std::string_view reason) {
    const std::lock_guard<std::mutex> lock(state->mutex);
    state->aborted = std::string(reason);
    state->changed.notify_all();
  }
  Result<void> barrier(const CollectiveCall&, Deadline) { return act(); }
  Result<void> all_reduce(const CollectiveCall&, Deadline) { return act(); }
  Result<void> send_receive(const CollectiveCall&, Deadline) { return act(); }
  Result<void> run_group(std::span<const CollectiveCall>, Deadline) {
    ++state->groups;
    return act();
  }
  Result<Scripted> split(int) { return *this; }

  Result<void> act() {
    std::unique_lock<std::mutex> lock(state->mutex);
    if (!state->hang) return state->answer;
    if (state->deaf)
      state->changed.wait_for(lock, milliseconds(150), [] { return false; });
    else
      state->changed.wait(lock, [&] { return !state->aborted.empty(); });
    return state->deaf ? Result<void>() : failure(ErrorKind::aborted, state->aborted);
  }
};

CollectiveCall barrier() {
  CollectiveCall call;
  call.operation = CollectiveOperation::barrier;
  return call;
}
Deadline soon() {
  return deadline_after(milliseconds(20));
}
Deadline far() {
  return deadline_after(std::chrono::hours(1));
}

struct Watch {
  Scripted scripted;
  std::shared_ptr<FlightRecorder> recorder = std::make_shared<FlightRecorder>(1, 3);
  RecordedOptions options;
  Watch() { options.grace = milliseconds(10); }
  RecordedCollective make() { return RecordedCollective::make(AnyCollective(scripted), recorder, options).value(); }
  FlightRecord last() const { return recorder->flight().records.back(); }
};

}  // namespace

static_assert(Collective<RecordedCollective>);

TEST_CASE("every call is recorded, with what came of it, and passed on") {
  Watch watch;
  AnyCollective any(watch.make());
  CHECK(any.rank() == 1);
  CHECK(any.size() == 3);
  CHECK(any.name() == "scripted");
  REQUIRE(any.run(barrier(), far()));
  CHECK(watch.last().state == FlightState::completed);

  watch.scripted.state->answer = failure(ErrorKind::device, "the link is down");
  CHECK(any.run(barrier(), far()).error().message == "the link is down");
  CHECK(watch.last().state == FlightState::failed);
  CHECK(watch.last().error == ErrorKind::device);

  watch.scripted.state->answer = failure(ErrorKind::timed_out, "rank 2 did not come");
  CHECK(any.run(barrier(), far()).error().message == "rank 2 did not come");
  CHECK(watch.last().state == FlightState::timed_out);
  CHECK(watch.scripted.state->aborted.empty());

  watch.scripted.state->answer = {};
  CollectiveCall missing;
  missing.operation = CollectiveOperation::broadcast;
  missing.root = 2;
  float value = 0;
  missing.receive = &value;
  CHECK(any.run(missing, far()).error().kind == ErrorKind::unsupported);
  CHECK(watch.last().error == ErrorKind::unsupported);
  CHECK(watch.last().sequence == 4);
  missing.root = 3;
  CHECK(any.run(missing, far()).error().kind == ErrorKind::invalid);  // what is refused is on the record, too
  CHECK(watch.last().root == 3);
}

TEST_CASE("a runtime that ignores its deadline is aborted, and the operation timed out") {
  Watch watch;
  watch.scripted.state->hang = true;
  std::string overdue;
  bool aborted_before = true;
  watch.options.overdue = [&](const std::string& operation) {
    overdue = operation;
    aborted_before = !watch.scripted.state->aborted.empty();
  };
  AnyCollective any(watch.make());
  const auto done = any.run(barrier(), soon());
  REQUIRE(!done);
  CHECK(done.error().kind == ErrorKind::timed_out);
  CHECK_THAT(done.error().message,
             contains("barrier #1 of rank 1 in 'world' did not end by its deadline; the watchdog aborted it"));
  CHECK(overdue == "barrier #1");
  CHECK(!aborted_before);
  CHECK(watch.last().state == FlightState::timed_out);
}

TEST_CASE("one that ignores the abort as well is timed out when it comes back, though it says that all is well") {
  Watch watch;
  watch.scripted.state->hang = watch.scripted.state->deaf = true;
  AnyCollective any(watch.make());
  CHECK(any.run(barrier(), soon()).error().kind == ErrorKind::timed_out);
  CHECK(watch.last().state == FlightState::timed_out);
  CHECK_THAT(watch.scripted.state->aborted, contains("barrier #1"));
}

TEST_CASE("an operation in time is not aborted, nor is what comes after the last one") {
  Watch watch;
  AnyCollective any(watch.make());
  for (int i = 0; i < 200; ++i) REQUIRE(any.run(barrier(), far()));
  REQUIRE(any.run(barrier(), deadline_after(milliseconds(200))));  // which passes while nothing is under way
  REQUIRE(any.run(barrier(), Deadline::max()));
  watch.scripted.state->hang = watch.scripted.state->deaf = true;  // takes 150 ms, while the watchdog looks
  REQUIRE(any.run(barrier(), far()));
  REQUIRE(any.run(barrier(), Deadline::max()));
  std::this_thread::sleep_for(milliseconds(90));
  CHECK(watch.scripted.state->aborted.empty());
}

TEST_CASE("groups are one launch and a record each; messages have numbers of their own") {
  Watch watch;
  AnyCollective any(watch.make());
  CollectiveCall message;
  message.operation = CollectiveOperation::send_receive;
  message.count = 0;
  message.destination = 2;
  CollectiveCall other = message;
  other.destination = -1;
  other.source = 0;
  const std::vector<CollectiveCall> calls{barrier(), message, other, message};
  REQUIRE(any.run_group(calls, far()));
  CHECK(watch.scripted.state->groups == 1);
  const auto records = watch.recorder->flight().records;
  REQUIRE(records.size() == 4);
  CHECK(records[0].sequence == 1);
  CHECK(records[3].sequence == 3);
  CHECK(records[1].sent_number == 1);
  CHECK(records[2].sent_number == 0);
  CHECK(records[2].received_number == 1);
  CHECK(records[3].sent_number == 2);
  message.destination = 9;
  CHECK(!any.run(message, far()));  // no such rank
}

TEST_CASE("parts of a communicator have names of their own, the same on all ranks") {
  Watch watch;
  RecordedCollective whole = watch.make();
  auto first = whole.split(4), second = whole.split(4);
  REQUIRE(first);
  REQUIRE(second);
  const auto communicators = watch.recorder->flight().communicators;
  REQUIRE(communicators.size() == 3);
  CHECK(communicators[1].communicator == "world/0:4");
  CHECK(communicators[2].communicator == "world/1:4");
}
