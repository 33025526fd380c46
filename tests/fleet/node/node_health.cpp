#include "assay/fleet/node/node_health.hpp"

#include <functional>
#include <limits>
#include <string>

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

NodeManifest manifest() {
  NodeManifest one;
  one.devices = {"gpu0", "gpu1"};
  one.versions = {{"driver nvidia", "580.65"}};
  one.limits = default_node_limits();
  NodeLimit hot;
  hot.device = "gpu*";
  hot.reading = "temperature_celsius";
  hot.maximum = 90;
  one.limits.push_back(hot);
  return one;
}

NodeObservation healthy(double seconds = 1000) {
  NodeObservation seen;
  seen.node = "n1";
  seen.seconds = seconds;
  seen.devices = {"gpu0", "gpu1"};
  seen.versions = {{"driver nvidia", "580.65"}};
  for (const char* device : {"gpu0", "gpu1"}) {
    seen.readings.push_back({device, "temperature_celsius", ReadingState::value, 60});
    seen.readings.push_back({device, "pci_link_width", ReadingState::value, 16});
    seen.readings.push_back({device, "pci_link_width_maximum", ReadingState::value, 16});
    seen.readings.push_back({device, "memory_errors_uncorrected_total", ReadingState::value, 7});
  }
  return seen;
}

/// What comes of one change to a healthy node that was checked before.
NodeReport after(const std::function<void(NodeObservation&)>& change) {
  const NodeState before = judge_node(manifest(), healthy()).state;
  NodeObservation seen = healthy(1060);
  change(seen);
  return judge_node(manifest(), seen, before);
}

}  // namespace

TEST_CASE("a healthy node is accused of nothing") {
  const NodeReport first = judge_node(manifest(), healthy());
  CHECK(first.level == HealthLevel::ok);
  CHECK(first.findings.empty());
  CHECK(first.checks > 5);
  const NodeReport second = after([](NodeObservation&) {});
  CHECK(second.level == HealthLevel::ok);
  CHECK(node_run(second).exit_code() == 0);
}

TEST_CASE("each fault is found and named") {
  const auto worst = [](const std::function<void(NodeObservation&)>& change, HealthLevel level,
                        const std::string& says) {
    const NodeReport report = after(change);
    INFO(says);
    REQUIRE_FALSE(report.findings.empty());
    CHECK(report.level == level);
    CHECK_THAT(report.findings.front().what, contains(says));
    CHECK(node_run(report).exit_code() == (level == HealthLevel::warning ? 0 : 1));
  };
  worst([](auto& seen) { seen.devices.pop_back(); }, HealthLevel::critical, "gpu1 is absent");
  worst([](auto& seen) { seen.devices.push_back("gpu1"); }, HealthLevel::unknown, "gpu1 is reported twice");
  worst([](auto& seen) { seen.devices.push_back("gpu2"); }, HealthLevel::warning, "3 devices");
  worst([](auto& seen) { seen.versions["driver nvidia"] = "550"; }, HealthLevel::critical, "is 550, expected 580.65");
  worst([](auto& seen) { seen.versions.clear(); }, HealthLevel::unknown, "version unknown");
  worst([](auto& seen) { seen.readings[0].value = 95; }, HealthLevel::critical, "temperature_celsius is 95");
  worst([](auto& seen) { seen.readings[0].value = std::numeric_limits<double>::quiet_NaN(); }, HealthLevel::unknown,
        "could not be read");
  worst([](auto& seen) { seen.readings[0].state = ReadingState::lost; }, HealthLevel::critical, "is lost");
  worst([](auto& seen) { seen.readings[0].state = ReadingState::failed; }, HealthLevel::unknown, "could not be read");
  worst([](auto& seen) { seen.readings[0].state = ReadingState::unsupported; }, HealthLevel::unknown, "not offered");
  worst([](auto& seen) { seen.readings[1].value = 8; }, HealthLevel::warning, "pci_link_width is 8");
  worst([](auto& seen) { seen.readings[3].value = 8; }, HealthLevel::critical, "rose by 1");
  worst([](auto& seen) { seen.seconds = 10; }, HealthLevel::warning, "the clock went back");
  worst(
      [](auto& seen) {
        seen.outcomes.resize(1);
        seen.outcomes[0].id = "preflight/all_reduce";
        seen.outcomes[0].verdict = Verdict::fail;
        seen.outcomes[0].reason = "wrong";
      },
      HealthLevel::critical, "preflight/all_reduce: wrong");
  worst(
      [](auto& seen) {
        seen.outcomes.resize(1);
        seen.outcomes[0].verdict = Verdict::skipped;
      },
      HealthLevel::unknown, "none of 1 outcomes passed");
}

TEST_CASE("outcomes of which none passed are told beside a warning, too") {
  const auto judged = [](bool hot, bool narrow) {
    NodeObservation seen = healthy();
    if (hot) seen.readings[0].value = 95;
    if (narrow) seen.readings[1].value = 8;
    seen.outcomes.resize(1);
    seen.outcomes[0].id = "preflight/all_reduce";
    seen.outcomes[0].verdict = Verdict::inconclusive;
    seen.outcomes[0].reason = "too short";
    return judge_node(manifest(), seen);
  };
  const NodeReport warned = judged(false, true);
  CHECK(warned.level == HealthLevel::unknown);
  REQUIRE(warned.findings.size() == 2);
  CHECK_THAT(warned.findings[0].what, contains("none of 1 outcomes passed"));
  CHECK(warned.findings[1].level == HealthLevel::warning);
  const NodeReport critical = judged(true, false);  // which says enough
  CHECK(critical.level == HealthLevel::critical);
  CHECK(critical.findings.size() == 1);
}

