#pragma once

#include "assay/telemetry/detail/sysfs_finder.hpp"

#include <algorithm>
#include <set>
#include <system_error>
#include <tuple>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE SysfsFinder::SysfsFinder(const std::filesystem::path& root) {
  std::error_code code;
  root_ = std::filesystem::canonical(root, code);
  if (code) root_ = root;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<std::filesystem::path> SysfsFinder::resolved(const Path& path) {
  std::error_code code;
  const Path target = std::filesystem::canonical(path, code);
  if (code) return std::nullopt;
  const std::string text = target.string(), start = root_.string();
  const bool inside = text.compare(0, start.size(), start) == 0 &&
                      (start.back() == '/' || text.size() == start.size() || text[start.size()] == '/');
  if (!inside) {
    tree_.notes.push_back("'" + path.string() + "' leads out of '" + start + "', and is left out");
    return std::nullopt;
  }
  return target;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::pair<std::string, std::filesystem::path>> SysfsFinder::entries(
    const Path& folder, std::string_view prefix) {
  std::vector<std::pair<std::string, Path>> found;
  std::error_code code;
  std::filesystem::directory_iterator entry(folder, code);
  for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    if (const auto target = resolved(entry->path())) found.emplace_back(name, *target);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.size(), a.first) < std::pair(b.first.size(), b.first);
  });
  return found;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t SysfsFinder::device(const std::string& id, const std::string& name,
                                                           const std::string& kind, const std::string& parent) {
  const auto [place, added] = positions_.try_emplace(id, tree_.devices.size());
  if (added)
    tree_.devices.push_back({id, name, kind, parent});
  else if (tree_.devices[place->second].name.empty())
    tree_.devices[place->second].name = name;
  return place->second;
}

ASSAY_DETAIL_HEADER_INLINE bool SysfsFinder::add(const Path& path, Sensor sensor, SysfsForm form, double factor,
                                                 const Path& fault) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return false;
  SysfsAttribute attribute;
  attribute.path = path;
  attribute.form = form;
  attribute.factor = factor;
  if (!fault.empty() && std::filesystem::exists(fault, code)) attribute.fault = fault;
  attribute.targets.push_back({tree_.sensors.size(), {}});
  tree_.sensors.push_back(std::move(sensor));
  tree_.attributes.push_back(std::move(attribute));
  return true;
}

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::note_if_none(std::size_t before, const std::string& what) {
  if (tree_.sensors.size() == before) tree_.notes.push_back(what);
}

// --- PCI ---------------------------------------------------------------------------------------------------------

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::add_error_list(const Path& path, std::size_t device, Quantity quantity,
                                                            const std::string& kind) {
  const auto text = small_text(path);
  if (!text) return;
  SysfsAttribute attribute;
  attribute.path = path;
  attribute.form = SysfsForm::error_list;
  const auto add_target = [&](const std::string& key) {
    Sensor sensor{device, quantity, kind + (key.empty() ? "" : " " + key), {}, 1, {}, true};
    attribute.targets.push_back({tree_.sensors.size(), key});
    tree_.sensors.push_back(std::move(sensor));
  };
  add_target({});
  for (std::size_t start = 0; start < text->size();) {
    const std::size_t end = std::min(text->find('\n', start), text->size());
    const std::string line = text->substr(start, end - start);
    start = end + 1;
    const std::size_t space = line.rfind(' ');
    if (space != line.npos && line.compare(0, 9, "TOTAL_ERR") != 0) add_target(line.substr(0, space));
  }
  tree_.attributes.push_back(std::move(attribute));
}

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::add_link(const Path& folder, std::size_t device) {
  const auto sensor = [&](Quantity quantity, bool seldom, const char* limits = "") {
    return Sensor{device, quantity, "pcie", limits, 1, {}, seldom};
  };
  add(folder / "current_link_speed", sensor(Quantity::link_speed, false), SysfsForm::link_speed);
  add(folder / "current_link_width", sensor(Quantity::link_width, false), SysfsForm::link_width);
  add(folder / "max_link_speed", sensor(Quantity::link_speed_limit, true, "max"), SysfsForm::link_speed);
  add(folder / "max_link_width", sensor(Quantity::link_width_limit, true, "max"), SysfsForm::link_width);
  add_error_list(folder / "aer_dev_correctable", device, Quantity::corrected_errors, "pcie");
  add_error_list(folder / "aer_dev_nonfatal", device, Quantity::uncorrected_errors, "pcie nonfatal");
  add_error_list(folder / "aer_dev_fatal", device, Quantity::uncorrected_errors, "pcie fatal");
}

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::find_pci(const std::vector<std::string>& classes) {
  const std::size_t before = tree_.sensors.size();
  for (const auto& [address, folder] : entries(root_ / "bus/pci/devices", "")) {
    const std::string code = small_text(folder / "class").value_or("");  // 0x030200
    const bool wanted = std::any_of(classes.begin(), classes.end(), [&](const std::string& start) {
      return code.compare(0, 2, "0x") == 0 && code.compare(2, start.size(), start) == 0;
    });
    if (!wanted) continue;
    const std::string port = folder.parent_path().filename().string();
    const bool has_port = port.find(':') != port.npos && port.find('.') != port.npos;  // not "pci0000:00"
    const std::string vendor = small_text(folder / "vendor").value_or(""),
                      chip = small_text(folder / "device").value_or("");
    if (has_port) add_link(folder.parent_path(), device("pci/" + port, "upstream port", "port"));
    add_link(folder, device("pci/" + address, "PCI " + vendor + ":" + chip,
                            code.compare(0, 4, "0x12") == 0 ? "accelerator" : "gpu", has_port ? "pci/" + port : ""));
  }
  note_if_none(before,
               "no PCI device of the classes that were asked for has a link or counts errors (bus/pci/devices)");
}

