#include "assay/collectives/collective.hpp"

#include <cstring>

#include "assay/collectives/any_collective.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// The communicator of one rank, without a barrier.
struct Alone {
  int rank() const { return 0; }
  int size() const { return 1; }
  std::string name() const { return "alone"; }
  void abort(std::string_view) {}
  Result<void> all_reduce(const CollectiveCall& call, Deadline) {
    std::memcpy(call.receive, call.send, static_cast<std::size_t>(call.count) * bytes_of(call.type));
    return {};
  }
};

}  // namespace

static_assert(Collective<Alone>);
static_assert(Collective<AnyCollective>);

TEST_CASE("launch calls the member of the operation's name; a missing one is unsupported") {
  const float given[2] = {1, 2};
  float received[2] = {};
  CollectiveCall call;
  call.count = 2;
  call.send = given;
  call.receive = received;
  Alone alone;
  REQUIRE(launch(alone, call, deadline_after(std::chrono::seconds(1))));
  CHECK(received[1] == 2);

  AnyCollective any(alone);
  received[1] = 0;
  REQUIRE(launch(any, call, deadline_after(std::chrono::seconds(1))));
  CHECK(received[1] == 2);

  call.operation = CollectiveOperation::barrier;
  const auto refused = launch(any, call, deadline_after(std::chrono::seconds(1)));
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::unsupported);
  CHECK(refused.error().message == "alone has no barrier");
  CHECK(any.split(0).error().kind == ErrorKind::unsupported);
}

TEST_CASE("a runtime with one member for all operations is asked by that, whatever the operation") {
  struct One {
    int rank() const { return 0; }
    int size() const { return 1; }
    std::string name() const { return "one"; }
    void abort(std::string_view) {}
    Result<void> run(const CollectiveCall& call, Deadline) {
      if (call.operation == CollectiveOperation::barrier) return {};
      return failure(ErrorKind::unsupported, "one has barriers only");
    }
  };
  One one;
  CollectiveCall call;
  CHECK(launch(one, call, deadline_after(std::chrono::seconds(1))).error().message == "one has barriers only");
  call.operation = CollectiveOperation::barrier;
  CHECK(launch(one, call, deadline_after(std::chrono::seconds(1))));
  CHECK(AnyCollective(one).run(call, deadline_after(std::chrono::seconds(1))));
}

TEST_CASE("a call that contradicts itself names the rank and the field and does not reach the runtime") {
  Alone alone;
  CollectiveCall call;
  call.count = -1;
  auto refused = launch(alone, call, deadline_after(std::chrono::seconds(1)));
  REQUIRE(!refused);
  CHECK(refused.error().message == "rank 0 of 1, all_reduce: count is -1; it must be 0 or more");
  call.count = 3;
  refused = launch(alone, call, deadline_after(std::chrono::seconds(1)));
  REQUIRE(!refused);
  CHECK(refused.error().message == "rank 0 of 1, all_reduce: send is null; 3 elements are read from it");
}
