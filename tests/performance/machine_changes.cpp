#include "assay/performance/machine_changes.hpp"

#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

History history_on(const std::vector<std::string>& hosts) {
  History history;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    HistoryRun run = run_of(i < hosts.size() / 2 ? "1" : "2", {point_of("a", {1})});
    run.origin.time = UtcTime(std::chrono::hours(i));
    run.origin.environment = {{"host", hosts[i]}, {"gpu_driver", "550.54"}, {"compiler", "g++ " + std::to_string(i)}};
    history.add(run);
  }
  return history;
}

const HistoryBaseline first{{{"version", "1"}}};

}  // namespace

TEST_CASE("another machine in the newest runs is told, another compiler is not") {
  CHECK(machine_changes(history_on({"a", "a", "a", "a"}), first).empty());
  CHECK(machine_changes(history_on({"a", "a", "b", "b"}), first) == std::vector<std::string>{"host: a; newest b"});
  History history = history_on({"a", "a", "a", "a"});
  history.runs[3].environment["gpu_driver"] = "560.1";
  CHECK(machine_changes(history, first) == std::vector<std::string>{"gpu_driver: 550.54; newest 550.54 and 1 more"});
  CHECK(machine_changes(History(), first).empty());
}

TEST_CASE("a clock that went back is told of the same host only") {
  History history = history_on({"a", "a", "b", "b"});
  CHECK(clock_that_went_back(history).empty());
  history.runs[2].time = UtcTime(std::chrono::hours(-5));
  CHECK(clock_that_went_back(history).empty());
  history.runs[1].time = UtcTime(std::chrono::hours(-5));
  CHECK_THAT(clock_that_went_back(history), contains("1 run was appended behind later ones of the same host"));
}
