#include "assay/fleet/node/probe_node.hpp"

#include <filesystem>
#include <fstream>
#include <optional>

#include "telemetry/sysfs_tree.hpp"
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

TEST_CASE("what cannot be read on a node is told as such, and no link is no width") {
  const testing::TemporaryFolder folder;
  const auto devices = folder.path / "sys/bus/pci/devices";
  const auto card = [&](const std::string& address, const std::string& width, const std::string& widest) {
    put(devices / address / "class", "0x030200\n");
    put(devices / address / "vendor", "0x10de\n");
    put(devices / address / "current_link_width", width + "\n");
    put(devices / address / "max_link_width", widest + "\n");
  };
  const auto judged = [&](const NodeObservation& seen) {
    NodeManifest manifest;
    manifest.limits = default_node_limits();
    return judge_node(manifest, seen).level;
  };
  for (const char* none : {"0", "63", "255"}) {
    card("0000:1b:00.0", none, none);
    NodeObservation seen = probe_node({}, folder.path);
    CHECK(reading(seen, "0000:1b:00.0", "pci_link_width")->state == ReadingState::unsupported);
    CHECK(reading(seen, "0000:1b:00.0", "pci_link_width_maximum")->state == ReadingState::unsupported);
    CHECK(judged(seen) == HealthLevel::ok);
    card("0000:1b:00.0", none, "16");  // it could have one
    seen = probe_node({}, folder.path);
    CHECK(reading(seen, "0000:1b:00.0", "pci_link_width")->state == ReadingState::value);
    CHECK(reading(seen, "0000:1b:00.0", "pci_link_width")->value == 0);
    CHECK(judged(seen) == HealthLevel::warning);
  }
  card("0000:1b:00.0", "16", "16 lanes");
  put(devices / "0000:1b:00.0/current_link_speed", "Unknown\n");
  put(devices / "0000:1b:00.0/aer_dev_fatal", "nonsense\n");
  put(devices / "0000:1b:00.0/aer_dev_nonfatal", "Undefined 1\nDLP 2\n");  // no total: the sum
  std::filesystem::create_directories(devices / "0000:1b:00.0/aer_dev_correctable");
  put(folder.path / "sys/devices/system/edac/mc/mc0/ce_count", "-1\n");
  put(folder.path / "proc/meminfo", "MemTotal:       much\n");
  const NodeObservation seen = probe_node({}, folder.path);
  CHECK(seen.devices == std::vector<std::string>{"0000:1b:00.0"});
  CHECK(reading(seen, "0000:1b:00.0", "pci_link_width_maximum")->state != ReadingState::value);
  CHECK(reading(seen, "0000:1b:00.0", "pci_link_gigatransfers")->state == ReadingState::unsupported);
  CHECK(reading(seen, "0000:1b:00.0", "pci_errors_fatal_total")->state == ReadingState::failed);
  CHECK(reading(seen, "0000:1b:00.0", "pci_errors_nonfatal_total")->value == 3);
  REQUIRE(reading(seen, "0000:1b:00.0", "pci_errors_correctable_total"));
  CHECK(reading(seen, "0000:1b:00.0", "pci_errors_correctable_total")->state == ReadingState::failed);
  CHECK(reading(seen, "mc0", "memory_errors_corrected_total")->state == ReadingState::failed);
  CHECK(reading(seen, "host", "memory_bytes")->state == ReadingState::failed);
}

TEST_CASE("ports above a device, and other sensors, are no devices of a node") {
  const testing::TemporaryFolder folder;
  const testing::SysfsTreeMaker tree(folder.path / "sys");
  tree.whole_machine();
  CHECK(probe_node({}, folder.path).devices.empty());  // 0x0380: a display of another kind
  tree.write("devices/pci0000:00/0000:00:03.1/0000:09:00.0/class", "0x120000");
  const NodeObservation seen = probe_node({}, folder.path);
  CHECK(seen.devices == std::vector<std::string>{"0000:09:00.0"});
  CHECK(reading(seen, "0000:09:00.0", "pci_link_width")->value == 8);
  CHECK(reading(seen, "0000:09:00.0", "pci_link_gigatransfers_maximum")->value == 16);
  CHECK(reading(seen, "0000:09:00.0", "pci_errors_correctable_total")->value == 1);
  CHECK(reading(seen, "mc0", "memory_errors_corrected_total")->value == 1);
  CHECK(reading(seen, "mc0", "memory_errors_uncorrected_total")->value == 5);
  for (const NodeReading& one : seen.readings) CHECK((one.device == "0000:09:00.0" || one.device == "mc0"));
}

TEST_CASE("an empty root has nothing, and says nothing") {
  const testing::TemporaryFolder folder;
  const NodeObservation seen = probe_node({}, folder.path);
  CHECK(seen.devices.empty());
  CHECK(seen.readings.empty());
  CHECK(judge_node({}, seen).level == HealthLevel::unknown);
}
