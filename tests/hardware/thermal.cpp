#include "assay/hardware/thermal.hpp"

#include <cmath>

#include "assay/core/misuse.hpp"
#include "assay/telemetry/throttle_reason.hpp"
#include "telemetry/simulated_recording.hpp"
#include "testing/catch.hpp"

namespace {

using assay::Outcome;
using assay::Quantity;
using assay::ReadingState;
using assay::ThermalOptions;
using assay::Verdict;
using assay::testing::SimulatedRecording;
using Of = std::function<double(double)>;
using Flags = std::function<std::uint64_t(double)>;

/// Warms up to `degrees` with a time constant of 15 s.
Of warms_to(double degrees) {
  return [degrees](double t) { return degrees - (degrees - 30) * std::exp(-t / 15); };
}
Of same(double value) {
  return [value](double) { return value; };
}
Flags flags(std::uint64_t value) {
  return [value](double) { return value; };
}

SimulatedRecording loaded(const Of& degrees, const Flags& reasons, const Of& clock = same(1.755e9),
                          double seconds = 240) {
  return SimulatedRecording(seconds)
      .gauge(Quantity::temperature, "gpu", degrees)
      .limit(Quantity::temperature_limit, 90, "gpu", "slowdown")
      .limit(Quantity::temperature_limit, 95, "gpu", "shutdown")
      .gauge(Quantity::power, "", same(700))
      .gauge(Quantity::clock, "sm", clock)
      .reasons(reasons);
}

Outcome judged(SimulatedRecording simulated, const ThermalOptions& options = {}) {
  Outcome outcome = assay::judge_thermal(simulated.recording(), "gpu/GPU-0", options);
  UNSCOPED_INFO(outcome.reason);
  return outcome;
}

/// Verdict and cause.
std::string told(const SimulatedRecording& simulated, const ThermalOptions& options = {}) {
  const Outcome outcome = judged(simulated, options);
  const std::string codes = outcome.label("reason_codes");
  return std::string(name_of(outcome.verdict)) + " " + outcome.label("throttle") + (codes.empty() ? "" : " " + codes);
}

}  // namespace

TEST_CASE("thermal: cool devices pass") {
  const Outcome outcome = judged(loaded(warms_to(70), flags(0)));
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(*outcome.measurement("margin") == assay::testing::Approx(20).margin(0.1));
  CHECK(told(loaded(warms_to(70), flags(4))) == "pass power_cap");  // at full load this is normal
  // Hardware slowdown alone may be a change of the performance state.
  CHECK(told(loaded(warms_to(70), flags(8))) == "pass none");
  // Two polls are no throttling.
  CHECK(told(loaded(warms_to(70), [](double t) { return t > 100 && t < 100.15 ? 0x20u : 0u; })) == "pass none");
}

TEST_CASE("thermal: each reason of heat, the brake, and clocks that fall without one") {
  for (const std::uint64_t reason : {0x20u, 0x40u, 0x10000u, 0x20000u, 0x40000u, 0x80000u})
    CHECK(told(loaded(warms_to(88), [=](double t) { return t > 100 ? reason : 0; })) == "fail thermal");
  // Heat refutes also where the end is not steady.
  CHECK(told(loaded(
            warms_to(88), [](double t) { return t > 100 ? 0x44u : 4u; }, same(1e9), 130)) == "fail thermal");
  CHECK(told(loaded(warms_to(70), [](double t) { return t > 100 ? 0x80u : 0; })) == "fail power_brake");
  CHECK(told(loaded(warms_to(70), flags(0), [](double t) { return t < 100 ? 1.755e9 : 1.5e9; })) == "fail unexplained");
  // With a power cap, a fall has its reason.
  CHECK(told(loaded(
            warms_to(70), [](double t) { return t < 100 ? 0u : 4u; },
            [](double t) { return t < 100 ? 1.755e9 : 1.5e9; })) == "pass power_cap");
  CHECK(told(loaded(warms_to(70), flags(0), [](double t) { return t < 100 ? 1.755e9 : 1.7e9; })) == "pass none");
}

TEST_CASE("thermal: reasons of heat far from the limit are told as such") {
  const Outcome outcome = judged(loaded(warms_to(50), flags(0x20)));
  CHECK(outcome.verdict == Verdict::fail);
  REQUIRE(!outcome.diagnosis.empty());
  CHECK(outcome.diagnosis.front().find("another place is hot") != std::string::npos);
  CHECK(judged(loaded(warms_to(88), [](double t) { return t > 100 ? 0x20u : 0u; })).diagnosis.empty());
}

TEST_CASE("thermal: the device's own counters of throttling") {
  const auto counted = [](double seconds_a_second) {
    return loaded(warms_to(87), flags(0))
        .counter(
            Quantity::throttle_time, [=](double t) { return 5e9 + seconds_a_second * 1e9 * t; }, 1e-9);
  };
  CHECK(told(counted(0.02)) == "fail thermal");
  // DCGM#242: a violation of 0.0 is none; 87 °C leaves 3 °C, which is the failure.
  ThermalOptions near;
  near.least_margin = 2;
  CHECK(told(counted(0), near) == "pass none");
  CHECK(told(counted(0.005), near) == "pass none");
  CHECK(told(counted(0)) == "fail none");
  // A processor's count of events.
  CHECK(told(loaded(warms_to(70), flags(0)).counter(Quantity::throttle_count, [](double t) {
          return t < 120 ? 30 : 31;
        })) == "fail thermal");
  CHECK(told(loaded(warms_to(70), flags(0)).counter(Quantity::throttle_count, same(30))) == "pass none");
}

