#pragma once

#include "assay/telemetry/sysfs.hpp"

#include <system_error>

#include "assay/core/config.hpp"
#include "assay/core/monotonic_time.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<SysfsSource> SysfsSource::open(SysfsOptions options) {
  std::error_code code;
  if (!std::filesystem::is_directory(options.root, code))
    return failure(ErrorKind::not_found, "'" + options.root.string() +
                                             "' is no folder; name where /sys is mounted, or a recorded copy of it");
  SysfsSource source(std::move(options));
  source.tree_ = detail::find_sysfs_sensors(source.options_.root, source.options_.pci_classes);
  return source;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Reading> SysfsSource::poll() {
  constexpr std::size_t most_open_files = 512;
  const std::int64_t begin = detail::monotonic_nanoseconds();
  const bool with_seldom = begin >= seldom_due_;
  if (with_seldom) seldom_due_ = begin + static_cast<std::int64_t>(options_.seldom_seconds * 1e9);
  std::vector<Reading> readings;
  readings.reserve(with_seldom ? tree_.sensors.size() : tree_.attributes.size());
  char buffer[4096];
  for (std::size_t position = 0; position < tree_.attributes.size(); ++position) {
    detail::SysfsAttribute& attribute = tree_.attributes[position];
    if (tree_.sensors[attribute.targets.front().sensor].seldom && !with_seldom) continue;
    if (!attribute.fault.empty()) {
      const auto fault = detail::small_text(attribute.fault);
      if (fault && *fault != "0") {
        readings.push_back(Reading::none(attribute.targets.front().sensor, detail::monotonic_nanoseconds(),
                                         ReadingState::failed,
                                         "'" + attribute.fault.string() + "' says that the sensor is broken"));
        continue;
      }
    }
    const bool keep = position < most_open_files;
    const detail::SysfsText text = detail::read_attribute(attribute.path, attribute.file, keep, buffer);
    detail::add_readings(attribute, tree_.sensors, text, detail::monotonic_nanoseconds(), readings);
  }
  return readings;
}

}  // namespace assay::inline v0
