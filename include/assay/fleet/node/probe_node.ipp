#pragma once

#include "assay/fleet/node/probe_node.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/suite/glob.hpp"
#include "assay/telemetry/sysfs.hpp"

#if __has_include(<sys/timex.h>)
#include <sys/timex.h>
#endif

namespace assay::inline v0 {

namespace detail {

/// The first line of a small file; nothing where it cannot be read.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::string> first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) return std::nullopt;
  while (!line.empty() && (line.back() == ' ' || line.back() == '\n')) line.pop_back();
  return line;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::filesystem::path> entries_of(
    const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code code;
  for (std::filesystem::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// What a sensor of sysfs is called on a node, and what its unit is divided by.
struct NodeSensor {
  Quantity quantity;
  std::string_view sensor, reading;
  double divisor = 1;
};

/// Of a device on PCI, and of a controller of memory.
inline constexpr NodeSensor pci_node_sensors[] = {
    {Quantity::link_width, "pcie", "pci_link_width"},
    {Quantity::link_width_limit, "pcie", "pci_link_width_maximum"},
    {Quantity::link_speed, "pcie", "pci_link_gigatransfers", 1e9},
    {Quantity::link_speed_limit, "pcie", "pci_link_gigatransfers_maximum", 1e9},
    {Quantity::corrected_errors, "pcie", "pci_errors_correctable_total"},
    {Quantity::uncorrected_errors, "pcie nonfatal", "pci_errors_nonfatal_total"},
    {Quantity::uncorrected_errors, "pcie fatal", "pci_errors_fatal_total"}};
inline constexpr NodeSensor memory_node_sensors[] = {
    {Quantity::corrected_errors, "", "memory_errors_corrected_total"},
    {Quantity::uncorrected_errors, "", "memory_errors_uncorrected_total"}};

/// A screen of a service processor or of an emulator, by the vendor in the name of a device on PCI.
[[nodiscard]] inline bool is_service_screen(const TelemetryDevice& device) {
  for (const char* vendor : {"PCI 0x1a03:", "PCI 0x102b:", "PCI 0x1234:"})
    if (device.name.rfind(vendor, 0) == 0) return true;
  return false;
}

/// The device's name on a node, and its sensors; an empty name where it is none that a node tells of.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::string, std::span<const NodeSensor>> node_sensors_of(
    const TelemetryDevice& device) {
  const auto starts = [&](std::string_view start) { return device.id.compare(0, start.size(), start) == 0; };
  if (starts("pci/") && device.kind != "port" && !is_service_screen(device))
    return {device.id.substr(4), pci_node_sensors};
  if (starts("memory/")) return {device.id.substr(7), memory_node_sensors};
  return {};
}

/// A device that could have a link and has none is a link of 0 lanes; one that never has any offers no width. Lists of
/// errors that are there and cannot be read are no sensors of sysfs.
ASSAY_DETAIL_HEADER_INLINE void complete_pci_readings(const std::filesystem::path& root, const std::string& device,
                                                      NodeObservation& seen) {
  const auto reading = [&](std::string_view name) {
    return std::find_if(seen.readings.begin(), seen.readings.end(),
                        [&](const NodeReading& one) { return one.device == device && one.name == name; });
  };
  const auto width = reading("pci_link_width"), widest = reading("pci_link_width_maximum");
  if (width != seen.readings.end() && width->state == ReadingState::unsupported && widest != seen.readings.end() &&
      widest->state == ReadingState::value)
    width->state = ReadingState::value;
  const std::pair<const char*, const char*> lists[] = {{"aer_dev_correctable", "pci_errors_correctable_total"},
                                                       {"aer_dev_nonfatal", "pci_errors_nonfatal_total"},
                                                       {"aer_dev_fatal", "pci_errors_fatal_total"}};
  std::error_code code;
  for (const auto& [file, name] : lists)
    if (reading(name) == seen.readings.end() &&
        std::filesystem::exists(root / "sys/bus/pci/devices" / device / file, code))
      seen.readings.push_back({device, name, ReadingState::failed, 0});
}

ASSAY_DETAIL_HEADER_INLINE void probe_sysfs(const std::filesystem::path& root, NodeObservation& seen) {
  SysfsOptions options;
  options.root = root / "sys";
  options.pci_classes = {"0300", "0302", "1200"};
  auto opened = SysfsSource::open(std::move(options));
  if (!opened) return;
  SysfsSource& source = opened.value();
  for (const Reading& reading : source.poll()) {
    const Sensor& sensor = source.sensors()[reading.sensor];
    const auto [device, known] = node_sensors_of(source.devices()[sensor.device]);
    for (const NodeSensor& one : known)
      if (one.quantity == sensor.quantity && one.sensor == sensor.name)
        seen.readings.push_back(
            {device, std::string(one.reading), reading.state, reading.has_value() ? reading.value / one.divisor : 0});
  }
  for (const TelemetryDevice& device : source.devices()) {
    if (device.id.compare(0, 4, "pci/") != 0) continue;
    const std::string name = node_sensors_of(device).first;
    if (name.empty()) continue;
    seen.devices.push_back(name);
    complete_pci_readings(root, name, seen);
  }
}

/// Number of paths below `root` that a glob with wild cards in any of its parts matches.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t count_paths(const std::filesystem::path& root,
                                                                 const std::string& glob) {
  std::vector<std::filesystem::path> open{root};
  for (const auto& part : std::filesystem::path(glob).relative_path()) {
    std::vector<std::filesystem::path> next;
    for (const auto& folder : open)
      for (const auto& entry : entries_of(folder))
        if (glob_matches(part.string(), entry.filename().string())) next.push_back(entry);
    open = std::move(next);
  }
  return open.size();
}

ASSAY_DETAIL_HEADER_INLINE void probe_host(const std::filesystem::path& root, NodeObservation& seen) {
  for (const char* driver : {"nvidia", "amdgpu", "habanalabs", "xe"})
    if (const auto version = first_line(root / "sys/module" / driver / "version"))
      seen.versions[std::string("driver ") + driver] = *version;
  if (const auto kernel = first_line(root / "proc/sys/kernel/osrelease")) seen.versions["kernel"] = *kernel;
  std::error_code code;
  if (std::filesystem::exists(root / "proc/meminfo", code)) {
    std::ifstream memory(root / "proc/meminfo");
    double kibibytes = 0;
    bool told = false;
    for (std::string word; !told && memory >> word;) told = word == "MemTotal:" && memory >> kibibytes;
    seen.readings.push_back(
        {"host", "memory_bytes", told ? ReadingState::value : ReadingState::failed, told ? kibibytes * 1024 : 0});
  }
#if __has_include(<sys/timex.h>)
  if (root == "/") {
    ::timex clock{};
    const int state = ::adjtimex(&clock);
    seen.readings.push_back({"host", "clock_synchronized", state < 0 ? ReadingState::failed : ReadingState::value,
                             (clock.status & STA_UNSYNC) == 0 ? 1.0 : 0.0});
  }
#endif
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE NodeObservation probe_node(const NodeManifest& manifest, const std::filesystem::path& root) {
  NodeObservation seen;
  seen.seconds = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (const auto name = detail::first_line(root / "proc/sys/kernel/hostname")) seen.node = *name;
  detail::probe_sysfs(root, seen);
  detail::probe_host(root, seen);
  for (const std::string& disk : manifest.disks) {
    std::error_code code;
    const auto space = std::filesystem::space(root / std::filesystem::path(disk).relative_path(), code);
    const bool known = !code && space.capacity > 0;
    seen.readings.push_back({"disk:" + disk, "free_ratio", known ? ReadingState::value : ReadingState::failed,
                             known ? static_cast<double>(space.available) / static_cast<double>(space.capacity) : 0});
  }
  for (const auto& [glob, count] : manifest.paths)
    seen.readings.push_back(
        {"path:" + glob, "count", ReadingState::value, static_cast<double>(detail::count_paths(root, glob))});
  return seen;
}

}  // namespace assay::inline v0
