#include "assay/hardware/power.hpp"

#include <cmath>

#include "assay/core/misuse.hpp"
#include "telemetry/simulated_recording.hpp"
#include "testing/catch.hpp"

namespace {

using assay::Outcome;
using assay::PowerOptions;
using assay::Quantity;
using assay::ReadingState;
using assay::Verdict;
using assay::testing::SimulatedRecording;
using Watts = std::function<double(double)>;

/// Two minutes of a 700 W device.
SimulatedRecording loaded(const Watts& watts, double limit = 700) {
  return SimulatedRecording(120)
      .energy(watts)
      .gauge(Quantity::power, "", watts)
      .limit(Quantity::power_limit, limit, "", "enforced")
      .reasons([](double) { return 4u; });
}

PowerOptions specified() {
  PowerOptions options;
  options.specification_watts = 700;
  return options;
}

Outcome judged(SimulatedRecording simulated, const PowerOptions& options = specified()) {
  Outcome outcome = assay::judge_power(simulated.recording(), "gpu/GPU-0", options);
  UNSCOPED_INFO(outcome.reason);
  return outcome;
}

/// Ramps up in 20 s, then holds.
Watts held(double watts) {
  return [watts](double t) { return t < 20 ? watts * t / 20 : watts; };
}

}  // namespace

TEST_CASE("power: what holds its power passes") {
  CHECK(judged(loaded(held(700))).verdict == Verdict::pass);
  CHECK(judged(loaded(held(700 * 0.96))).verdict == Verdict::pass);
  CHECK(judged(loaded(held(700 * 1.04))).verdict == Verdict::pass);
  // Ripple of a fifth about the target averages out.
  CHECK(judged(loaded([](double t) { return t < 20 ? 35 * t : 700 + 140 * std::sin(6 * t); })).verdict ==
        Verdict::pass);
  // A limit a little below the specification is the target.
  const Outcome lowered = judged(loaded(held(670), 680));
  CHECK(lowered.verdict == Verdict::pass);
  CHECK(lowered.measurement("target") == 680.0);
  PowerOptions unknown;
  CHECK(judged(loaded(held(350), 350), unknown).verdict == Verdict::pass);
}

TEST_CASE("power: what does not hold it fails") {
  const Outcome low = judged(loaded(held(700 * 0.94)));
  CHECK(low.verdict == Verdict::fail);
  CHECK(low.reason.find("-6 %") != std::string::npos);
  CHECK(low.measurement("share_within") == 0.0);
  CHECK(!low.diagnosis.empty());
  CHECK(judged(loaded(held(700 * 1.06))).verdict == Verdict::fail);
  // DCGM and RVS judge peaks: 700 W in a tenth of the time is 480 W sustained.
  CHECK(judged(loaded([](double t) { return std::fmod(t, 10) < 1 ? 700 : 450; })).verdict == Verdict::fail);
  // Throttled for the last quarter: 70 % of windows are right, 95 % are required.
  CHECK(judged(loaded([](double t) { return t < 90 ? 700 : 500; })).verdict == Verdict::fail);
  // Nothing runs.
  CHECK(judged(loaded(held(80))).verdict == Verdict::fail);
  CHECK(judged(loaded(held(0))).verdict == Verdict::fail);
  // NaN in a gauge passes nothing: what is judged is the counter.
  CHECK(judged(loaded(held(600)).gauge(Quantity::power, "instant", [](double) { return std::nan(""); })).verdict ==
        Verdict::fail);
}

TEST_CASE("power: the reason is told with the failure") {
  auto hot = loaded(held(600));
  hot.recording().sensors.pop_back();
  hot.recording().readings.pop_back();
  hot.reasons([](double) { return 0x20u; });
  const Outcome outcome = judged(hot);
  CHECK(outcome.verdict == Verdict::fail);
  REQUIRE(!outcome.diagnosis.empty());
  CHECK(outcome.diagnosis.front().find("heat") != std::string::npos);
}