// --- hwmon -------------------------------------------------------------------------------------------------------

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::add_chip(const Path& folder, const std::string& entry) {
  const std::string name = small_text(folder / "name").value_or("");
  const auto owner = resolved(folder / "device");
  std::string id = "hwmon/" + (owner ? owner->filename().string() : (name.empty() ? entry : name + "@" + entry));
  std::string kind = "sensors";
  if (owner && positions_.count("pci/" + owner->filename().string()) > 0) {
    id = "pci/" + owner->filename().string();
    kind = "gpu";
  } else if (positions_.count(id) > 0) {
    id += "@" + entry;  // two chips of one device
  }
  // A chip keeps its values in its own folder, or, in old drivers, in its device's.
  std::error_code code;
  std::vector<Path> places{folder};
  if (owner && *owner != folder) places.push_back(*owner);
  std::optional<std::size_t> position;
  const auto own = [&] {
    if (!position) position = device(id, name, kind);
    return *position;
  };
  std::set<std::string> seen;
  for (const Path& place : places) {
    std::vector<std::string> files;
    std::filesystem::directory_iterator file(place, code);
    for (; !code && file != std::filesystem::directory_iterator(); file.increment(code))
      files.push_back(file->path().filename().string());
    std::sort(files.begin(), files.end(), [](const std::string& a, const std::string& b) {
      return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    for (const std::string& name_of_file : files) {
      const std::size_t line = name_of_file.find('_');
      if (line == name_of_file.npos || !seen.insert(name_of_file).second) continue;
      const std::string channel = name_of_file.substr(0, line), what = name_of_file.substr(line + 1);
      const std::size_t digits = channel.find_first_of("0123456789");
      if (digits == channel.npos || digits == 0 || channel.find_first_not_of("0123456789", digits) != channel.npos)
        continue;
      const std::string type = channel.substr(0, digits);
      const std::string label = small_text(place / (channel + "_label")).value_or(channel);
      const auto gauge = [&](Quantity quantity, double factor, const std::string& limits = {}, const Path& fault = {}) {
        add(place / name_of_file, Sensor{own(), quantity, label, limits, 1, {}, !limits.empty()}, SysfsForm::gauge,
            factor, fault);
      };
      const bool input = what == "input", average = what == "average";
      if (type == "temp" && input) gauge(Quantity::temperature, 1e-3, {}, place / (channel + "_fault"));
      if (type == "temp" && (what == "max" || what == "emergency")) gauge(Quantity::temperature_limit, 1e-3, what);
      if (type == "temp" && what == "crit") gauge(Quantity::temperature_limit, 1e-3, "critical");
      if (type == "power" && (input || average)) gauge(Quantity::power, 1e-6);
      if (type == "power" && what == "cap") gauge(Quantity::power_limit, 1e-6, "enforced");
      if (type == "power" && what == "cap_default") gauge(Quantity::power_limit, 1e-6, "default");
      if (type == "in" && input) gauge(Quantity::voltage, 1e-3);
      if (type == "curr" && input) gauge(Quantity::current, 1e-3);
      if (type == "fan" && input) gauge(Quantity::fan, 1);
      if (type == "freq" && input) gauge(Quantity::clock, 1);
      if (type == "energy" && input)
        add(place / name_of_file, Sensor{own(), Quantity::energy, label, {}, 1e-6, {}, false}, SysfsForm::counter);
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::find_hwmon() {
  const std::size_t before = tree_.sensors.size();
  for (const auto& [name, folder] : entries(root_ / "class/hwmon", "hwmon")) add_chip(folder, name);
  note_if_none(before, "no chip of hwmon has a sensor (class/hwmon): virtual machines have none");
}

// --- thermal zones ---------------------------------------------------------------------------------------------------

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::find_thermal_zones() {
  const std::size_t before = tree_.sensors.size();
  for (const auto& [entry, folder] : entries(root_ / "class/thermal", "thermal_zone")) {
    const std::string type = small_text(folder / "type").value_or("");
    const std::size_t zone = device("thermal/" + entry.substr(12) + "/" + type, type, "sensors");
    add(folder / "temp", Sensor{zone, Quantity::temperature, type, {}, 1, {}, false}, SysfsForm::gauge, 1e-3);
    for (int point = 0; point < 64; ++point) {
      const std::string start = "trip_point_" + std::to_string(point) + "_";
      const auto kind = small_text(folder / (start + "type")), at = small_text(folder / (start + "temp"));
      if (!kind) break;
      const auto degrees = at ? whole_number_of(*at) : std::nullopt;
      if (degrees && *degrees <= 0) continue;  // switched off
      add(folder / (start + "temp"), Sensor{zone, Quantity::temperature_limit, type, *kind, 1, {}, true},
          SysfsForm::gauge, 1e-3);
    }
  }
  note_if_none(before, "no thermal zone has a temperature (class/thermal)");
}

// --- RAPL ------------------------------------------------------------------------------------------------------------

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::add_power_zone(const Path& folder, const std::string& id) {
  Sensor energy{0, Quantity::energy, "", {}, 1e-6, {}, false};
  const auto range = small_text(folder / "max_energy_range_uj");
  if (const auto most = range ? whole_number_of(*range) : std::nullopt; most && *most > 0)
    energy.wraps_at = static_cast<std::uint64_t>(*most);
  std::error_code code;
  if (!std::filesystem::exists(folder / "energy_uj", code)) return;
  const std::size_t zone = device(id, small_text(folder / "name").value_or(""), "processor");
  energy.device = zone;
  add(folder / "energy_uj", energy, SysfsForm::counter);
  for (int constraint = 0; constraint < 8; ++constraint) {
    const std::string start = "constraint_" + std::to_string(constraint) + "_";
    const auto name = small_text(folder / (start + "name"));
    if (!name) break;
    // The long-term limit is what holds under a load that lasts.
    add(folder / (start + "power_limit_uw"),
        Sensor{zone, Quantity::power_limit, "", *name == "long_term" ? "enforced" : *name, 1, {}, true},
        SysfsForm::gauge, 1e-6);
    if (*name == "long_term")
      add(folder / (start + "max_power_uw"), Sensor{zone, Quantity::power_limit, "", "default", 1, {}, true},
          SysfsForm::gauge, 1e-6);
  }
}

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::find_rapl() {
  const std::size_t before = tree_.sensors.size();
  // "intel-rapl:0" is a package, "intel-rapl:0:1" a part of it; AMD's processors have the same names.
  for (const auto& [entry, folder] : entries(root_ / "class/powercap", "intel-rapl")) {
    const std::size_t colon = entry.find(':');
    if (colon == entry.npos) continue;
    const std::string start = entry.compare(0, colon, "intel-rapl") == 0 ? "rapl/" : entry.substr(6, colon - 6) + "/";
    std::string id = start + small_text(folder / "name").value_or(entry);
    if (entry.find(':', colon + 1) != entry.npos) {
      const auto package = small_text(root_ / "class/powercap" / entry.substr(0, entry.rfind(':')) / "name");
      id = start + package.value_or(entry.substr(0, entry.rfind(':'))) + "/" +
           small_text(folder / "name").value_or(entry);
    }
    if (positions_.count(id) > 0) id += "@" + entry;
    add_power_zone(folder, id);
  }
  note_if_none(before, "no processor tells its energy by RAPL (class/powercap)");
}

// --- EDAC ------------------------------------------------------------------------------------------------------------

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::find_edac() {
  const std::size_t before = tree_.sensors.size();
  for (const auto& [entry, folder] : entries(root_ / "devices/system/edac/mc", "mc")) {
    if (entry.size() < 3 || entry.find_first_not_of("0123456789", 2) != entry.npos) continue;
    const std::size_t controller = device("memory/" + entry, small_text(folder / "mc_name").value_or(""), "memory");
    const auto errors = [&](const Path& path, bool corrected, const std::string& name) {
      add(path,
          Sensor{
              controller, corrected ? Quantity::corrected_errors : Quantity::uncorrected_errors, name, {}, 1, {}, true},
          SysfsForm::counter);
    };
    errors(folder / "ce_count", true, "");
    errors(folder / "ue_count", false, "");
    errors(folder / "ce_noinfo_count", true, "unknown place");
    errors(folder / "ue_noinfo_count", false, "unknown place");
    std::size_t parts = 0;
    for (const char* prefix : {"dimm", "rank"})
      for (const auto& [dimm, place] : entries(folder, prefix)) {
        const std::string label = small_text(place / "dimm_label").value_or("");
        errors(place / "dimm_ce_count", true, label.empty() ? dimm : label);
        errors(place / "dimm_ue_count", false, label.empty() ? dimm : label);
        ++parts;
      }
    if (parts > 0) continue;
    for (const auto& [row, place] : entries(folder, "csrow")) {
      errors(place / "ce_count", true, row);
      errors(place / "ue_count", false, row);
    }
  }
  note_if_none(before, "no memory controller counts errors (devices/system/edac/mc): memory without ECC, or no driver");
}

// --- processors ------------------------------------------------------------------------------------------------------

ASSAY_DETAIL_HEADER_INLINE void SysfsFinder::find_processors() {
  const std::size_t before = tree_.sensors.size();
  std::set<std::pair<std::string, std::string>> cores;
  std::set<std::string> packages;
  for (const auto& [entry, folder] : entries(root_ / "devices/system/cpu", "cpu")) {
    if (entry.size() < 4 || entry.find_first_not_of("0123456789", 3) != entry.npos) continue;
    const std::string number = entry.substr(3),
                      package = small_text(folder / "topology/physical_package_id").value_or("0"),
                      core = small_text(folder / "topology/core_id").value_or(number);
    const Path clocks = folder / "cpufreq", throttle = folder / "thermal_throttle";
    std::error_code code;
    if (!std::filesystem::exists(clocks, code) && !std::filesystem::exists(throttle, code)) continue;
    const std::size_t owner = device("processor/" + package, "package " + package, "processor");
    const std::string cpu = "cpu " + number;
    add(clocks / "scaling_cur_freq", Sensor{owner, Quantity::clock, cpu, {}, 1, {}, false}, SysfsForm::gauge, 1e3);
    add(clocks / "scaling_max_freq", Sensor{owner, Quantity::clock_limit, cpu, "enforced", 1, {}, true},
        SysfsForm::gauge, 1e3);
    add(clocks / "cpuinfo_max_freq", Sensor{owner, Quantity::clock_limit, cpu, "max", 1, {}, true}, SysfsForm::gauge,
        1e3);
    const auto counts = [&](const std::string& what, const std::string& name) {
      add(throttle / (what + "_throttle_count"), Sensor{owner, Quantity::throttle_count, name, {}, 1, {}, false},
          SysfsForm::counter);
      add(throttle / (what + "_throttle_total_time_ms"),
          Sensor{owner, Quantity::throttle_time, name, {}, 1e-3, {}, false}, SysfsForm::counter);
    };
    // Threads of one core tell the same.
    if (cores.emplace(package, core).second) counts("core", "core " + core);
    if (packages.insert(package).second) counts("package", "package");
  }
  note_if_none(before, "no processor tells clocks or throttling (devices/system/cpu/cpu*/cpufreq, thermal_throttle)");
}

}  // namespace assay::inline v0::detail
