#include "assay/telemetry/sysfs.hpp"

#include <cstdlib>
#include <fstream>
#include <map>

#include "assay/core/printed_number.hpp"
#include "assay/telemetry/counter_change.hpp"
#include "telemetry/sysfs_tree.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

namespace {

using assay::Quantity;
using assay::ReadingState;
using assay::testing::SysfsTreeMaker;
using assay::testing::TemporaryFolder;

struct Machine {
  TemporaryFolder folder;
  SysfsTreeMaker tree{folder.path};

  [[nodiscard]] assay::SysfsSource open() const {
    assay::SysfsOptions options;
    options.root = folder.path;
    options.seldom_seconds = 0;
    return assay::SysfsSource::open(options).value();
  }
};

/// "device quantity name (limits)" → reading.
using Told = std::map<std::string, assay::Reading>;

Told told_by(assay::SysfsSource& source) {
  Told told;
  for (const assay::Reading& reading : source.poll()) {
    const assay::Sensor& sensor = source.sensors().at(reading.sensor);
    const bool added = told.emplace(source.devices().at(sensor.device).id + " " + sensor.text(), reading).second;
    INFO(source.devices().at(sensor.device).id + " " + sensor.text());
    CHECK(added);
  }
  return told;
}

double value_of(const Told& told, const std::string& name) {
  INFO(name);
  REQUIRE(told.count(name) == 1);
  REQUIRE(told.at(name).has_value());
  return told.at(name).value;
}

}  // namespace

TEST_CASE("sysfs: chips, zones, energy, memory errors, clocks and links of a server") {
  Machine machine;
  machine.tree.whole_machine();
  assay::SysfsSource source = machine.open();
  const Told told = told_by(source);

  // Two chips of one name are two devices.
  CHECK(value_of(told, "hwmon/coretemp.0 temperature Package id 0") == 55);
  CHECK(value_of(told, "hwmon/coretemp.1 temperature Package id 1") == 56);
  CHECK(value_of(told, "hwmon/coretemp.0 temperature Core 0") == -5);
  CHECK(value_of(told, "hwmon/coretemp.0 temperature_limit Package id 0 (critical)") == 100);

  CHECK(value_of(told, "thermal/0/x86_pkg_temp temperature x86_pkg_temp") == assay::testing::Approx(49.925));
  CHECK(value_of(told, "thermal/0/x86_pkg_temp temperature_limit x86_pkg_temp (passive)") == 95);

  CHECK(value_of(told, "rapl/package-0 energy") == assay::testing::Approx(240422.366267));
  CHECK(told.at("rapl/package-1 energy").count == 240422366268);
  CHECK(value_of(told, "rapl/package-0/dram energy") == assay::testing::Approx(118821.284256));
  CHECK(value_of(told, "rapl/package-0 power_limit (enforced)") == 165);
  CHECK(value_of(told, "rapl/package-0 power_limit (short_term)") == 198);

  CHECK(value_of(told, "memory/mc0 corrected_errors") == 1);
  CHECK(value_of(told, "memory/mc0 uncorrected_errors") == 5);
  CHECK(value_of(told, "memory/mc0 uncorrected_errors unknown place") == 6);
  CHECK(value_of(told, "memory/mc0 corrected_errors CPU_SrcID#0_Ha#0_Chan#0_DIMM#0") == 1);

  CHECK(value_of(told, "processor/0 clock cpu 3") == assay::testing::Approx(1219920e3));
  CHECK(value_of(told, "processor/0 throttle_count core 1") == 5);
  CHECK(value_of(told, "processor/0 throttle_count package") == 30);
  CHECK(told.count("processor/0 throttle_count core 2") == 0);  // threads of a core are not counted twice

  CHECK(value_of(told, "pci/0000:09:00.0 temperature junction") == 52);
  CHECK(value_of(told, "pci/0000:09:00.0 power power1") == 32);
  CHECK(value_of(told, "pci/0000:09:00.0 power_limit power1 (enforced)") == 300);
  CHECK(value_of(told, "pci/0000:09:00.0 link_width pcie") == 8);
  CHECK(value_of(told, "pci/0000:09:00.0 link_width_limit pcie (max)") == 16);
  CHECK(value_of(told, "pci/0000:00:03.1 link_speed pcie") == 16e9);
  CHECK(value_of(told, "pci/0000:00:03.1 corrected_errors pcie") == 9);
  CHECK(value_of(told, "pci/0000:00:03.1 corrected_errors pcie RxErr") == 7);
  for (const assay::TelemetryDevice& device : source.devices())
    if (device.id == "pci/0000:09:00.0") CHECK(device.parent == "pci/0000:00:03.1");
}

TEST_CASE("sysfs: RAPL passes the end of its range, and a delta knows it") {
  Machine machine;
  machine.tree.processors();
  machine.tree.write("devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj", "262143328800");
  assay::SysfsSource source = machine.open();
  const Told before = told_by(source);
  machine.tree.write("devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj", "149999950");
  const Told after = told_by(source);
  const assay::Reading readings[] = {before.at("rapl/package-0 energy"), after.at("rapl/package-0 energy")};
  const assay::CounterChange change = assay::counter_change(source.sensors().at(readings[0].sensor), readings);
  CHECK(change.wraps == 1);
  CHECK(change.resets == 0);
  CHECK(change.amount == assay::testing::Approx(150));
}

