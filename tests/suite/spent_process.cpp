#include "assay/suite/spent_process.hpp"

#include <unistd.h>

#include "assay/suite/isolated_runner.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

Case telling_its_process(const std::string& id, bool spent) {
  Case entry;
  entry.id = id;
  entry.run = [spent](const CaseContext&) {
    Outcome outcome;
    outcome.verdict = Verdict::pass;
    outcome.labels["process"] = std::to_string(::getpid());
    if (spent) outcome.labels[spent_process_label] = "device lost";
    return outcome;
  };
  return entry;
}

}  // namespace

TEST_CASE("a process that a case calls spent runs no further case", "[suite][isolation]") {
  const Suite suite{telling_its_process("a", false), telling_its_process("b", true), telling_its_process("c", false),
                    telling_its_process("d", false), telling_its_process("e", true)};
  NullObserver observer;
  const Run run = run_isolated(suite, {0, 1, 2, 3, 4}, {}, {}, {}, observer);
  REQUIRE(run.outcomes.size() == 5);
  for (const Outcome& outcome : run.outcomes) CHECK(outcome.verdict == Verdict::pass);
  const auto process = [&](std::size_t i) { return run.outcomes[i].label("process"); };
  CHECK(process(0) == process(1));
  CHECK(process(1) != process(2));
  CHECK(process(2) == process(3));
  CHECK(process(3) == process(4));
}
