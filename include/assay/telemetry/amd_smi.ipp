#pragma once

#include "assay/telemetry/amd_smi.hpp"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/telemetry/detail/amd_smi_interface.hpp"
#include "assay/telemetry/detail/asked_library.hpp"
#include "assay/telemetry/throttle_reason.hpp"

namespace assay::inline v0 {

namespace detail {

class AmdSmi final : public AskedLibrary {
 public:
  explicit AmdSmi(const SharedLibrary& library) {
    library.find(call_.init, "amdsmi_init");
    library.find(call_.get_lib_version, "amdsmi_get_lib_version");
    library.find(call_.status_code_to_string, "amdsmi_status_code_to_string");
    library.find(call_.get_socket_handles, "amdsmi_get_socket_handles");
    library.find(call_.get_processor_handles, "amdsmi_get_processor_handles");
    library.find(call_.get_gpu_device_bdf, "amdsmi_get_gpu_device_bdf");
    library.find(call_.get_temp_metric, "amdsmi_get_temp_metric");
    library.find(call_.get_power_info, "amdsmi_get_power_info");
    library.find(call_.get_power_cap_info, "amdsmi_get_power_cap_info");
    library.find(call_.get_energy_count, "amdsmi_get_energy_count");
    library.find(call_.get_clock_info, "amdsmi_get_clock_info");
    library.find(call_.get_gpu_total_ecc_count, "amdsmi_get_gpu_total_ecc_count");
    library.find(call_.get_violation_status, "amdsmi_get_violation_status");
  }

  [[nodiscard]] static Result<std::unique_ptr<VendorLibrary>> open(const std::string& path) {
    const auto library =
        SharedLibrary::open(path, {"libamd_smi.so", "libamd_smi.so.26", "libamd_smi.so.25", "libamd_smi.so.24"});
    if (!library) return library.propagate();
    auto self = std::make_unique<AmdSmi>(library.value());
    const amd_smi::Functions& own = self->call_;
    if (own.init == nullptr || own.get_socket_handles == nullptr || own.get_processor_handles == nullptr)
      return failure(ErrorKind::unsupported, "libamd_smi.so lacks amdsmi_init or what finds devices; it is not AMD's");
    if (const Status code = own.init(amd_smi::init_gpus); code != amd_smi::success)
      return failure(ErrorKind::unsupported,
                     "amdsmi_init: " + self->text_of(code) + "; is AMD's driver (amdgpu) loaded?");
    amd_smi::Version version{};
    if (own.get_lib_version != nullptr && own.get_lib_version(&version) == amd_smi::success)
      self->version_ = version.first;
    std::uint32_t sockets = 0;
    if (const Status code = own.get_socket_handles(&sockets, nullptr); code != amd_smi::success)
      return failure(ErrorKind::device, "amdsmi_get_socket_handles: " + self->text_of(code));
    std::vector<amd_smi::Handle> handles(sockets);
    if (sockets > 0 && own.get_socket_handles(&sockets, handles.data()) != amd_smi::success) handles.clear();
    for (amd_smi::Handle socket : handles) {
      std::uint32_t count = 0;
      if (own.get_processor_handles(socket, &count, nullptr) != amd_smi::success) continue;
      std::vector<amd_smi::Handle> processors(count);
      if (count == 0 || own.get_processor_handles(socket, &count, processors.data()) != amd_smi::success) continue;
      for (amd_smi::Handle processor : processors) self->add_device(processor);
    }
    return std::unique_ptr<VendorLibrary>(std::move(self));
  }

 private:
  using Status = amd_smi::Status;

  [[nodiscard]] std::string text_of(Status code) const {
    const char* text = nullptr;
    if (call_.status_code_to_string != nullptr) static_cast<void>(call_.status_code_to_string(code, &text));
    return std::string(text != nullptr ? text : "error") + " (" + std::to_string(code) + ")";
  }
  [[nodiscard]] LibraryAnswer refused(Status code) const {
    const bool unsupported = code == amd_smi::not_supported || code == amd_smi::not_yet_implemented ||
                             code == amd_smi::no_data || code == amd_smi::file_not_found;
    const ReadingState state = unsupported                  ? ReadingState::unsupported
                               : code == amd_smi::not_found ? ReadingState::lost
                                                            : ReadingState::failed;
    return LibraryAnswer::none(state, text_of(code));
  }
  [[nodiscard]] static LibraryAnswer lacking() {
    return LibraryAnswer::none(ReadingState::unsupported, "this version of the library does not have the function");
  }
  [[nodiscard]] LibraryAnswer unknown_layout() const {
    return LibraryAnswer::none(
        ReadingState::unsupported,
        "version " + std::to_string(version_) + " of the library may lay this out in another way than 24");
  }
  template <class Value>
  [[nodiscard]] static bool is_none(Value value) {
    return value == std::numeric_limits<Value>::max() || (sizeof(Value) > 2 && value == 0xFFFF) ||
           (sizeof(Value) > 4 && value == 0xFFFFFFFFu);
  }
  template <class Value>
  [[nodiscard]] static LibraryAnswer gauge(Value value, double factor) {
    if (is_none(value))
      return LibraryAnswer::none(ReadingState::unsupported,
                                 "the library answers with all bits set, its form of no value");
    return LibraryAnswer::of(static_cast<double>(value) * factor);
  }
  [[nodiscard]] static LibraryAnswer counter(std::uint64_t count) {
    if (count == std::numeric_limits<std::uint64_t>::max())
      return LibraryAnswer::none(ReadingState::unsupported,
                                 "the library answers with all bits set, its form of no value");
    return LibraryAnswer::counted(count);
  }

