#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/telemetry/detail/sysfs_attribute.hpp"

namespace assay::inline v0::detail {

/// Looks for sensors, one kind after the other. Links are followed only where they stay below the root.
class SysfsFinder {
 public:
  explicit SysfsFinder(const std::filesystem::path& root);

  void find_pci(const std::vector<std::string>& classes);
  void find_hwmon();
  void find_thermal_zones();
  void find_rapl();
  void find_edac();
  void find_processors();

  [[nodiscard]] SysfsTree tree() && { return std::move(tree_); }

 private:
  using Path = std::filesystem::path;

  /// The entries of a folder whose names begin so, by number and name; resolved, and none that leads out of the root.
  [[nodiscard]] std::vector<std::pair<std::string, Path>> entries(const Path& folder, std::string_view prefix);
  [[nodiscard]] std::optional<Path> resolved(const Path& path);

  /// The device of that id, added if there is none.
  std::size_t device(const std::string& id, const std::string& name, const std::string& kind,
                     const std::string& parent = {});

  /// Adds a sensor and its file, if that is there; whether it is.
  bool add(const Path& path, Sensor sensor, SysfsForm form, double factor = 1, const Path& fault = {});

  void add_error_list(const Path& path, std::size_t device, Quantity quantity, const std::string& kind);
  void add_link(const Path& folder, std::size_t device);
  void add_chip(const Path& folder, const std::string& entry);
  void add_power_zone(const Path& folder, const std::string& id);
  void note_if_none(std::size_t before, const std::string& what);

  Path root_;
  SysfsTree tree_;
  std::map<std::string, std::size_t> positions_;  ///< of devices, by id
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/detail/sysfs_finder.ipp"
#endif
