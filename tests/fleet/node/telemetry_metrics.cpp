#include "assay/fleet/node/telemetry_metrics.hpp"

#include <string>

#include "testing/catch.hpp"

namespace {

using assay::Quantity;
using assay::Reading;
using assay::ReadingState;
using assay::Recording;

Recording readings() {
  Recording recording;
  recording.add({{"gpu/0", "", "gpu", ""}, {"gpu/1", "", "gpu", ""}},
                {{0, Quantity::power, "", {}, 1, {}, false},
                 {0, Quantity::power, "", {}, 1, {}, false},
                 {0, Quantity::energy, "", {}, 1e-3, {}, false},
                 {0, Quantity::fan_share, "", {}, 1, {}, false},
                 {0, Quantity::throttle_reasons, "", {}, 1, {}, false},
                 {1, Quantity::power, "", {}, 1, {}, false},
                 {0, Quantity::temperature, "memory", {}, 1, {}, false}});
  recording.readings.resize(recording.sensors.size());
  recording.add(Reading::of(0, 1, 650.5));
  recording.add(Reading::of(1, 1, 640));
  recording.add(Reading::counted(2, 1, 123456, 1e-3));
  recording.add(Reading::none(3, 1, ReadingState::unsupported, "none"));
  recording.add(Reading::counted(4, 1, 0x44));
  recording.add(Reading::none(5, 1, ReadingState::lost, "GPU is lost"));
  recording.add(Reading::none(6, 1, ReadingState::failed, "no permission"));
  return recording;
}

}  // namespace

TEST_CASE("telemetry metrics: values, what is lost, what is throttled, and no number that was not read") {
  for (const assay::MetricForm form : {assay::MetricForm::prometheus, assay::MetricForm::open_metrics}) {
    const auto text = assay::metrics_text(assay::telemetry_metrics(readings(), {{"node", "n1"}}), form);
    INFO((text ? text.value() : text.error().message));
    REQUIRE(text.has_value());
    const auto has = [&](const std::string& sample) { return text.value().find(sample + "\n") != std::string::npos; };
    CHECK(has("assay_telemetry_power_watts{device=\"gpu/0\",node=\"n1\",sensor=\"\"} 650.5"));
    CHECK(has("assay_telemetry_power_watts{device=\"gpu/0\",node=\"n1\",sensor=\"2\"} 640"));
    CHECK(has("assay_telemetry_energy_joules_total{device=\"gpu/0\",node=\"n1\",sensor=\"\"} 123.456"));
    CHECK(has("assay_telemetry_device_present{device=\"gpu/0\",node=\"n1\"} 1"));
    CHECK(has("assay_telemetry_device_present{device=\"gpu/1\",node=\"n1\"} 0"));
    CHECK(has("assay_telemetry_throttled{device=\"gpu/0\",node=\"n1\",reason=\"power_cap\"} 1"));
    CHECK(has("assay_telemetry_throttled{device=\"gpu/0\",node=\"n1\",reason=\"power_brake\"} 0"));
    CHECK(has("assay_telemetry_temperature_celsius_present{device=\"gpu/0\",node=\"n1\",sensor=\"memory\"} 0"));
    CHECK(text.value().find("temperature_celsius{") == std::string::npos);
    CHECK(text.value().find("fan") == std::string::npos);
  }
}

TEST_CASE("telemetry metrics: every quantity has a name that the form takes") {
  Recording recording;
  std::vector<assay::Sensor> sensors;
  for (int quantity = 0; quantity < assay::quantity_count; ++quantity)
    sensors.push_back({0, static_cast<Quantity>(quantity), "x", {}, 1, {}, false});
  recording.add({{"gpu/0", "", "gpu", ""}}, sensors);
  recording.readings.resize(sensors.size());
  for (std::size_t sensor = 0; sensor < sensors.size(); ++sensor)
    recording.add(is_counter(sensors[sensor].quantity) ? Reading::counted(sensor, 1, 1) : Reading::of(sensor, 1, 1));
  const auto families = assay::telemetry_metrics(recording);
  CHECK(families.size() == static_cast<std::size_t>(assay::quantity_count) + 1);
  const auto text = assay::metrics_text(families, assay::MetricForm::open_metrics);
  INFO((text ? "" : text.error().message));
  CHECK(text.has_value());
}