  void add_device(amd_smi::Handle device) {
    std::uint64_t location = 0;
    char address[32] = "";
    if (call_.get_gpu_device_bdf != nullptr && call_.get_gpu_device_bdf(device, &location) == amd_smi::success)
      std::snprintf(address, sizeof address, "%04x:%02x:%02x.%x", static_cast<unsigned>(location >> 16 & 0xFFFFFFFF),
                    static_cast<unsigned>(location >> 8 & 0xFF), static_cast<unsigned>(location >> 3 & 0x1F),
                    static_cast<unsigned>(location & 7));
    devices_.push_back({address[0] != '\0' ? std::string("pci/") + address : "gpu/" + std::to_string(devices_.size()),
                        "AMD GPU", "gpu", ""});
    add({0, Quantity::power, "", "", 1, {}, false}, [this, device] {
      if (call_.get_power_info == nullptr) return lacking();
      if (version_ != 24) return unknown_layout();
      amd_smi::PowerInfo power{};
      const Status code = call_.get_power_info(device, &power);
      if (code != amd_smi::success) return refused(code);
      // MI300 tells the one, MI200 the other.
      return gauge(is_none(power.current_socket_power) ? power.average_socket_power : power.current_socket_power, 1);
    });
    std::uint64_t count = 0, time = 0;
    float resolution = 0;
    if (call_.get_energy_count != nullptr)
      static_cast<void>(call_.get_energy_count(device, &count, &resolution, &time));
    add({0, Quantity::energy, "", "", (resolution > 0 ? static_cast<double>(resolution) : 1) * 1e-6, {}, false},
        [this, device] {
          std::uint64_t energy = 0, at = 0;
          float each = 0;
          if (call_.get_energy_count == nullptr) return lacking();
          const Status code = call_.get_energy_count(device, &energy, &each, &at);
          return code != amd_smi::success ? refused(code) : counter(energy);
        });
    for (const bool enforced : {true, false})
      add({0, Quantity::power_limit, "", enforced ? "enforced" : "default", 1, {}, true}, [this, device, enforced] {
        amd_smi::PowerCapInfo cap{};
        if (call_.get_power_cap_info == nullptr) return lacking();
        const Status code = call_.get_power_cap_info(device, 0, &cap);
        return code != amd_smi::success ? refused(code) : gauge(enforced ? cap.power_cap : cap.default_power_cap, 1e-6);
      });
    const std::pair<const char*, int> places[] = {{"edge", 0}, {"junction", 1}, {"memory", 2}};
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
              std::int64_t degrees = 0;
              if (call_.get_temp_metric == nullptr) return lacking();
              const Status code = call_.get_temp_metric(
                  device, type, limit ? amd_smi::temperature_critical : amd_smi::temperature_current, &degrees);
              if (code != amd_smi::success) return refused(code);
              if (degrees < -273 || degrees > 1000)
                return LibraryAnswer::none(ReadingState::unsupported,
                                           "the library answers " + std::to_string(degrees) + " °C, which is none");
              return LibraryAnswer::of(static_cast<double>(degrees));
            });
    for (const bool memory : {false, true})
      add({0, Quantity::clock, memory ? "memory" : "gfx", "", 1, {}, false}, [this, device, memory] {
        amd_smi::ClockInfo clock{};
        if (call_.get_clock_info == nullptr) return lacking();
        const Status code = call_.get_clock_info(device, memory ? amd_smi::clock_memory : amd_smi::clock_gfx, &clock);
        return code != amd_smi::success ? refused(code) : gauge(clock.clk, 1e6);
      });
    add({0, Quantity::throttle_reasons, "", "", 1, {}, false}, [this, device] { return violations(device); });
    for (const bool corrected : {true, false})
      add({0, corrected ? Quantity::corrected_errors : Quantity::uncorrected_errors, "", "", 1, {}, true},
          [this, device, corrected] {
            amd_smi::ErrorCount errors{};
            if (call_.get_gpu_total_ecc_count == nullptr) return lacking();
            const Status code = call_.get_gpu_total_ecc_count(device, &errors);
            return code != amd_smi::success
                       ? refused(code)
                       : counter(corrected ? errors.correctable_count : errors.uncorrectable_count);
          });
  }

  [[nodiscard]] LibraryAnswer violations(amd_smi::Handle device) const {
    if (call_.get_violation_status == nullptr) return lacking();
    if (version_ != 24) return unknown_layout();
    amd_smi::ViolationStatus status{};
    const Status code = call_.get_violation_status(device, &status);
    if (code != amd_smi::success) return refused(code);
    const std::pair<std::uint8_t, ThrottleReason> active[] = {{status.prochot, ThrottleReason::processor_hot},
                                                              {status.package_power, ThrottleReason::power_cap},
                                                              {status.socket, ThrottleReason::socket_thermal},
                                                              {status.regulator, ThrottleReason::regulator_thermal},
                                                              {status.memory, ThrottleReason::memory_thermal}};
    std::uint64_t flags = 0;
    bool any = false;
    for (const auto& [value, reason] : active) {
      any = any || value != 0xFF;
      if (value == 1) flags |= static_cast<std::uint64_t>(reason);
    }
    if (!any) return LibraryAnswer::none(ReadingState::unsupported, "the device tells no violation");
    return LibraryAnswer::counted(flags);
  }

  amd_smi::Functions call_;
  std::uint32_t version_ = 0;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::unique_ptr<VendorLibrary>> open_amd_smi(const std::string& path) {
  return detail::AmdSmi::open(path);
}

}  // namespace assay::inline v0
