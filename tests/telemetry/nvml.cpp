#include "assay/telemetry/nvml.hpp"

#include "telemetry/scripted_worker.hpp"
#include "testing/catch.hpp"

namespace {

using assay::Reading;
using assay::ReadingState;
using assay::testing::healthy_script;
using assay::testing::reading_of;
using assay::testing::ScriptedWorker;

Reading told(const std::string& script, const std::string& sensor, std::size_t device = 0) {
  ScriptedWorker worker(script);
  assay::WorkerSource source = assay::WorkerSource::open(worker.options).value();
  const auto readings = source.poll();
  const Reading* reading = reading_of(source, readings, device, sensor);
  INFO(sensor);
  REQUIRE(reading != nullptr);
  return *reading;
}

}  // namespace

TEST_CASE("nvml: what two GPUs say, in units") {
  ScriptedWorker worker(healthy_script);
  assay::WorkerSource source = assay::WorkerSource::open(worker.options).value();
  CHECK(source.name() == "nvml");
  REQUIRE(source.devices().size() == 2);
  CHECK(source.devices()[0].id == "gpu/GPU-script-1");
  CHECK(source.devices()[0].name == "Scripted GPU 80GB");
  CHECK(source.devices()[0].parent == "pci/0000:3a:00.0");
  const auto readings = source.poll();
  CHECK(readings.size() == source.sensors().size());
  const auto value = [&](const char* sensor) {
    INFO(sensor);
    const Reading* reading = reading_of(source, readings, 0, sensor);
    REQUIRE(reading != nullptr);
    INFO(reading->reason);
    REQUIRE(reading->has_value());
    return reading->value;
  };
  using assay::testing::Approx;
  CHECK(value("power") == Approx(650.25));
  CHECK(value("energy") == Approx(123456.789));
  CHECK(value("power_limit (enforced)") == Approx(700));
  CHECK(value("temperature gpu") == 61);
  CHECK(value("temperature memory") == 70);
  CHECK(value("temperature_limit gpu (slowdown)") == 90);
  CHECK(value("clock sm") == Approx(1755e6));
  CHECK(value("clock_limit sm (max)") == Approx(1980e6));
  CHECK(value("throttle_reasons") == 4);  // by the older name of the function
  CHECK(value("throttle_time software_thermal") == Approx(0.005));
  CHECK(value("repaired_rows pages, double-bit errors") == 61);
  CHECK(value("link_speed pcie") == 32e9);
  CHECK(value("link_state nvlink 0") == 1);
  CHECK(value("link_state nvlink 1") == 0);  // gpud#1085: a dead link
  // What the library lacks, and what it does not support.
  CHECK(reading_of(source, readings, 0, "temperature_margin gpu")->state == ReadingState::unsupported);
  CHECK(reading_of(source, readings, 0, "fan_share")->state == ReadingState::unsupported);
}

TEST_CASE("nvml: forms of no value are no values") {
  const std::string one = "0 Count 0 1\n";
  // slurm-job-exporter#30, DCGM#272: blanks with success.
  CHECK(told(one + "0 TotalEnergyConsumption 0 9223372036854775792\n", "energy").state == ReadingState::unsupported);
  CHECK(told(one + "0 TotalEccErrors1 0 9223372036854775794\n", "uncorrected_errors in its life").state ==
        ReadingState::unsupported);
  CHECK(told(one + "0 Field82 0 9223372036854775794\n", "temperature memory").state == ReadingState::unsupported);
  CHECK(told(one + "0 PowerUsage 0 2147483632\n", "power").state == ReadingState::unsupported);
  CHECK(told(one + "0 PowerUsage 0 4294967295\n", "power").state == ReadingState::unsupported);
  // A margin of -8 in the place of a limit (H100: T.Limit).
  const Reading margin = told(one + "0 TemperatureThreshold0 0 4294967288\n", "temperature_limit gpu (shutdown)");
  CHECK(margin.state == ReadingState::unsupported);
  CHECK(margin.reason.find("-8") != std::string::npos);
  CHECK(told(one + "0 PowerUsage 4\n", "power").state == ReadingState::failed);
  CHECK(told(one + "0 PowerUsage 999\n", "power").state == ReadingState::failed);
  CHECK(told(one + "0 PowerUsage 26\n", "power").state == ReadingState::unsupported);
  CHECK(told(one + "0 PowerUsage 3\n", "power").state == ReadingState::unsupported);
}

TEST_CASE("nvml: a GPU that is lost") {
  CHECK(told(healthy_script + "0 PowerUsage@2 15\n", "power", 1).state == ReadingState::lost);
  CHECK(told(healthy_script + "0 PowerUsage@2 15\n", "power", 0).has_value());
  // Lost before it was found: all of it is.
  CHECK(told(healthy_script + "0 Handle@2 15\n", "energy", 1).state == ReadingState::lost);
}

TEST_CASE("nvml: where there is no library") {
  const auto absent = assay::open_nvml("/absent/libnvidia-ml.so.1");
  REQUIRE(!absent);
  CHECK(absent.error().kind == assay::ErrorKind::unsupported);
}
