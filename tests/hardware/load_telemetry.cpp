#include "assay/hardware/load_telemetry.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "telemetry/simulated_recording.hpp"
#include "testing/catch.hpp"

namespace {

using assay::LoadTelemetryOptions;
using assay::Outcome;
using assay::Quantity;
using assay::Reading;
using assay::ReadingState;
using assay::Recording;
using assay::Verdict;
using assay::testing::SimulatedRecording;

constexpr double seconds = 120;

/// A GPU that is well and under full load.
SimulatedRecording well(const std::string& id = "gpu/GPU-0") {
  SimulatedRecording simulated(seconds, id);
  simulated.energy([](double) { return 690.0; })
      .gauge(Quantity::power, "", [](double) { return 690.0; })
      .limit(Quantity::power_limit, 700, "", "enforced")
      .gauge(Quantity::temperature, "gpu", [](double) { return 60.0; })
      .limit(Quantity::temperature_limit, 90, "gpu", "slowdown")
      .gauge(Quantity::clock, "sm", [](double) { return 1755e6; })
      .reasons([](double) { return 4; });
  return simulated;
}

LoadTelemetryOptions loaded() {
  LoadTelemetryOptions options;
  options.loaded = {"gpu/*"};
  options.specifications = {{"gpu/*", 700}};
  return options;
}

Outcome outcome_of(const Recording& recording, const std::string& id, const LoadTelemetryOptions& options = loaded()) {
  for (Outcome& outcome : assay::judge_load_telemetry(recording, options))
    if (outcome.id == "hardware/" + id) return std::move(outcome);
  FAIL("there is no outcome " << id);
  return {};
}

}  // namespace

TEST_CASE("load telemetry: a device that is well under load passes in all three") {
  auto simulated = well();
  for (const char* part : {"sensors", "power", "thermal"}) {
    const Outcome outcome = outcome_of(simulated.recording(), std::string(part) + "/gpu/GPU-0");
    INFO(part << ": " << outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
  }
}

TEST_CASE("load telemetry: a device that was lost fails, and decides nothing else") {
  auto simulated = well();
  simulated.silent(60, 1000, ReadingState::lost, "GPU is lost (15)");
  const Outcome sensors = outcome_of(simulated.recording(), "sensors/gpu/GPU-0");
  CHECK(sensors.verdict == Verdict::fail);
  CHECK(sensors.reason.find("GPU is lost") != std::string::npos);
  CHECK(outcome_of(simulated.recording(), "power/gpu/GPU-0").verdict == Verdict::inconclusive);
  CHECK(outcome_of(simulated.recording(), "thermal/gpu/GPU-0").verdict == Verdict::inconclusive);
}

TEST_CASE("load telemetry: sensors that fell silent decide nothing") {
  auto simulated = well();
  simulated.silent(60, 70, ReadingState::failed, "the library took longer than 1 s");
  const Outcome sensors = outcome_of(simulated.recording(), "sensors/gpu/GPU-0");
  CHECK(sensors.verdict == Verdict::inconclusive);
  CHECK(sensors.labels.at("reason_codes") == "gap");
}

TEST_CASE("load telemetry: errors of memory that rose while the machine worked fail, whatever they were before") {
  for (const auto& [quantity, after, verdict] : {std::tuple{Quantity::corrected_errors, 8.0, Verdict::fail},
                                                 std::tuple{Quantity::uncorrected_errors, 8.0, Verdict::fail},
                                                 std::tuple{Quantity::repaired_rows, 8.0, Verdict::fail},
                                                 std::tuple{Quantity::corrected_errors, 7.0, Verdict::pass},
                                                 std::tuple{Quantity::corrected_errors, 2.0, Verdict::inconclusive},
                                                 std::tuple{Quantity::link_replays, 100.0, Verdict::pass},
                                                 std::tuple{Quantity::link_replays, 300.0, Verdict::fail}}) {
    auto simulated = well();
    simulated.counter(quantity, [after = after](double t) { return t < 60 ? 7.0 : after; });
    INFO(name_of(quantity) << " " << after);
    CHECK(outcome_of(simulated.recording(), "sensors/gpu/GPU-0").verdict == verdict);
  }
}

TEST_CASE("load telemetry: a link that goes down fails, and links that are not used do not") {
  for (const auto& [first, second, verdict] : {std::tuple{1.0, 1.0, Verdict::pass}, std::tuple{0.0, 0.0, Verdict::pass},
                                               std::tuple{1.0, 0.0, Verdict::fail}}) {
    auto simulated = well();
    simulated.gauge(Quantity::link_state, "nvlink 0", [first = first](double) { return first; });
    simulated.gauge(Quantity::link_state, "nvlink 1", [second = second](double) { return second; });
    CHECK(outcome_of(simulated.recording(), "sensors/gpu/GPU-0").verdict == verdict);
  }
  auto simulated = well();
  simulated.gauge(Quantity::link_state, "nvlink 0", [](double t) { return t < 60 ? 1.0 : 0.0; });
  CHECK(outcome_of(simulated.recording(), "sensors/gpu/GPU-0").verdict == Verdict::fail);
}

TEST_CASE("load telemetry: power is judged of devices that were under load alone") {
  auto simulated = well();
  LoadTelemetryOptions options = loaded();
  options.loaded.clear();
  CHECK(outcome_of(simulated.recording(), "power/gpu/GPU-0", options).verdict == Verdict::skipped);
  for (const auto& [share, verdict] : {std::pair{1.0, Verdict::pass}, std::pair{0.2, Verdict::skipped}}) {
    auto busy = well();
    busy.gauge(Quantity::utilization, "", [share = share](double) { return share; });
    CHECK(outcome_of(busy.recording(), "power/gpu/GPU-0", options).verdict == verdict);
  }
}

TEST_CASE("load telemetry: a default limit stands in for a specification that is not given") {
  SimulatedRecording simulated(seconds);
  simulated.energy([](double) { return 400.0; })
      .limit(Quantity::power_limit, 400, "", "enforced")
      .limit(Quantity::power_limit, 700, "", "default");
  LoadTelemetryOptions options = loaded();
  options.specifications.clear();
  CHECK(outcome_of(simulated.recording(), "power/gpu/GPU-0", options).verdict == Verdict::skipped);
}

TEST_CASE("load telemetry: only the load is judged, and errors before and after it count") {
  SimulatedRecording simulated(seconds);
  simulated.energy([](double t) { return t < 30 ? 100.0 : 690.0; })
      .limit(Quantity::power_limit, 700, "", "enforced")
      .counter(Quantity::uncorrected_errors, [](double t) { return t < 10 ? 0.0 : 1.0; });
  LoadTelemetryOptions options = loaded();
  options.power.ramp_seconds = 0;
  CHECK(outcome_of(simulated.recording(), "power/gpu/GPU-0", options).verdict == Verdict::fail);
  options.load_begin = simulated.recording().begin_nanoseconds + 30'000'000'000;
  CHECK(outcome_of(simulated.recording(), "power/gpu/GPU-0", options).verdict == Verdict::pass);
  CHECK(outcome_of(simulated.recording(), "sensors/gpu/GPU-0", options).verdict == Verdict::fail);
}

TEST_CASE("load telemetry: what offers nothing is unsupported, never a pass") {
  const auto outcomes = assay::judge_load_telemetry({}, {});
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes.front().id == "hardware/sensors");
  CHECK(outcomes.front().verdict == Verdict::unsupported);
  auto simulated = well();
  simulated.silent(0, 1000, ReadingState::unsupported, "Not Supported (3)");
  CHECK(outcome_of(simulated.recording(), "sensors/gpu/GPU-0").verdict == Verdict::unsupported);
  auto forbidden = well();
  forbidden.silent(0, 1000, ReadingState::failed, "Insufficient Permissions (4)");
  CHECK(outcome_of(forbidden.recording(), "sensors/gpu/GPU-0").verdict == Verdict::inconclusive);
}

