#include "assay/telemetry/rocm_smi.hpp"

#include <string>

#include "assay/telemetry/worker_source.hpp"
#include "telemetry/scripted_worker.hpp"
#include "testing/catch.hpp"

using assay::ReadingState;
using assay::testing::reading_of;

TEST_CASE("rocm_smi: two dies of which one tells the power of both") {
  assay::WorkerOptions options;
  options.command = {ASSAY_TELEMETRY_WORKER, "rocm_smi", ASSAY_SCRIPTED_ROCM_SMI};
  options.start_seconds = options.deadline_seconds = 60;
  assay::WorkerSource source = assay::WorkerSource::open(options).value();
  REQUIRE(source.devices().size() == 2);
  CHECK(source.devices()[0].id == "pci/0001:c1:00.0");
  const auto readings = source.poll();
  CHECK(reading_of(source, readings, 0, "power")->value == 512);
  CHECK(reading_of(source, readings, 0, "energy")->value == assay::testing::Approx(15.3));  // counts of 15.3 µJ
  CHECK(reading_of(source, readings, 0, "power_limit (enforced)")->value == 560);
  CHECK(reading_of(source, readings, 1, "power")->state == ReadingState::unsupported);
  CHECK(reading_of(source, readings, 1, "power")->reason.find("secondary") != std::string::npos);
  CHECK(reading_of(source, readings, 1, "temperature junction")->value == 62);
  CHECK(reading_of(source, readings, 1, "temperature edge")->state == ReadingState::unsupported);
  CHECK(reading_of(source, readings, 0, "temperature_limit junction (critical)")->value == 105);
  CHECK(reading_of(source, readings, 0, "corrected_errors memory")->count == 4);
  CHECK(reading_of(source, readings, 0, "uncorrected_errors memory")->state == ReadingState::unsupported);
  CHECK(reading_of(source, readings, 0, "utilization")->state == ReadingState::failed);             // no permission
  CHECK(reading_of(source, readings, 0, "link_replays pcie")->state == ReadingState::unsupported);  // no such function
}

TEST_CASE("rocm_smi: without a driver, although it then counts 0 devices with success") {
  assay::WorkerOptions options;
  options.command = {"env", "ASSAY_ROCM_SMI=none", ASSAY_TELEMETRY_WORKER, "rocm_smi", ASSAY_SCRIPTED_ROCM_SMI};
  options.start_seconds = 60;
  const auto source = assay::WorkerSource::open(options);
  REQUIRE(!source);
  CHECK(source.error().kind == assay::ErrorKind::unsupported);
}