TEST_CASE("a reading that must reach another one wants that one to be known") {
  const auto judged = [](const std::function<void(NodeObservation&)>& change, bool optional) {
    NodeManifest one;
    NodeLimit limit;
    limit.reading = "pci_link_width";
    limit.at_least = "pci_link_width_maximum";
    limit.optional = optional;
    one.limits = {limit};
    NodeObservation seen = healthy();
    change(seen);
    return judge_node(one, seen);
  };
  for (const bool optional : {false, true}) {
    CHECK(judged([](auto&) {}, optional).level == HealthLevel::ok);
    CHECK(judged([](auto& seen) { seen.readings[1].value = 8; }, optional).level == HealthLevel::critical);
    const std::function<void(NodeObservation&)> unknown[] = {
        [](auto& seen) { seen.readings[2].state = ReadingState::failed; },
        [](auto& seen) { seen.readings[2].state = ReadingState::lost; },
        [](auto& seen) { seen.readings[2].value = std::numeric_limits<double>::quiet_NaN(); }};
    for (const auto& change : unknown) {
      const NodeReport report = judged(change, optional);
      CHECK(report.level == HealthLevel::unknown);
      REQUIRE(report.findings.size() == 1);
      CHECK_THAT(report.findings[0].what,
                 contains("gpu0 pci_link_width cannot be held against pci_link_width_maximum"));
    }
    const std::function<void(NodeObservation&)> absent[] = {
        [](auto& seen) { seen.readings[2].state = ReadingState::unsupported; },
        [](auto& seen) { seen.readings.erase(seen.readings.begin() + 2); }};
    for (const auto& change : absent)
      CHECK(judged(change, optional).level == (optional ? HealthLevel::ok : HealthLevel::unknown));
  }
}

TEST_CASE("critical is told before unknown, and unknown before warnings") {
  const NodeReport report = after([](NodeObservation& seen) {
    seen.readings[1].value = 8;
    seen.readings[0].state = ReadingState::failed;
    seen.devices.pop_back();
  });
  REQUIRE(report.findings.size() == 3);
  CHECK(report.findings[0].level == HealthLevel::critical);
  CHECK(report.findings[1].level == HealthLevel::unknown);
  CHECK(report.findings[2].level == HealthLevel::warning);
}

TEST_CASE("a counter that fell counts anew, and is no negative increase") {
  const NodeReport small = after([](NodeObservation& seen) { seen.readings[3].value = 0; });
  CHECK(small.level == HealthLevel::ok);
  CHECK_THAT(small.notes.front(), contains("was reset"));
  CHECK(after([](NodeObservation& seen) { seen.readings[3].value = 2; }).level == HealthLevel::critical);
}

TEST_CASE("a node of which nothing is known is unknown, not well") {
  CHECK(judge_node({}, {}).level == HealthLevel::unknown);
  CHECK_FALSE(judge_node({}, healthy()).notes.empty());
  NodeManifest count;
  count.device_count = 3;
  const NodeReport report = judge_node(count, healthy());
  CHECK(report.level == HealthLevel::critical);
  CHECK_THAT(report.findings.front().what, contains("1 of 3 devices are absent"));
  NodeManifest limit = manifest();
  limit.limits.back().reading = "power_watts";
  CHECK_THAT(judge_node(limit, healthy()).findings.front().what, contains("nothing reads power_watts"));
  NodeManifest paths;
  paths.paths = {{"/dev/nvidia?", 2}};
  NodeObservation seen = healthy();
  CHECK_THAT(judge_node(paths, seen).findings.front().what, contains("was not looked for"));
  seen.readings.push_back({"path:/dev/nvidia?", "count", ReadingState::value, 1});
  CHECK_THAT(judge_node(paths, seen).findings.front().what, contains("1 of 2 are there"));
}

TEST_CASE("repeated offenders and flapping are told") {
  NodeState state;
  NodeReport report;
  for (int check = 0; check < 8; ++check) {
    NodeObservation seen = healthy(1000 + check);
    if (check % 2 == 0) seen.devices.pop_back();
    report = judge_node(manifest(), seen, state);
    state = report.state;
  }
  CHECK(report.level == HealthLevel::warning);  // well this time, and not to be relied upon
  CHECK_THAT(report.findings.front().what, contains("flapping"));
  NodeObservation absent = healthy(2000);
  absent.devices.clear();
  report = judge_node(manifest(), absent, state);
  bool told = false;
  for (const std::string& note : report.notes) told = told || note.find("repeated offender: bad in 5 of") == 0;
  CHECK(told);
  for (int check = 0; check < 100; ++check) state = judge_node(manifest(), healthy(3000 + check), state).state;
  CHECK(state.history.size() == NodeState::most_history);
  CHECK(judge_node(manifest(), healthy(9000), state).level == HealthLevel::ok);
}
