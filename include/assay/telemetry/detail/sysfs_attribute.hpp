#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/process/file_descriptor.hpp"
#include "assay/telemetry/reading.hpp"
#include "assay/telemetry/sensor.hpp"

namespace assay::inline v0::detail {

/// How the text of a file of /sys becomes readings.
enum class SysfsForm {
  gauge,       ///< a whole number with a sign, times a factor
  counter,     ///< a whole number without one
  link_speed,  ///< "16.0 GT/s PCIe"
  link_width,  ///< lanes; 0, 63 and 255 say that there is no link
  error_list   ///< a line "name count" each, the last one the sum
};

/// A file of /sys, and the sensors that it feeds.
struct SysfsAttribute {
  struct Target {
    std::size_t sensor = 0;
    std::string key;  ///< of an error list: the name in its line
  };
  std::filesystem::path path;
  SysfsForm form = SysfsForm::gauge;
  double factor = 1;  ///< of gauges
  std::vector<Target> targets;
  std::filesystem::path fault;  ///< a file that is not 0 where the sensor is broken; may be empty
  FileDescriptor file;
};

/// What was found in a tree.
struct SysfsTree {
  std::vector<TelemetryDevice> devices;
  std::vector<Sensor> sensors;
  std::vector<SysfsAttribute> attributes;
  std::vector<std::string> notes;
};

/// A file's text, or the error of the system.
struct SysfsText {
  std::string_view text;
  int error = 0;
};

/// Reads the first 4095 bytes into `buffer`, of 4096 bytes, without the white space at their end. `keep_open`: for the
/// next time.
[[nodiscard]] SysfsText read_attribute(const std::filesystem::path& path, FileDescriptor& file, bool keep_open,
                                       char* buffer);

/// Adds what the text says, or why there is none.
void add_readings(const SysfsAttribute& attribute, const std::vector<Sensor>& sensors, const SysfsText& text,
                  std::int64_t now, std::vector<Reading>& readings);

/// The text of a small file, without the white space at its end; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> small_text(const std::filesystem::path& path);

/// The whole number that all of the text is; nothing if it is none.
[[nodiscard]] std::optional<std::int64_t> whole_number_of(std::string_view text);

/// Finds all that is below `root`. `pci_classes` as in `SysfsOptions`.
[[nodiscard]] SysfsTree find_sysfs_sensors(const std::filesystem::path& root,
                                           const std::vector<std::string>& pci_classes);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/detail/sysfs_attribute.ipp"
#endif