TEST_CASE("power: a limit below the specification is somebody's choice") {
  const Outcome outcome = judged(loaded(held(400), 400));
  CHECK(outcome.verdict == Verdict::skipped);
  CHECK(outcome.reason.find("400 W") != std::string::npos);
}

TEST_CASE("power: what cannot be judged is not judged") {
  const auto codes = [](const SimulatedRecording& simulated, const PowerOptions& options = specified()) {
    const Outcome outcome = judged(simulated, options);
    CHECK(outcome.verdict == Verdict::inconclusive);
    return outcome.label("reason_codes");
  };
  CHECK(codes(SimulatedRecording(120).energy(held(700))) == "no_limit");
  CHECK(codes(SimulatedRecording(40).energy(held(700)).limit(Quantity::power_limit, 700, "", "enforced")) ==
        "too_short");
  CHECK(codes(loaded(held(700)).silent(60, 64, ReadingState::failed, "busy")) == "gap");
  CHECK(codes(loaded(held(700)).silent(60, 121, ReadingState::lost, "GPU is lost")) == "device_lost");
  CHECK(codes(loaded(held(700)).silent(115, 121, ReadingState::failed, "busy")) == "end_not_covered");
  // Set back at 60 s, as by a reload of the driver.
  CHECK(codes(SimulatedRecording(120)
                  .counter(
                      Quantity::energy, [](double t) { return t < 60 ? 1e9 + 7e5 * t : 7e5 * (t - 60); }, 1e-3)
                  .limit(Quantity::power_limit, 700, "", "enforced")) == "counter_reset");
  // amdsmi's counter without its resolution: 15.3 times too little.
  CHECK(codes(SimulatedRecording(120)
                  .counter(
                      Quantity::energy, [](double t) { return 7e8 * t / 15.3; }, 1e-6)
                  .gauge(Quantity::power, "", held(700))
                  .limit(Quantity::power_limit, 700, "", "enforced")) == "energy_disagrees");
  CHECK(codes(SimulatedRecording(120).energy(held(700)).gauge(
            Quantity::power_limit, "", [](double t) { return t < 60 ? 700.0 : 500.0; }, 5, "enforced")) ==
        "limit_changed");
  auto simulated = loaded(held(700));
  CHECK(assay::judge_power(simulated.recording(), "gpu/GPU-7").label("reason_codes") == "device_missing");
  const Outcome without = judged(SimulatedRecording(120).gauge(Quantity::power, "", held(700)));
  CHECK(without.verdict == Verdict::unsupported);
  CHECK(judged(loaded(held(700)).silent(0, 121, ReadingState::unsupported, "N/A")).verdict == Verdict::unsupported);
}

TEST_CASE("power: a counter that wraps is no counter that was set back") {
  auto simulated = SimulatedRecording(120)
                       .counter(
                           Quantity::energy, [](double t) { return std::fmod(2e11 + 7e8 * t, 262143328850.0); }, 1e-6)
                       .limit(Quantity::power_limit, 700, "", "enforced");
  simulated.recording().sensors[0].wraps_at = 262143328850;
  CHECK(judged(simulated).verdict == Verdict::pass);
}

TEST_CASE("power: devices of other sources that are the same thing") {
  auto simulated = loaded(held(700));
  simulated.recording().devices.push_back({"pci/0000:3b:00.0", "", "gpu", ""});
  for (assay::Sensor& sensor : simulated.recording().sensors)
    if (sensor.quantity == Quantity::power_limit) sensor.device = 1;
  CHECK(judged(simulated).label("reason_codes") == "no_limit");
  PowerOptions options = specified();
  options.related = {"pci/0000:3b:00.0"};
  CHECK(judged(simulated, options).verdict == Verdict::pass);
  options.tolerance = 0;
  CHECK_THROWS_AS(judged(simulated, options), assay::Misuse);
}