TEST_CASE("thermal: counters that did not count all of it decide nothing") {
  const auto counted = [](const Of& count) {
    return SimulatedRecording(240)
        .gauge(Quantity::temperature, "gpu", warms_to(70))
        .limit(Quantity::temperature_limit, 90, "gpu", "slowdown")
        .counter(Quantity::throttle_time, count, 1e-9);
  };
  CHECK(told(counted(same(5e9))) == "pass none");
  // The driver was loaded again: what was counted in between is unknown.
  CHECK(told(counted([](double t) { return t < 120 ? 5e9 : 1.0; })) == "inconclusive none counter_reset");
  CHECK(told(counted([](double t) { return t < 120 ? 5e9 : 5e9 * (t - 120); })) == "fail thermal");
  const auto without = [&](double from, double to) {
    SimulatedRecording simulated = counted(same(5e9));
    for (assay::Reading& reading : simulated.recording().readings.back()) {
      const double seconds = simulated.recording().seconds(reading.nanoseconds);
      if (seconds >= from && seconds < to)
        reading = assay::Reading::none(reading.sensor, reading.nanoseconds, ReadingState::failed, "busy");
    }
    return told(simulated);
  };
  CHECK(without(120, 241) == "inconclusive none end_not_covered");
  CHECK(without(0, 120) == "inconclusive none begin_not_covered");
  // Reasons that are told throughout are enough.
  CHECK(told(counted([](double t) { return t < 120 ? 5e9 : 1.0; }).reasons(flags(0))) == "pass none");
  // A counter of the power cap does not stand in for one that was set back.
  SimulatedRecording two =
      counted([](double t) { return t < 120 ? 5e9 : 1.0; }).counter(Quantity::throttle_time, same(7), 1e-9);
  two.recording().sensors.back().name = "power_cap";
  CHECK(told(two) == "inconclusive none no_throttle_information");
}

TEST_CASE("thermal: reasons that are no failure are told all the same") {
  for (const std::uint64_t reason : {0x200u, 0x400u, 0x10u}) {
    const Outcome outcome = judged(loaded(warms_to(70), flags(reason)));
    CHECK(outcome.verdict == Verdict::pass);
    REQUIRE(!outcome.derivation.empty());
    CHECK(outcome.derivation.back().find(assay::throttle_reason_text(reason)) != std::string::npos);
    const Outcome fell = judged(loaded(
        warms_to(70), [=](double t) { return t < 100 ? 0 : reason; },
        [](double t) { return t < 100 ? 1.755e9 : 1.5e9; }));
    CHECK(fell.verdict == Verdict::fail);
    CHECK(fell.reason.find("what was told is " + assay::throttle_reason_text(reason)) != std::string::npos);
  }
  CHECK(judged(loaded(warms_to(70), flags(0))).derivation.back() == "nothing held the clocks down");
}

TEST_CASE("thermal: margins") {
  const auto margin = [](double degrees) {
    return SimulatedRecording(240)
        .gauge(Quantity::temperature_margin, "gpu", [=](double t) { return degrees + 20 * std::exp(-t / 15); })
        .gauge(Quantity::power, "", same(700))
        .reasons(flags(4));
  };
  CHECK(told(margin(12)) == "pass power_cap");
  CHECK(told(margin(2)) == "fail power_cap");
  CHECK(told(margin(-2)) == "fail power_cap");  // beyond it
}

TEST_CASE("thermal: what cannot be judged is not judged") {
  CHECK(told(loaded([](double t) { return 40 + t / 30; }, flags(0))) ==
        "inconclusive none not_steady");  // 2 °C a minute
  CHECK(told(SimulatedRecording(240)
                 .gauge(Quantity::temperature, "gpu", same(70))
                 .limit(Quantity::temperature_limit, 90, "gpu", "slowdown")
                 .gauge(Quantity::power, "", [](double t) { return std::fmod(t, 20) < 10 ? 700.0 : 600.0; })
                 .reasons(flags(0))) == "inconclusive none not_steady");
  CHECK(told(loaded(warms_to(70), flags(0), same(1e9), 80)) == "inconclusive none too_short");
  CHECK(told(SimulatedRecording(240).gauge(Quantity::temperature, "gpu", same(70)).reasons(flags(0))) ==
        "inconclusive none no_limit");
  CHECK(told(SimulatedRecording(240)
                 .gauge(Quantity::temperature, "gpu", same(70))
                 .limit(Quantity::temperature_limit, 90, "gpu", "slowdown")) ==
        "inconclusive none no_throttle_information");
  CHECK(told(loaded(warms_to(70), flags(0)).silent(100, 105, ReadingState::failed, "busy")) == "inconclusive none gap");
  CHECK(told(loaded(warms_to(70), flags(0)).silent(200, 241, ReadingState::lost, "GPU is lost")) ==
        "inconclusive none device_lost");
  CHECK(judged(SimulatedRecording(240).gauge(Quantity::power, "", same(1))).verdict == Verdict::unsupported);
  auto simulated = loaded(warms_to(70), flags(0));
  CHECK(assay::judge_thermal(simulated.recording(), "gpu/GPU-7").label("reason_codes") == "device_missing");
  ThermalOptions wrong;
  wrong.steady_seconds = 0;
  CHECK_THROWS_AS(judged(simulated, wrong), assay::Misuse);
}
