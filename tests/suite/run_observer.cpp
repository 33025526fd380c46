#include "assay/suite/run_observer.hpp"

#include "testing/catch.hpp"

namespace {

struct Deaf {
  void started(const assay::Run&) {}
  void finished(const assay::Run&) {}
};

struct WantsToChange {
  void started(assay::Run&) {}
  void case_started(const std::string&) {}
  void case_finished(assay::Outcome&) {}
  void finished(assay::Run&) {}
};

struct Console {
  void started(const assay::Run&) {}
  void case_started(const std::string&) {}
  void case_finished(const assay::Outcome&) {}
  void finished(const assay::Run&) {}
};

}  // namespace

TEST_CASE("an observer has all four members and takes what it sees as it is", "[suite]") {
  STATIC_REQUIRE(assay::RunObserver<Console>);
  STATIC_REQUIRE(assay::RunObserver<assay::NullObserver>);
  STATIC_REQUIRE_FALSE(assay::RunObserver<Deaf>);
  STATIC_REQUIRE_FALSE(assay::RunObserver<WantsToChange>);
  STATIC_REQUIRE_FALSE(assay::RunObserver<int>);
}
