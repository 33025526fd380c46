#include "assay/telemetry/validity.hpp"

#include "telemetry/simulated_recording.hpp"
#include "testing/catch.hpp"

namespace {

using assay::Quantity;
using assay::ReadingState;
using assay::testing::SimulatedRecording;

SimulatedRecording healthy() {
  return SimulatedRecording(60)
      .gauge(Quantity::power, "", [](double) { return 700.0; })
      .energy([](double) { return 700.0; })
      .limit(Quantity::power_limit, 700, "", "enforced");
}

const assay::ValidityOptions asked{{}, {Quantity::power, Quantity::energy, Quantity::power_limit}, 3, 60};

std::string codes(SimulatedRecording simulated) {
  return assay::check_validity(simulated.recording(), asked).codes();
}

}  // namespace

TEST_CASE("the gate lets through what is whole") {
  CHECK(codes(healthy()).empty());
  CHECK(codes(healthy().silent(20, 22.5, ReadingState::failed, "busy")).empty());
}

TEST_CASE("the gate stops what decides nothing, and says why") {
  CHECK(codes(healthy().silent(20, 24, ReadingState::failed, "busy")) == "gap");
  CHECK(codes(healthy().silent(0, 4, ReadingState::failed, "busy")) == "begin_not_covered");
  CHECK(codes(healthy().silent(55, 61, ReadingState::failed, "busy")) == "end_not_covered");
  CHECK(codes(healthy().silent(0, 61, ReadingState::failed, "busy")) == "no_value");
  CHECK(codes(healthy().silent(30, 61, ReadingState::lost, "GPU is lost")) == "device_lost");
  // A device that was lost and came back was lost.
  CHECK(codes(healthy().silent(30, 31, ReadingState::lost, "GPU is lost")) == "device_lost");
  CHECK(codes(SimulatedRecording(60).gauge(Quantity::power, "", [](double) { return 1.0; })) == "no_sensor");
  CHECK(codes(healthy().silent(30, 31, ReadingState::failed, "").energy([](double) { return 1.0; })).empty());
}

TEST_CASE("a counter that was set back is no counter of the window") {
  auto fallen = SimulatedRecording(60)
                    .gauge(Quantity::power, "", [](double) { return 700.0; })
                    .counter(
                        Quantity::energy, [](double t) { return t < 30 ? 1e6 + t * 7e5 : t * 7e5 - 2e7; }, 1e-3)
                    .limit(Quantity::power_limit, 700, "", "enforced");
  const auto validity = assay::check_validity(fallen.recording(), asked);
  CHECK(validity.codes() == "counter_reset");
  CHECK(validity.has("counter_reset"));
  CHECK(!validity.has("gap"));
  CHECK(validity.text().find("gpu/GPU-0") != std::string::npos);
  // Another sensor of the same quantity that is whole will do.
  CHECK(assay::check_validity(fallen.energy([](double) { return 700.0; }).recording(), asked).valid());
}

TEST_CASE("devices that must be there") {
  auto simulated = healthy();
  assay::ValidityOptions options = asked;
  options.devices = {"gpu/GPU-0", "gpu/GPU-1"};
  const auto validity = assay::check_validity(simulated.recording(), options);
  CHECK(validity.codes() == "device_missing");
  CHECK(validity.reasons.front().device == "gpu/GPU-1");
  CHECK(assay::check_validity(assay::Recording{}).codes() == "no_device");
}

TEST_CASE("a window of its own edges") {
  auto simulated = healthy().silent(40, 61, ReadingState::failed, "busy");
  const assay::Recording& recording = simulated.recording();
  const auto at = [&](double seconds) {
    return recording.begin_nanoseconds + static_cast<std::int64_t>(seconds * 1e9);
  };
  CHECK(assay::check_validity(recording, asked, at(5), at(40)).valid());
  CHECK(assay::check_validity(recording, asked, at(5), at(50)).has("end_not_covered"));
}
