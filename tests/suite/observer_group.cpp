#include "assay/suite/observer_group.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assay/suite/runner.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

struct Scribe {
  std::string name;
  std::vector<std::string>* calls;
  std::string refused;

  void note(const std::string& what) const {
    calls->push_back(name + " " + what);
    if (what == refused) throw std::runtime_error(name + " refuses " + what);
  }
  void started(const Run& run) const { note("started " + std::to_string(run.planned_cases)); }
  void case_started(const std::string& id) const { note("began " + id); }
  void case_finished(const Outcome& outcome) const { note("ended " + outcome.id); }
  void finished(const Run& run) const { note("finished " + std::to_string(run.outcomes.size())); }
};

Suite two_cases() {
  Suite suite;
  for (const char* id : {"a", "b"}) {
    Case entry;
    entry.id = id;
    entry.run = [](const CaseContext&) {
      Outcome outcome;
      outcome.verdict = Verdict::pass;
      return outcome;
    };
    suite.push_back(std::move(entry));
  }
  return suite;
}

}  // namespace

TEST_CASE("every observer of a group is told everything, in the order of the group") {
  std::vector<std::string> calls;
  Scribe first{"first", &calls, {}};
  const Scribe second{"second", &calls, {}};
  ObserverGroup group(first, second);
  static_assert(RunObserver<decltype(group)>);
  CHECK(run_suite(two_cases(), {}, {}, group).exit_code() == 0);
  const std::vector<std::string> due{"started 2", "began a", "ended a", "began b", "ended b", "finished 2"};
  REQUIRE(calls.size() == 2 * due.size());
  for (std::size_t i = 0; i < due.size(); ++i) {
    CHECK(calls[2 * i] == "first " + due[i]);
    CHECK(calls[2 * i + 1] == "second " + due[i]);
  }
}

TEST_CASE("what an observer of a group throws ends the run") {
  std::vector<std::string> calls;
  Scribe first{"first", &calls, "ended a"};
  Scribe second{"second", &calls, {}};
  ObserverGroup group(first, second);
  CHECK_THROWS_WITH(run_suite(two_cases(), {}, {}, group), "first refuses ended a");
  CHECK(calls == std::vector<std::string>{"first started 2", "second started 2", "first began a", "second began a",
                                          "first ended a"});
}

TEST_CASE("a group of nobody is an observer") {
  ObserverGroup<> nobody;
  CHECK(run_suite(two_cases(), {}, {}, nobody).outcomes.size() == 2);
}
