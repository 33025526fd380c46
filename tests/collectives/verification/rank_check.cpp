#include "assay/collectives/verification/rank_check.hpp"

#include <set>

#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A rank whose calls the test itself makes.
struct Idle {
  int number = 0, ranks = 1;
  CollectiveMemory place = {};
  int rank() const { return number; }
  int size() const { return ranks; }
  std::string name() const { return "idle"; }
  void abort(std::string_view) {}
  CollectiveMemory memory() const { return place; }
};

/// Memory that the host reads and writes through functions only: its bytes are inverted.
CollectiveMemory remote_memory(std::set<void*>& living) {
  CollectiveMemory memory;
  memory.host_accessible = false;
  memory.allocate = [&living](std::size_t bytes) -> Result<void*> {
    void* made = ::operator new (bytes, std::align_val_t{256});
    living.insert(made);
    return made;
  };
  memory.deallocate = [&living](void* given, std::size_t) {
    living.erase(given);
    ::operator delete (given, std::align_val_t{256});
  };
  const auto invert = [](void* to, const void* from, std::size_t bytes) -> Result<void> {
    for (std::size_t i = 0; i < bytes; ++i)
      static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(~static_cast<const unsigned char*>(from)[i]);
    return {};
  };
  memory.write = memory.read = invert;
  return memory;
}

std::string only_fault(const Result<RankFinding>& finding) {
  return finding && finding.value().suspicions.size() == 1 ? finding.value().suspicions[0].fault : "?";
}

}  // namespace

TEST_CASE("a rank's buffers: right ones are right, and every byte altered around them is told") {
  CollectiveProblem problem;
  problem.type = ElementType::int32;
  problem.count = 40;
  problem.offset = 3;
  auto made = RankCheck::make(AnyCollective(Idle{}), problem, 2);
  REQUIRE(made);
  RankCheck& check = made.value();
  const auto deliver = [&](std::uint64_t number) {
    REQUIRE(check.prepare(number % 2, number));
    const CollectiveCall call = check.call(number % 2);
    std::memcpy(call.receive, call.send, 160);  // the sum of one rank
    return call;
  };
  CollectiveCall call = deliver(0);
  CHECK(reinterpret_cast<std::uintptr_t>(call.receive) % 16 == 12);
  auto found = check.inspect(0);
  REQUIRE(found);
  CHECK(found.value().is_right());
  CHECK(found.value().elements == 40);

  for (const std::ptrdiff_t at : {-1, -4, -200, 160, 161, 200}) {
    call = deliver(1);
    static_cast<char*>(call.receive)[at] ^= 1;
    CHECK(only_fault(check.inspect(1)) == "out_of_bounds_write");
    call = deliver(1);
    const_cast<char*>(static_cast<const char*>(call.send))[at] ^= 1;
    CHECK(only_fault(check.inspect(1)) == "out_of_bounds_write");
  }
  call = deliver(2);
  const_cast<char*>(static_cast<const char*>(call.send))[50] ^= 1;
  found = check.inspect(0);
  CHECK(only_fault(found) == "input_overwritten");
  CHECK(found.value().suspicions[0].begin == 12);

  REQUIRE(check.prepare(1, 3));  // nothing is delivered: the poison is not right by chance
  CHECK(check.inspect(1).value().wrong == 40);
  std::memcpy(check.call(1).receive, deliver(4).receive, 160);  // nor is another call's output
  CHECK(check.inspect(1).value().wrong > 30);
}

TEST_CASE("buffers of a runtime's own memory are written and read by its functions, and given back") {
  std::set<void*> living;
  {
    CollectiveProblem problem;
    problem.count = 5;
    auto made = RankCheck::make(AnyCollective(Idle{0, 1, remote_memory(living)}), problem, 3);
    REQUIRE(made);
    CHECK(living.size() == 6);
    REQUIRE(made.value().prepare(2, 0));
    const CollectiveCall call = made.value().call(2);
    std::memcpy(call.receive, call.send, 20);
    CHECK(made.value().inspect(2).value().is_right());
    static_cast<char*>(call.receive)[-1] ^= 1;
    CHECK(only_fault(made.value().inspect(2)) == "out_of_bounds_write");
  }
  CHECK(living.empty());
}

TEST_CASE("what is not a rank's to receive must stay as it is") {
  CollectiveProblem problem;
  problem.operation = CollectiveOperation::reduce;
  problem.count = 4;
  problem.root = 1;
  auto made = RankCheck::make(AnyCollective(Idle{0, 2}), problem, 1);
  REQUIRE(made);
  REQUIRE(made.value().prepare(0, 0));
  CHECK(made.value().inspect(0).value().is_right());
  REQUIRE(made.value().call(0).receive != nullptr);
  static_cast<float*>(made.value().call(0).receive)[2] = 1;
  CHECK(only_fault(made.value().inspect(0)) == "wrong_root");
}

TEST_CASE("a root that is no rank is the caller's mistake; memory that is refused is not") {
  CollectiveProblem problem;
  problem.operation = CollectiveOperation::broadcast;
  problem.root = 2;
  CHECK_THROWS_AS(RankCheck::make(AnyCollective(Idle{0, 2}), problem, 1), Misuse);
  CollectiveMemory none;
  none.allocate = [](std::size_t) -> Result<void*> { return failure(ErrorKind::out_of_memory, "full"); };
  problem.root = 1;
  CHECK(RankCheck::make(AnyCollective(Idle{0, 2, none}), problem, 1).error().message == "full");
}

TEST_CASE("an all_to_all_v in place is unsupported, not tested elsewhere instead") {
  CollectiveProblem problem;
  problem.operation = CollectiveOperation::all_to_all_v;
  problem.in_place = true;
  const auto made = RankCheck::make(AnyCollective(Idle{}), problem, 1);
  REQUIRE(!made);
  CHECK(made.error().kind == ErrorKind::unsupported);
}
