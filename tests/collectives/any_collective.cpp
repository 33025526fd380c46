#include "assay/collectives/any_collective.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Says of everything that it was asked.
struct Telling {
  std::string* told;
  int rank() const { return 2; }
  int size() const { return 3; }
  std::string name() const { return "telling"; }
  void abort(std::string_view reason) { *told += "abort " + std::string(reason) + ";"; }
  Result<void> barrier(const CollectiveCall&, Deadline) {
    *told += "barrier;";
    return {};
  }
  Result<void> run_group(std::span<const CollectiveCall> calls, Deadline) {
    *told += "group of " + std::to_string(calls.size()) + ";";
    return {};
  }
  Result<Telling> split(int color) {
    if (color < 0) return failure(ErrorKind::invalid, "a color is 0 or more");
    return *this;
  }
  CollectiveMemory memory() const {
    CollectiveMemory own;
    own.name = "its own";
    return own;
  }
};

}  // namespace

TEST_CASE("everything that a runtime has is reached behind the one type, hooks included") {
  std::string told;
  AnyCollective any(Telling{&told});
  CHECK(any.rank() == 2);
  CHECK(any.size() == 3);
  CHECK(any.name() == "telling");
  CHECK(any.memory().name == "its own");
  CollectiveCall call;
  call.operation = CollectiveOperation::barrier;
  const CollectiveCall calls[] = {call, call};
  REQUIRE(any.run(call, deadline_after(std::chrono::seconds(1))));
  REQUIRE(any.run_group(calls, deadline_after(std::chrono::seconds(1))));
  any.abort("enough");
  CHECK(told == "barrier;group of 2;abort enough;");
  CHECK(any.split(-1).error().kind == ErrorKind::invalid);
  auto part = any.split(1);
  REQUIRE(part);
  AnyCollective moved = std::move(part).value();
  CHECK(moved.name() == "telling");
}
