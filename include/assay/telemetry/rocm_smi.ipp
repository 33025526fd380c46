#pragma once

#include "assay/telemetry/rocm_smi.hpp"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/telemetry/detail/asked_library.hpp"
#include "assay/telemetry/detail/rocm_smi_interface.hpp"

namespace assay::inline v0 {

namespace detail {

class RocmSmi final : public AskedLibrary {
 public:
  explicit RocmSmi(const SharedLibrary& library) {
    library.find(call_.init, "rsmi_init");
    library.find(call_.status_string, "rsmi_status_string");
    library.find(call_.num_monitor_devices, "rsmi_num_monitor_devices");
    library.find(call_.dev_unique_id_get, "rsmi_dev_unique_id_get");
    library.find(call_.dev_name_get, "rsmi_dev_name_get");
    library.find(call_.dev_pci_id_get, "rsmi_dev_pci_id_get");
    library.find(call_.dev_power_ave_get, "rsmi_dev_power_ave_get");
    library.find(call_.dev_power_cap_get, "rsmi_dev_power_cap_get");
    library.find(call_.dev_temp_metric_get, "rsmi_dev_temp_metric_get");
    library.find(call_.dev_energy_count_get, "rsmi_dev_energy_count_get");
    library.find(call_.dev_ecc_count_get, "rsmi_dev_ecc_count_get");
    library.find(call_.dev_pci_replay_counter_get, "rsmi_dev_pci_replay_counter_get");
    library.find(call_.dev_busy_percent_get, "rsmi_dev_busy_percent_get");
  }

  [[nodiscard]] static Result<std::unique_ptr<VendorLibrary>> open(const std::string& path) {
    const auto library = SharedLibrary::open(path, {"librocm_smi64.so.7", "librocm_smi64.so.6", "librocm_smi64.so.5",
                                                    "librocm_smi64.so.1", "librocm_smi64.so"});
    if (!library) return library.propagate();
    auto self = std::make_unique<RocmSmi>(library.value());
    const rocm_smi::Functions& own = self->call_;
    if (own.init == nullptr || own.num_monitor_devices == nullptr)
      return failure(ErrorKind::unsupported, "librocm_smi64.so lacks rsmi_init; it is not AMD's");
    if (const rocm_smi::Status code = own.init(0); code != rocm_smi::success)
      return failure(ErrorKind::unsupported,
                     "rsmi_init: " + self->text_of(code) + "; is AMD's driver (amdgpu) loaded?");
    std::uint32_t count = 0;
    if (const rocm_smi::Status code = own.num_monitor_devices(&count); code != rocm_smi::success)
      return failure(ErrorKind::device, "rsmi_num_monitor_devices: " + self->text_of(code));
    for (std::uint32_t device = 0; device < count; ++device) self->add_device(device);
    return std::unique_ptr<VendorLibrary>(std::move(self));
  }

 private:
  using Status = rocm_smi::Status;
  static constexpr std::uint64_t none64 = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] std::string text_of(Status code) const {
    const char* text = nullptr;
    if (call_.status_string != nullptr) static_cast<void>(call_.status_string(code, &text));
    return std::string(text != nullptr ? text : "error") + " (" + std::to_string(code) + ")";
  }

  [[nodiscard]] LibraryAnswer refused(Status code) const {
    const bool unsupported = code == rocm_smi::not_supported || code == rocm_smi::not_yet_implemented ||
                             code == rocm_smi::not_found || code == rocm_smi::file_error || code == rocm_smi::no_data;
    return LibraryAnswer::none(unsupported ? ReadingState::unsupported : ReadingState::failed, text_of(code));
  }
  [[nodiscard]] static LibraryAnswer lacking() {
    return LibraryAnswer::none(ReadingState::unsupported, "this version of the library does not have the function");
  }
  [[nodiscard]] static LibraryAnswer blank() {
    return LibraryAnswer::none(ReadingState::unsupported,
                               "the library answers with all bits set, its form of no value");
  }