TEST_CASE("sysfs: what goes, what breaks and what has no link is no number") {
  Machine machine;
  machine.tree.whole_machine();
  const std::string card = "devices/pci0000:00/0000:00:03.1/0000:09:00.0";
  machine.tree.write(card + "/hwmon/hwmon4/temp2_fault", "0");
  assay::SysfsSource source = machine.open();
  CHECK(value_of(told_by(source), "pci/0000:09:00.0 temperature junction") == 52);

  machine.tree.write(card + "/hwmon/hwmon4/temp2_fault", "1");
  machine.tree.write(card + "/hwmon/hwmon4/power1_average", "N/A");
  machine.tree.write(card + "/current_link_width", "63");
  machine.tree.write(card + "/current_link_speed", "Unknown");
  machine.tree.write("devices/virtual/thermal/thermal_zone0/temp", "-274000");
  machine.tree.write("devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj", "-1");
  Told told = told_by(source);
  CHECK(told.at("pci/0000:09:00.0 temperature junction").state == ReadingState::failed);
  CHECK(told.at("pci/0000:09:00.0 power power1").state == ReadingState::failed);
  CHECK(told.at("pci/0000:09:00.0 power power1").reason.find("N/A") != std::string::npos);
  CHECK(told.at("pci/0000:09:00.0 link_width pcie").state == ReadingState::unsupported);
  CHECK(told.at("pci/0000:09:00.0 link_speed pcie").state == ReadingState::unsupported);
  CHECK(told.at("thermal/0/x86_pkg_temp temperature x86_pkg_temp").state == ReadingState::unsupported);
  CHECK(told.at("rapl/package-0 energy").state == ReadingState::failed);

  machine.tree.remove(card);
  told = told_by(source);
  CHECK(told.at("pci/0000:09:00.0 power power1").state == ReadingState::lost);
  CHECK(told.at("pci/0000:09:00.0 link_width pcie").state == ReadingState::lost);
  CHECK(told.at("pci/0000:00:03.1 link_width pcie").has_value());
}

TEST_CASE("sysfs: limits are read seldom") {
  Machine machine;
  machine.tree.processors();
  assay::SysfsOptions options;
  options.root = machine.folder.path;
  options.seldom_seconds = 3600;
  assay::SysfsSource source = assay::SysfsSource::open(options).value();
  const std::size_t first = source.poll().size(), second = source.poll().size();
  CHECK(first == source.sensors().size());
  std::size_t often = 0;
  for (const assay::Sensor& sensor : source.sensors()) often += sensor.seldom ? 0 : 1;
  CHECK(second == often);
  CHECK(often < first);
}

TEST_CASE("sysfs: a machine without sensors, and one that is none") {
  Machine machine;
  assay::SysfsSource source = machine.open();
  CHECK(source.devices().empty());
  CHECK(source.poll().empty());
  CHECK(source.notes().size() == 6);
  const auto absent = assay::SysfsSource::open({machine.folder.path / "absent", {}, 5});
  REQUIRE(!absent);
  CHECK(absent.error().kind == assay::ErrorKind::not_found);
}

TEST_CASE("sysfs: hostile trees") {
  Machine machine;
  machine.tree.link("class/hwmon/hwmon0", "/proc");            // out of the root
  machine.tree.link("class/hwmon/hwmon1", "../hwmon/hwmon1");  // a loop
  machine.tree.write("class/hwmon/hwmon2/temp1_input", std::string(100000, '9'));
  machine.tree.write("class/hwmon/hwmon2/temp99999999999999999999_input", "1");
  machine.tree.write("class/hwmon/hwmon2/temp_input", "1");
  machine.tree.write("class/hwmon/hwmon2/temp2_input/file", "a folder");
  machine.tree.write("class/powercap/intel-rapl", "no zone");
  machine.tree.write("devices/system/edac/mc/mc/ce_count", "1");
  machine.tree.write("devices/system/cpu/cpufreq/boost", "1");
  assay::SysfsSource source = machine.open();
  const Told told = told_by(source);
  CHECK(told.at("hwmon/hwmon2 temperature temp1").state == ReadingState::failed);
  CHECK(told.at("hwmon/hwmon2 temperature temp2").state == ReadingState::failed);
  bool noted = false;
  for (const std::string& note : source.notes()) noted = noted || note.find("leads out") != std::string::npos;
  CHECK(noted);
}

// For node_exporter_oracle.py: writes a tree into the folder that a variable names, and what we read of it.
TEST_CASE("sysfs: a tree and its readings for other readers", "[.oracle]") {
  const char* const folder = std::getenv("ASSAY_ORACLE_FOLDER");
  REQUIRE(folder != nullptr);
  const SysfsTreeMaker tree(std::filesystem::path(folder) / "sys");
  tree.whole_machine();
  assay::SysfsOptions options;
  options.root = tree.root();
  assay::SysfsSource source = assay::SysfsSource::open(options).value();
  std::ofstream file(std::filesystem::path(folder) / "readings.txt");
  for (const assay::Reading& reading : source.poll()) {
    const assay::Sensor& sensor = source.sensors().at(reading.sensor);
    file << source.devices().at(sensor.device).id << '\t' << name_of(sensor.quantity) << '\t' << sensor.name << '\t'
         << sensor.limits << '\t' << assay::detail::printed_number(reading.value, 17) << '\n';
  }
}
