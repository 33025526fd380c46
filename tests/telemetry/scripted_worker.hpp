#pragma once

#include <fstream>
#include <string>

#include "assay/telemetry/worker_source.hpp"
#include "testing/temporary_folder.hpp"

namespace assay::testing {

/// A worker over the library that answers from a script, see testing/scripted_nvml.cpp.
struct ScriptedWorker {
  TemporaryFolder folder;
  WorkerOptions options;

  explicit ScriptedWorker(const std::string& script) {
    std::ofstream(folder.at("script.txt")) << script;
    options.command = {"env", "ASSAY_NVML_SCRIPT=" + folder.at("script.txt"), ASSAY_TELEMETRY_WORKER, "nvml",
                       ASSAY_SCRIPTED_NVML};
    options.deadline_seconds = 10;  // a machine that is busy is no library that hangs
    options.start_seconds = 60;
    options.seldom_seconds = 0;
  }
};

/// The reading of a sensor by its device and text.
inline const Reading* reading_of(const WorkerSource& source, const std::vector<Reading>& readings, std::size_t device,
                                 const std::string& text) {
  for (const Reading& reading : readings)
    if (source.sensors()[reading.sensor].device == device && source.sensors()[reading.sensor].text() == text)
      return &reading;
  return nullptr;
}

/// What two healthy GPUs say.
inline const std::string healthy_script =
    "0 Count 0 2\n0 PowerUsage 0 650250\n0 EnforcedPowerLimit 0 700000\n0 PowerManagementDefaultLimit 0 700000\n"
    "0 TotalEnergyConsumption 0 123456789\n0 Temperature 0 61\n0 Field82 0 70\n0 Field269 0 5000000\n"
    "0 TemperatureThreshold1 0 90\n0 ClockInfo1 0 1755\n0 ClockInfo2 0 2619\n0 MaxClockInfo1 0 1980\n"
    "0 CurrentClocksThrottleReasons 0 4\n0 TotalEccErrors0 0 3\n0 TotalEccErrors1 0 0\n0 RetiredPages1 0 61\n"
    "0 CurrPcieLinkWidth 0 16\n0 CurrPcieLinkGeneration 0 5\n0 NvLinkState0 0 1\n0 NvLinkState1 0 0\n0 Field230 0 0\n";

}  // namespace assay::testing