TEST_CASE("load telemetry: messages of the kernel") {
  auto simulated = well();
  Recording& recording = simulated.recording();
  recording.devices.push_back({"kernel", "messages of the kernel", "kernel", ""});
  recording.sensors.push_back({1, Quantity::events, "xid", {}, 1, {}, false});
  recording.sensors.push_back({1, Quantity::events, "overrun", {}, 1, {}, false});
  recording.readings.resize(recording.sensors.size());
  const std::size_t xid = recording.sensors.size() - 2, overrun = xid + 1;
  CHECK(outcome_of(recording, "kernel_log").verdict == Verdict::inconclusive);  // nothing was read
  const std::int64_t begin = recording.begin_nanoseconds;
  recording.readings[xid] = {Reading::counted(xid, begin, 0)};
  recording.readings[overrun] = {Reading::counted(overrun, begin, 0)};
  CHECK(outcome_of(recording, "kernel_log").verdict == Verdict::pass);
  recording.readings[overrun].push_back(Reading::counted(overrun, begin + 1, 1));
  CHECK(outcome_of(recording, "kernel_log").reason == "messages were overwritten before they were read");
  recording.readings[overrun].pop_back();
  recording.readings[xid].push_back(Reading::none(xid, begin + 1, ReadingState::failed, "cannot read the log: gone"));
  const Outcome unread = outcome_of(recording, "kernel_log");
  CHECK(unread.verdict == Verdict::inconclusive);
  CHECK(unread.reason.find("gone") != std::string::npos);
  recording.events.push_back(
      {recording.begin_nanoseconds + 1, "0000:3b:00.0", "xid", 79, "reboot", true, "fallen off"});
  const Outcome outcome = outcome_of(recording, "kernel_log");
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.reason.find("xid 79") != std::string::npos);
}

TEST_CASE("load telemetry: what several sources name is one device") {
  Recording recording;
  recording.add({{"pci/0000:3b:00.0", "", "gpu", "pci/0000:3a:01.0"},
                 {"pci/0000:3a:01.0", "", "port", ""},
                 {"processor/0", "package 0", "processor", ""},
                 {"rapl/package-0", "package-0", "processor", ""},
                 {"rapl/package-0/dram", "dram", "processor", ""},
                 {"hwmon/coretemp.0", "coretemp", "sensors", ""},
                 {"gpu/GPU-1", "", "gpu", "pci/0000:3b:00.0"}},
                {{0, Quantity::link_width, "pcie", {}, 1, {}, false},
                 {3, Quantity::energy, "", {}, 1e-6, {}, false},
                 {5, Quantity::temperature, "Package id 0", {}, 1, {}, false},
                 {4, Quantity::energy, "", {}, 1e-6, {}, false}});
  const Recording joined = assay::join_devices(recording);
  REQUIRE(joined.devices.size() == 4);
  CHECK(joined.device("gpu/GPU-1").has_value());
  CHECK(joined.devices[joined.sensors[0].device].id == "gpu/GPU-1");
  CHECK(joined.devices[joined.sensors[1].device].id == "processor/0");
  CHECK(joined.devices[joined.sensors[2].device].id == "processor/0");
  CHECK(joined.devices[joined.sensors[3].device].id == "rapl/package-0/dram");
}
