#include "assay/telemetry/amd_smi.hpp"

#include "assay/telemetry/throttle_reason.hpp"
#include "assay/telemetry/worker_source.hpp"
#include "telemetry/scripted_worker.hpp"
#include "testing/catch.hpp"

using assay::ReadingState;
using assay::testing::reading_of;

namespace {

assay::WorkerSource source_of_version(const std::string& version) {
  assay::WorkerOptions options;
  options.command = {"env", "ASSAY_AMD_SMI=" + version, ASSAY_TELEMETRY_WORKER, "amd_smi", ASSAY_SCRIPTED_AMD_SMI};
  options.start_seconds = options.deadline_seconds = 60;
  return assay::WorkerSource::open(options).value();
}

}  // namespace

TEST_CASE("amd_smi: an MI300X") {
  assay::WorkerSource source = source_of_version("24");
  REQUIRE(source.devices().size() == 1);
  CHECK(source.devices()[0].id == "pci/0000:0c:00.0");
  const auto readings = source.poll();
  CHECK(reading_of(source, readings, 0, "power")->value == 742);
  // amdsmi's energy is a count of its resolution, which readers forget.
  CHECK(reading_of(source, readings, 0, "energy")->value == assay::testing::Approx(30.518));
  CHECK(reading_of(source, readings, 0, "power_limit (enforced)")->value == 750);
  CHECK(reading_of(source, readings, 0, "power_limit (default)")->state == ReadingState::unsupported);
  CHECK(reading_of(source, readings, 0, "temperature junction")->value == 56);
  CHECK(reading_of(source, readings, 0, "temperature edge")->state == ReadingState::unsupported);
  CHECK(reading_of(source, readings, 0, "clock gfx")->value == assay::testing::Approx(2.1e9));
  CHECK(assay::throttle_reason_text(reading_of(source, readings, 0, "throttle_reasons")->count) ==
        "power_cap + socket_thermal");
  CHECK(reading_of(source, readings, 0, "corrected_errors")->state == ReadingState::failed);
}

TEST_CASE("amd_smi: a layout that is not known is not read") {
  assay::WorkerSource source = source_of_version("26");
  const auto readings = source.poll();
  CHECK(reading_of(source, readings, 0, "power")->state == ReadingState::unsupported);
  CHECK(reading_of(source, readings, 0, "power")->reason.find("26") != std::string::npos);
  CHECK(reading_of(source, readings, 0, "throttle_reasons")->state == ReadingState::unsupported);
  CHECK(reading_of(source, readings, 0, "temperature junction")->value == 56);
}