  void add_device(std::uint32_t device) {
    std::uint64_t location = 0;
    char name[128] = "", address[32] = "";
    if (call_.dev_pci_id_get != nullptr && call_.dev_pci_id_get(device, &location) == rocm_smi::success)
      std::snprintf(address, sizeof address, "%04x:%02x:%02x.%x", static_cast<unsigned>(location >> 32),
                    static_cast<unsigned>(location >> 8 & 0xFF), static_cast<unsigned>(location >> 3 & 0x1F),
                    static_cast<unsigned>(location & 7));
    if (call_.dev_name_get != nullptr) static_cast<void>(call_.dev_name_get(device, name, sizeof name - 1));
    devices_.push_back(
        {address[0] != '\0' ? std::string("pci/") + address : "gpu/" + std::to_string(device), name, "gpu", ""});

    // A die whose energy never counts is a secondary one, as AMD's own tool tells them.
    std::uint64_t energy = 0, time = 0;
    float resolution = 0;
    const bool has_energy = call_.dev_energy_count_get != nullptr &&
                            call_.dev_energy_count_get(device, &energy, &resolution, &time) == rocm_smi::success;
    const bool secondary = has_energy && energy == 0;
    const auto of_primary = [] {
      return LibraryAnswer::none(ReadingState::unsupported, "a secondary die: the primary one tells the power of both");
    };
    const auto add_power = [&](Sensor sensor, std::function<LibraryAnswer()> how) {
      if (secondary)
        add(std::move(sensor), of_primary);
      else
        add(std::move(sensor), std::move(how));
    };
    add_power({0, Quantity::power, "", "", 1, {}, false}, [this, device] {
      std::uint64_t microwatts = 0;
      if (call_.dev_power_ave_get == nullptr) return lacking();
      const Status code = call_.dev_power_ave_get(device, 0, &microwatts);
      if (code != rocm_smi::success) return refused(code);
      return microwatts == none64 ? blank() : LibraryAnswer::of(static_cast<double>(microwatts) * 1e-6);
    });
    // Counts are of `resolution` µJ each.
    const double scale = resolution > 0 ? static_cast<double>(resolution) * 1e-6 : 1e-6;
    add_power({0, Quantity::energy, "", "", scale, {}, false}, [this, device] {
      std::uint64_t count = 0, at = 0;
      float each = 0;
      if (call_.dev_energy_count_get == nullptr) return lacking();
      const Status code = call_.dev_energy_count_get(device, &count, &each, &at);
      if (code != rocm_smi::success) return refused(code);
      return count == none64 ? blank() : LibraryAnswer::counted(count);
    });
    add_power({0, Quantity::power_limit, "", "enforced", 1, {}, true}, [this, device] {
      std::uint64_t microwatts = 0;
      if (call_.dev_power_cap_get == nullptr) return lacking();
      const Status code = call_.dev_power_cap_get(device, 0, &microwatts);
      if (code != rocm_smi::success) return refused(code);
      return microwatts == none64 ? blank() : LibraryAnswer::of(static_cast<double>(microwatts) * 1e-6);
    });
    const std::pair<const char*, std::uint32_t> places[] = {{"edge", 0}, {"junction", 1}, {"memory", 2}};
    for (const auto& [place, type] : places)
      for (const bool limit : {false, true})
        add({0,
             limit ? Quantity::temperature_limit : Quantity::temperature,
             place,
             limit ? "critical" : "",
             1,
             {},
             limit},
            [this, device, limit, type = type] {
              std::int64_t millidegrees = 0;
              if (call_.dev_temp_metric_get == nullptr) return lacking();
              const Status code = call_.dev_temp_metric_get(
                  device, type, limit ? rocm_smi::temperature_critical : rocm_smi::temperature_current, &millidegrees);
              if (code != rocm_smi::success) return refused(code);
              if (millidegrees < -273150 || millidegrees > 1'000'000) return blank();
              return LibraryAnswer::of(static_cast<double>(millidegrees) * 1e-3);
            });
    for (const bool corrected : {true, false})
      add({0, corrected ? Quantity::corrected_errors : Quantity::uncorrected_errors, "memory", "", 1, {}, true},
          [this, device, corrected] {
            rocm_smi::ErrorCount errors{};
            if (call_.dev_ecc_count_get == nullptr) return lacking();
            const Status code = call_.dev_ecc_count_get(device, rocm_smi::block_memory, &errors);
            if (code != rocm_smi::success) return refused(code);
            const std::uint64_t count = corrected ? errors.correctable_err : errors.uncorrectable_err;
            return count == none64 ? blank() : LibraryAnswer::counted(count);
          });
    add({0, Quantity::link_replays, "pcie", "", 1, {}, true}, [this, device] {
      std::uint64_t count = 0;
      if (call_.dev_pci_replay_counter_get == nullptr) return lacking();
      const Status code = call_.dev_pci_replay_counter_get(device, &count);
      if (code != rocm_smi::success) return refused(code);
      return count == none64 ? blank() : LibraryAnswer::counted(count);
    });
    add({0, Quantity::utilization, "", "", 1, {}, false}, [this, device] {
      std::uint32_t percent = 0;
      if (call_.dev_busy_percent_get == nullptr) return lacking();
      const Status code = call_.dev_busy_percent_get(device, &percent);
      if (code != rocm_smi::success) return refused(code);
      return percent > 100 ? blank() : LibraryAnswer::of(percent / 100.0);
    });
  }

  rocm_smi::Functions call_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::unique_ptr<VendorLibrary>> open_rocm_smi(const std::string& path) {
  return detail::RocmSmi::open(path);
}

}  // namespace assay::inline v0
