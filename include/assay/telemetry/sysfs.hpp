#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/telemetry/detail/sysfs_attribute.hpp"
#include "assay/telemetry/source.hpp"

namespace assay::inline v0 {

/// What is read of Linux's /sys.
struct SysfsOptions {
  std::filesystem::path root = "/sys";  ///< where it is mounted, or a recorded copy
  /// Beginnings of the classes of PCI devices whose links and errors are read, in hexadecimal: display controllers and
  /// processing accelerators. "0207" adds InfiniBand, "0108" NVMe.
  std::vector<std::string> pci_classes{"03", "12"};
  double seldom_seconds = 5;  ///< how often limits and counts of errors are read
};

/// A `Source` of what Linux shows of a machine without any library: chips of hwmon, thermal zones with their trip
/// points, energy by RAPL, errors of memory by EDAC, clocks and thermal throttling of processors, and of PCIe devices
/// and the ports above them the width and speed of links and the errors that AER counts.
///
/// Files stay open between polls, so a poll costs about a microsecond a sensor. A device that was unplugged is `lost`
/// (ENODEV, or its files are gone), a file that may not be read is `failed` with what would help.
class SysfsSource {
 public:
  /// Looks at what is there. `not_found` where `root` is no folder; a machine without sensors is a source without
  /// devices, and `notes()` says what was looked for.
  [[nodiscard]] static Result<SysfsSource> open(SysfsOptions options = {});

  /// "sysfs".
  [[nodiscard]] std::string name() const { return "sysfs"; }
  [[nodiscard]] const std::vector<TelemetryDevice>& devices() const noexcept { return tree_.devices; }
  [[nodiscard]] const std::vector<Sensor>& sensors() const noexcept { return tree_.sensors; }
  [[nodiscard]] std::vector<Reading> poll();

  /// What was looked for and is not there, a sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return tree_.notes; }

 private:
  explicit SysfsSource(SysfsOptions options) : options_(std::move(options)) {}

  SysfsOptions options_;
  detail::SysfsTree tree_;
  std::int64_t seldom_due_ = 0;
};

static_assert(Source<SysfsSource>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/sysfs.ipp"
#endif
