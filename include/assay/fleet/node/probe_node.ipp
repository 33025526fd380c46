#pragma once

#include "assay/fleet/node/probe_node.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/suite/glob.hpp"

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

/// The reading of a file that holds a number, or begins with one ("16.0 GT/s PCIe"); none where there is no such file.
ASSAY_DETAIL_HEADER_INLINE void read_number_file(const std::filesystem::path& path, const std::string& device,
                                                 const std::string& name, NodeObservation& seen) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return;
  const auto line = first_line(path);
  const auto value = line ? read_number(line->substr(0, line->find(' '))) : std::nullopt;
  seen.readings.push_back({device, name, value ? ReadingState::value : ReadingState::failed, value.value_or(0)});
}

/// The line TOTAL_ERR_… of an AER file, or the sum of all where there is none.
ASSAY_DETAIL_HEADER_INLINE void read_aer_file(const std::filesystem::path& path, const std::string& device,
                                              const std::string& name, NodeObservation& seen) {
  std::ifstream file(path);
  if (!file) return;
  double sum = 0, total = -1, value = 0;
  for (std::string word; file >> word >> value;) {
    if (word.rfind("TOTAL", 0) == 0) total = value;
    sum += value;
  }
  seen.readings.push_back({device, name, ReadingState::value, total >= 0 ? total : sum});
}

ASSAY_DETAIL_HEADER_INLINE void probe_pci(const std::filesystem::path& root, NodeObservation& seen) {
  for (const auto& device : entries_of(root / "sys/bus/pci/devices")) {
    const auto kind = first_line(device / "class");
    if (!kind || !(kind->rfind("0x0300", 0) == 0 || kind->rfind("0x0302", 0) == 0 || kind->rfind("0x1200", 0) == 0))
      continue;
    const auto vendor = first_line(device / "vendor");
    if (kind->rfind("0x0300", 0) == 0 && vendor && (*vendor == "0x1a03" || *vendor == "0x102b" || *vendor == "0x1234"))
      continue;  // a service processor's or an emulator's screen
    const std::string name = device.filename().string();
    seen.devices.push_back(name);
    read_number_file(device / "current_link_width", name, "pci_link_width", seen);
    read_number_file(device / "max_link_width", name, "pci_link_width_maximum", seen);
    read_number_file(device / "current_link_speed", name, "pci_link_gigatransfers", seen);
    read_number_file(device / "max_link_speed", name, "pci_link_gigatransfers_maximum", seen);
    read_aer_file(device / "aer_dev_correctable", name, "pci_errors_correctable_total", seen);
    read_aer_file(device / "aer_dev_nonfatal", name, "pci_errors_nonfatal_total", seen);
    read_aer_file(device / "aer_dev_fatal", name, "pci_errors_fatal_total", seen);
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
  for (const auto& controller : entries_of(root / "sys/devices/system/edac/mc")) {
    const std::string name = controller.filename().string();
    read_number_file(controller / "ce_count", name, "memory_errors_corrected_total", seen);
    read_number_file(controller / "ue_count", name, "memory_errors_uncorrected_total", seen);
  }
  for (const char* driver : {"nvidia", "amdgpu", "habanalabs", "xe"})
    if (const auto version = first_line(root / "sys/module" / driver / "version"))
      seen.versions[std::string("driver ") + driver] = *version;
  if (const auto kernel = first_line(root / "proc/sys/kernel/osrelease")) seen.versions["kernel"] = *kernel;
  std::ifstream memory(root / "proc/meminfo");
  double kibibytes = 0;
  for (std::string word; memory >> word;)
    if (word == "MemTotal:" && memory >> kibibytes)
      seen.readings.push_back({"host", "memory_bytes", ReadingState::value, kibibytes * 1024});
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
  detail::probe_pci(root, seen);
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
