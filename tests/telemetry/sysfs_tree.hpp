#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace assay::testing {

/// A copy of /sys in a folder: what Linux shows of a server with two packages, an accelerator behind a port, memory
/// with ECC. Names and forms are those of the kernel's documentation.
class SysfsTreeMaker {
 public:
  explicit SysfsTreeMaker(std::filesystem::path root) : root_(std::move(root)) {}

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  void link(const std::string& path, const std::string& target) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::filesystem::create_directory_symlink(target, root_ / path);
  }
  void remove(const std::string& path) const { std::filesystem::remove_all(root_ / path); }
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

  /// Two packages of coretemp, of one name.
  void processors() const {
    for (int package = 0; package < 2; ++package) {
      const std::string device = "devices/platform/coretemp." + std::to_string(package),
                        chip = device + "/hwmon/hwmon" + std::to_string(package);
      write(chip + "/name", "coretemp");
      write(chip + "/temp1_label", "Package id " + std::to_string(package));
      write(chip + "/temp1_input", std::to_string(55000 + 1000 * package));
      write(chip + "/temp1_max", "84000");
      write(chip + "/temp1_crit", "100000");
      write(chip + "/temp2_label", "Core 0");
      write(chip + "/temp2_input", "-5000");
      link(chip + "/device", "../../../coretemp." + std::to_string(package));
      link("class/hwmon/hwmon" + std::to_string(package), "../../" + chip);
      const std::string zone = "devices/virtual/powercap/intel-rapl/intel-rapl:" + std::to_string(package);
      write(zone + "/name", "package-" + std::to_string(package));
      write(zone + "/energy_uj", std::to_string(240422366267 + package));
      write(zone + "/max_energy_range_uj", "262143328850");
      write(zone + "/constraint_0_name", "long_term");
      write(zone + "/constraint_0_power_limit_uw", "165000000");
      write(zone + "/constraint_0_max_power_uw", "165000000");
      write(zone + "/constraint_1_name", "short_term");
      write(zone + "/constraint_1_power_limit_uw", "198000000");
      link("class/powercap/intel-rapl:" + std::to_string(package), "../../" + zone);
    }
    const std::string part = "devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0";
    write(part + "/name", "dram");
    write(part + "/energy_uj", "118821284256");
    write(part + "/max_energy_range_uj", "262143328850");
    link("class/powercap/intel-rapl:0:0", "../../" + part);
    for (int cpu = 0; cpu < 4; ++cpu) {  // two cores of two threads in package 0
      const std::string own = "devices/system/cpu/cpu" + std::to_string(cpu);
      write(own + "/topology/physical_package_id", "0");
      write(own + "/topology/core_id", std::to_string(cpu % 2));
      write(own + "/cpufreq/scaling_cur_freq", std::to_string(1219917 + cpu));
      write(own + "/cpufreq/scaling_max_freq", "3700000");
      write(own + "/cpufreq/scaling_min_freq", "800000");
      write(own + "/cpufreq/cpuinfo_max_freq", "3700000");
      write(own + "/cpufreq/cpuinfo_min_freq", "800000");
      write(own + "/cpufreq/cpuinfo_transition_latency", "0");  // this and what follows: for other readers
      write(own + "/cpufreq/related_cpus", std::to_string(cpu));
      write(own + "/cpufreq/scaling_available_governors", "performance powersave");
      write(own + "/cpufreq/scaling_driver", "intel_pstate");
      write(own + "/cpufreq/scaling_governor", "powersave");
      write(own + "/cpufreq/scaling_setspeed", "<unsupported>");
      write(own + "/thermal_throttle/core_throttle_count", std::to_string(5 * (cpu % 2)));
      write(own + "/thermal_throttle/package_throttle_count", "30");
    }
  }

  void thermal_zone() const {
    const std::string zone = "devices/virtual/thermal/thermal_zone0";
    write(zone + "/type", "x86_pkg_temp");
    write(zone + "/temp", "49925");
    write(zone + "/policy", "step_wise");
    write(zone + "/trip_point_0_type", "passive");
    write(zone + "/trip_point_0_temp", "95000");
    write(zone + "/trip_point_1_type", "passive");
    write(zone + "/trip_point_1_temp", "0");
    link("class/thermal/thermal_zone0", "../../" + zone);
  }

  void memory() const {
    const std::string controller = "devices/system/edac/mc/mc0";
    write(controller + "/mc_name", "Skylake Socket#0 IMC#0");
    write(controller + "/ce_count", "1");
    write(controller + "/ue_count", "5");
    write(controller + "/ce_noinfo_count", "2");
    write(controller + "/ue_noinfo_count", "6");
    write(controller + "/csrow0/ce_count", "3");
    write(controller + "/csrow0/ue_count", "4");
    write(controller + "/dimm0/dimm_label", "CPU_SrcID#0_Ha#0_Chan#0_DIMM#0");
    write(controller + "/dimm0/dimm_ce_count", "1");
    write(controller + "/dimm0/dimm_ue_count", "0");
    write("devices/system/edac/mc/power/control", "auto");  // no controller
  }

  /// An amdgpu card whose link trained to 8 of 16 lanes, behind a port that counted errors.
  void accelerator() const {
    const std::string port = "devices/pci0000:00/0000:00:03.1", card = port + "/0000:09:00.0";
    write(port + "/class", "0x060400");
    write(port + "/current_link_speed", "16.0 GT/s PCIe");
    write(port + "/current_link_width", "8");
    write(port + "/max_link_speed", "16.0 GT/s PCIe");
    write(port + "/max_link_width", "16");
    write(port + "/aer_dev_correctable", "RxErr 7\nBadTLP 2\nBadDLLP 0\nTOTAL_ERR_COR 9");
    write(port + "/aer_dev_nonfatal", "Undefined 0\nDLP 0\nTOTAL_ERR_NONFATAL 0");
    write(port + "/aer_dev_fatal", "Undefined 0\nDLP 0\nTOTAL_ERR_FATAL 0");
    write(card + "/class", "0x038000");
    write(card + "/vendor", "0x1002");
    write(card + "/device", "0x740f");
    write(card + "/current_link_speed", "16.0 GT/s PCIe");
    write(card + "/current_link_width", "8");
    write(card + "/max_link_speed", "16.0 GT/s PCIe");
    write(card + "/max_link_width", "16");
    write(card + "/aer_dev_correctable", "RxErr 0\nBadTLP 1\nTOTAL_ERR_COR 1");
    const std::string chip = card + "/hwmon/hwmon4";
    write(chip + "/name", "amdgpu");
    write(chip + "/temp1_label", "edge");
    write(chip + "/temp1_input", "45000");
    write(chip + "/temp1_crit", "100000");
    write(chip + "/temp2_label", "junction");
    write(chip + "/temp2_input", "52000");
    write(chip + "/temp2_emergency", "105000");
    write(chip + "/power1_average", "32000000");
    write(chip + "/power1_cap", "300000000");
    write(chip + "/in0_label", "vddgfx");
    write(chip + "/in0_input", "749");
    write(chip + "/fan1_input", "900");
    write(chip + "/freq1_label", "sclk");
    write(chip + "/freq1_input", "214000000");
    link(chip + "/device", "../../../0000:09:00.0");
    link("class/hwmon/hwmon4", "../../" + chip);
    link("bus/pci/devices/0000:09:00.0", "../../../" + card);
    link("bus/pci/devices/0000:00:03.1", "../../../" + port);
  }

  void whole_machine() const {
    processors();
    thermal_zone();
    memory();
    accelerator();
  }

 private:
  std::filesystem::path root_;
};

}  // namespace assay::testing
