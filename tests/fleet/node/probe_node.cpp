#include "assay/fleet/node/probe_node.hpp"

#include <filesystem>
#include <fstream>
#include <optional>

#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;

namespace {

void put(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

std::optional<NodeReading> reading(const NodeObservation& seen, const std::string& device, const std::string& name) {
  for (const NodeReading& one : seen.readings)
    if (one.device == device && one.name == name) return one;
  return std::nullopt;
}

}  // namespace

TEST_CASE("a node is read from what its kernel tells") {
  const testing::TemporaryFolder folder;
  const auto device = folder.path / "sys/bus/pci/devices/0000:1b:00.0";
  put(device / "class", "0x030200\n");
  put(device / "vendor", "0x10de\n");
  put(device / "current_link_width", "8\n");
  put(device / "max_link_width", "16\n");
  put(device / "current_link_speed", "16.0 GT/s PCIe\n");
  put(device / "aer_dev_fatal", "Undefined 0\nDLP 2\nTOTAL_ERR_FATAL 2\n");
  put(folder.path / "sys/bus/pci/devices/0000:02:00.0/class", "0x030000\n");
  put(folder.path / "sys/bus/pci/devices/0000:02:00.0/vendor", "0x1a03\n");   // a service processor's screen
  put(folder.path / "sys/bus/pci/devices/0000:03:00.0/class", "0x020000\n");  // a network adapter
  put(folder.path / "sys/devices/system/edac/mc/mc0/ue_count", "3\n");
  put(folder.path / "sys/devices/system/edac/mc/mc0/ce_count", "nonsense\n");
  put(folder.path / "sys/module/nvidia/version", "580.65.06\n");
  put(folder.path / "proc/sys/kernel/hostname", "n17\n");
  put(folder.path / "proc/meminfo", "MemTotal:       1024 kB\n");
  for (const char* name : {"nvidia0", "nvidia1", "nvidiactl"}) put(folder.path / "dev" / name, "");
  NodeManifest manifest;
  manifest.paths = {{"/dev/nvidia?", 2}};
  manifest.disks = {"/", "/none"};
  const NodeObservation seen = probe_node(manifest, folder.path);
  CHECK(seen.node == "n17");
  CHECK(seen.devices == std::vector<std::string>{"0000:1b:00.0"});
  CHECK(reading(seen, "0000:1b:00.0", "pci_link_width")->value == 8);
  CHECK(reading(seen, "0000:1b:00.0", "pci_link_gigatransfers")->value == 16);
  CHECK(reading(seen, "0000:1b:00.0", "pci_errors_fatal_total")->value == 2);
  CHECK_FALSE(reading(seen, "0000:1b:00.0", "max_link_speed").has_value());
  CHECK(reading(seen, "mc0", "memory_errors_uncorrected_total")->value == 3);
  CHECK(reading(seen, "mc0", "memory_errors_corrected_total")->state == ReadingState::failed);
  CHECK(seen.versions.at("driver nvidia") == "580.65.06");
  CHECK(reading(seen, "host", "memory_bytes")->value == 1024 * 1024);
  CHECK(reading(seen, "path:/dev/nvidia?", "count")->value == 2);
  CHECK(reading(seen, "disk:/", "free_ratio")->state == ReadingState::value);
  CHECK(reading(seen, "disk:/none", "free_ratio")->state == ReadingState::failed);
  CHECK_FALSE(reading(seen, "host", "clock_synchronized").has_value());
}

TEST_CASE("an empty root has nothing, and says nothing") {
  const testing::TemporaryFolder folder;
  const NodeObservation seen = probe_node({}, folder.path);
  CHECK(seen.devices.empty());
  CHECK(seen.readings.empty());
  CHECK(judge_node({}, seen).level == HealthLevel::unknown);
}
