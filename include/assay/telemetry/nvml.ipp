#pragma once

#include "assay/telemetry/nvml.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/telemetry/detail/nvml_interface.hpp"
#include "assay/telemetry/detail/shared_library.hpp"

namespace assay::inline v0 {

namespace detail {

/// Numbers that say that there is none: DCGM's and NVML's blanks, and all bits set.
[[nodiscard]] constexpr bool is_blank(unsigned long long value) noexcept {
  return value >= 0x7ffffffffffffff0u;
}
[[nodiscard]] constexpr bool is_blank(unsigned value) noexcept {
  return (value >= 0x7ffffff0u && value <= 0x7fffffffu) || value == 0xffffffffu;
}

/// What one call of NVML came to.
struct NvmlAnswer {
  nvml::Return code = nvml::function_not_found;
  std::int64_t value = 0;
  bool blank = false;
};

class Nvml final : public VendorLibrary {
 public:
  [[nodiscard]] static Result<std::unique_ptr<VendorLibrary>> open(const std::string& path) {
    const auto library = SharedLibrary::open(path, {"libnvidia-ml.so.1"});
    if (!library) return library.propagate();
    auto self = std::make_unique<Nvml>(library.value());
    const nvml::Functions& own = self->call_;
    if (own.Init_v2 == nullptr || own.DeviceGetCount_v2 == nullptr || own.DeviceGetHandleByIndex_v2 == nullptr)
      return failure(
          ErrorKind::unsupported,
          "libnvidia-ml.so.1 lacks nvmlInit_v2 or what finds devices; it is older than 2013, or not NVIDIA's");
    if (const nvml::Return code = own.Init_v2(); code != nvml::success)
      return failure(ErrorKind::unsupported,
                     "nvmlInit: " + self->text_of(code) + "; is NVIDIA's driver loaded, and of the library's version?");
    unsigned count = 0;
    if (const nvml::Return code = own.DeviceGetCount_v2(&count); code != nvml::success)
      return failure(ErrorKind::device, "nvmlDeviceGetCount: " + self->text_of(code));
    for (unsigned index = 0; index < count; ++index) self->add_device(index);
    return std::unique_ptr<VendorLibrary>(std::move(self));
  }

  explicit Nvml(const SharedLibrary& library) {
    library.find(call_.Init_v2, "nvmlInit_v2");
    library.find(call_.Shutdown, "nvmlShutdown");
    library.find(call_.ErrorString, "nvmlErrorString");
    library.find(call_.DeviceGetCount_v2, "nvmlDeviceGetCount_v2");
    library.find(call_.DeviceGetHandleByIndex_v2, "nvmlDeviceGetHandleByIndex_v2");
    library.find(call_.DeviceGetName, "nvmlDeviceGetName");
    library.find(call_.DeviceGetUUID, "nvmlDeviceGetUUID");
    library.find(call_.DeviceGetPciInfo_v3, "nvmlDeviceGetPciInfo_v3");
    library.find(call_.DeviceGetPowerUsage, "nvmlDeviceGetPowerUsage");
    library.find(call_.DeviceGetEnforcedPowerLimit, "nvmlDeviceGetEnforcedPowerLimit");
    library.find(call_.DeviceGetPowerManagementDefaultLimit, "nvmlDeviceGetPowerManagementDefaultLimit");
    library.find(call_.DeviceGetTotalEnergyConsumption, "nvmlDeviceGetTotalEnergyConsumption");
    library.find(call_.DeviceGetTemperature, "nvmlDeviceGetTemperature");
    library.find(call_.DeviceGetTemperatureThreshold, "nvmlDeviceGetTemperatureThreshold");
    library.find(call_.DeviceGetMarginTemperature, "nvmlDeviceGetMarginTemperature");
    library.find(call_.DeviceGetClockInfo, "nvmlDeviceGetClockInfo");
    library.find(call_.DeviceGetMaxClockInfo, "nvmlDeviceGetMaxClockInfo");
    library.find(call_.DeviceGetCurrentClocksEventReasons, "nvmlDeviceGetCurrentClocksEventReasons");
    library.find(call_.DeviceGetCurrentClocksThrottleReasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    library.find(call_.DeviceGetViolationStatus, "nvmlDeviceGetViolationStatus");
    library.find(call_.DeviceGetTotalEccErrors, "nvmlDeviceGetTotalEccErrors");
    library.find(call_.DeviceGetRemappedRows, "nvmlDeviceGetRemappedRows");
    library.find(call_.DeviceGetRetiredPages, "nvmlDeviceGetRetiredPages");
    library.find(call_.DeviceGetPcieReplayCounter, "nvmlDeviceGetPcieReplayCounter");
    library.find(call_.DeviceGetCurrPcieLinkWidth, "nvmlDeviceGetCurrPcieLinkWidth");
    library.find(call_.DeviceGetCurrPcieLinkGeneration, "nvmlDeviceGetCurrPcieLinkGeneration");
    library.find(call_.DeviceGetMaxPcieLinkWidth, "nvmlDeviceGetMaxPcieLinkWidth");
    library.find(call_.DeviceGetMaxPcieLinkGeneration, "nvmlDeviceGetMaxPcieLinkGeneration");
    library.find(call_.DeviceGetNvLinkState, "nvmlDeviceGetNvLinkState");
    library.find(call_.DeviceGetUtilizationRates, "nvmlDeviceGetUtilizationRates");
    library.find(call_.DeviceGetFanSpeed, "nvmlDeviceGetFanSpeed");
    library.find(call_.DeviceGetFieldValues, "nvmlDeviceGetFieldValues");
  }

  Reading read(std::size_t sensor) override {
    const Sensor& described = sensors_[sensor];
    const std::int64_t now = monotonic_nanoseconds();
    if (!lost_[described.device].empty())
      return Reading::none(sensor, now, ReadingState::lost, lost_[described.device]);
    const NvmlAnswer answer = ask_[sensor].ask();
    switch (answer.code) {
      case nvml::success: break;
      case nvml::not_supported:
      case nvml::not_found:
      case nvml::function_not_found:
      case nvml::deprecated: return Reading::none(sensor, now, ReadingState::unsupported, text_of(answer.code));
      case nvml::gpu_is_lost:
      case nvml::gpu_not_found: return Reading::none(sensor, now, ReadingState::lost, text_of(answer.code));
      default: return Reading::none(sensor, now, ReadingState::failed, text_of(answer.code));
    }
    if (answer.blank)
      return Reading::none(sensor, now, ReadingState::unsupported,
                           "the library answers " + std::to_string(answer.value) + ", its form of no value");
    if (described.quantity == Quantity::temperature_limit && answer.value <= 0)
      return Reading::none(sensor, now, ReadingState::unsupported,
                           "the library answers " + std::to_string(answer.value) + ", a margin and no temperature");
    if (is_counter(described.quantity) || described.quantity == Quantity::throttle_reasons)
      return Reading::counted(sensor, now, static_cast<std::uint64_t>(answer.value), described.scale);
    return Reading::of(sensor, now, ask_[sensor].convert(static_cast<double>(answer.value)));
  }

 private:
  using Device = nvml::Device;

  struct Question {
    std::function<NvmlAnswer()> ask;
    double factor = 1;
    bool generation = false;  ///< of PCIe, to be a speed

    [[nodiscard]] double convert(double value) const {
      constexpr std::array<double, 8> speeds{0, 2.5e9, 5e9, 8e9, 16e9, 32e9, 64e9, 128e9};
      if (!generation) return value * factor;
      return value >= 1 && value < 8 ? speeds[static_cast<std::size_t>(value)] : 0;
    }
  };

  [[nodiscard]] std::string text_of(nvml::Return code) const {
    const char* const text = call_.ErrorString != nullptr ? call_.ErrorString(code) : nullptr;
    return code == nvml::function_not_found && text == nullptr
               ? "this version of the library does not have the function"
               : std::string(text != nullptr ? text : "error") + " (" + std::to_string(code) + ")";
  }

  /// A call that gives a number through its last argument.
  template <class... Parameters, class... Given>
  [[nodiscard]] static NvmlAnswer ask(nvml::Return (*function)(Parameters...), Given... given) {
    using Value = std::remove_pointer_t<std::tuple_element_t<sizeof...(Given), std::tuple<Parameters...>>>;
    NvmlAnswer answer;
    if (function == nullptr) return answer;
    Value value{};
    answer.code = function(given..., &value);
    answer.value = static_cast<std::int64_t>(value);
    if constexpr (std::is_same_v<Value, unsigned long long>) answer.blank = is_blank(value);
    if constexpr (std::is_same_v<Value, unsigned>) {
      answer.blank = is_blank(value);
      // A negative number in an unsigned place: a margin of some °C.
      if (!answer.blank && value > 0xffffff00u) answer.value = static_cast<std::int32_t>(value);
    }
    return answer;
  }

  [[nodiscard]] NvmlAnswer field(Device device, unsigned id) const {
    NvmlAnswer answer;
    if (call_.DeviceGetFieldValues == nullptr) return answer;
    nvml::FieldValue value{};
    value.fieldId = id;
    answer.code = call_.DeviceGetFieldValues(device, 1, &value);
    if (answer.code != nvml::success) return answer;
    answer.code = value.nvmlReturn;
    switch (value.valueType) {
      case nvml::type_double:
        answer.value = static_cast<std::int64_t>(value.value.dVal);
        answer.blank = !(value.value.dVal < 140737488355328.0);  // DCGM's blank, and NaN
        return answer;
      case nvml::type_unsigned: answer.value = value.value.uiVal; break;
      case nvml::type_unsigned_long: answer.value = static_cast<std::int64_t>(value.value.ulVal); break;
      case nvml::type_unsigned_long_long: answer.value = static_cast<std::int64_t>(value.value.ullVal); break;
      case nvml::type_signed_long_long: answer.value = value.value.sllVal; return answer;
      case nvml::type_signed: answer.value = value.value.siVal; return answer;
      case nvml::type_unsigned_short: answer.value = value.value.usVal; break;
      default: answer.blank = true;
    }
    answer.blank = answer.blank ||
                   (value.valueType == nvml::type_unsigned ? is_blank(value.value.uiVal)
                                                           : is_blank(static_cast<unsigned long long>(answer.value)));
    return answer;
  }

  void add(Sensor sensor, std::function<NvmlAnswer()> how, double factor = 1, bool generation = false) {
    sensor.device = devices_.size() - 1;
    sensors_.push_back(std::move(sensor));
    ask_.push_back({std::move(how), factor, generation});
  }

  void add_device(unsigned index) {
    Device device = nullptr;
    const nvml::Return code = call_.DeviceGetHandleByIndex_v2(index, &device);
    char uuid[96] = "", name[96] = "";
    nvml::PciInfo pci{};
    if (code == nvml::success) {
      if (call_.DeviceGetUUID != nullptr) static_cast<void>(call_.DeviceGetUUID(device, uuid, sizeof uuid));
      if (call_.DeviceGetName != nullptr) static_cast<void>(call_.DeviceGetName(device, name, sizeof name));
      if (call_.DeviceGetPciInfo_v3 != nullptr && call_.DeviceGetPciInfo_v3(device, &pci) != nvml::success) pci = {};
    }
    uuid[sizeof uuid - 1] = name[sizeof name - 1] = pci.busId[sizeof pci.busId - 1] = '\0';
    // "00000000:3B:00.0" is 0000:3b:00.0 to Linux.
    std::string address = pci.busId;
    if (address.size() == 16) address.erase(0, 4);
    for (char& c : address)
      if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    devices_.push_back({uuid[0] != '\0' ? "gpu/" + std::string(uuid) : "gpu/" + std::to_string(index), name, "gpu",
                        address.empty() ? "" : "pci/" + address});
    lost_.push_back(code == nvml::success ? "" : "nvmlDeviceGetHandleByIndex: " + text_of(code));
    add_often(device);
    add_seldom(device);
  }

  void add_often(Device device) {
    const nvml::Functions* const call = &call_;
    const auto sensor = [](Quantity quantity, const char* name = "", double scale = 1) {
      return Sensor{0, quantity, name, "", scale, {}, false};
    };
    add(
        sensor(Quantity::power), [=] { return ask(call->DeviceGetPowerUsage, device); }, 1e-3);
    add(
        sensor(Quantity::power, "instant"), [=, this] { return field(device, nvml::power_instant); }, 1e-3);
    add(sensor(Quantity::energy, "", 1e-3), [=] { return ask(call->DeviceGetTotalEnergyConsumption, device); });
    add(sensor(Quantity::temperature, "gpu"), [=] { return ask(call->DeviceGetTemperature, device, 0); });
    add(sensor(Quantity::temperature, "memory"), [=, this] { return field(device, nvml::memory_temperature); });
    add(sensor(Quantity::temperature_margin, "gpu"), [=] {
      nvml::MarginTemperature margin{static_cast<unsigned>(sizeof margin) | (1u << 24), 0};
      if (call->DeviceGetMarginTemperature == nullptr) return NvmlAnswer{};
      const nvml::Return code = call->DeviceGetMarginTemperature(device, &margin);
      return NvmlAnswer{code, margin.marginTemperature, false};
    });
    add(
        sensor(Quantity::clock, "sm"), [=] { return ask(call->DeviceGetClockInfo, device, 1); }, 1e6);
    add(
        sensor(Quantity::clock, "memory"), [=] { return ask(call->DeviceGetClockInfo, device, 2); }, 1e6);
    const auto reasons = call->DeviceGetCurrentClocksEventReasons != nullptr
                             ? call->DeviceGetCurrentClocksEventReasons
                             : call->DeviceGetCurrentClocksThrottleReasons;
    add(sensor(Quantity::throttle_reasons), [=] { return ask(reasons, device); });
    const std::pair<const char*, unsigned> times[] = {{"software_thermal", nvml::software_thermal_time},
                                                      {"hardware_thermal", nvml::hardware_thermal_time},
                                                      {"power_brake", nvml::power_brake_time}};
    for (const auto& [name, id] : times)
      add(sensor(Quantity::throttle_time, name, 1e-9), [=, this, id = id] { return field(device, id); });
    const std::pair<const char*, int> policies[] = {{"power_cap", 0}, {"thermal", 1}};
    for (const auto& [name, policy] : policies)
      add(sensor(Quantity::throttle_time, name, 1e-9), [=, policy = policy] {
        nvml::ViolationTime time{};
        if (call->DeviceGetViolationStatus == nullptr) return NvmlAnswer{};
        const nvml::Return code = call->DeviceGetViolationStatus(device, policy, &time);
        return NvmlAnswer{code, static_cast<std::int64_t>(time.violationTime), is_blank(time.violationTime)};
      });
    add(
        sensor(Quantity::utilization),
        [=] {
          nvml::Utilization utilization{};
          if (call->DeviceGetUtilizationRates == nullptr) return NvmlAnswer{};
          const nvml::Return code = call->DeviceGetUtilizationRates(device, &utilization);
          return NvmlAnswer{code, utilization.gpu, utilization.gpu > 100};
        },
        1e-2);
  }

  void add_seldom(Device device) {
    const nvml::Functions* const call = &call_;
    const auto sensor = [](Quantity quantity, const char* name = "", const char* limits = "") {
      return Sensor{0, quantity, name, limits, 1, {}, true};
    };
    add(
        sensor(Quantity::power_limit, "", "enforced"), [=] { return ask(call->DeviceGetEnforcedPowerLimit, device); },
        1e-3);
    add(
        sensor(Quantity::power_limit, "", "default"),
        [=] { return ask(call->DeviceGetPowerManagementDefaultLimit, device); }, 1e-3);
    const std::pair<const char*, const char*> limits[] = {
        {"gpu", "shutdown"}, {"gpu", "slowdown"}, {"memory", "max"}, {"gpu", "max"}};
    for (int threshold = 0; threshold < 4; ++threshold)
      add(sensor(Quantity::temperature_limit, limits[threshold].first, limits[threshold].second),
          [=] { return ask(call->DeviceGetTemperatureThreshold, device, threshold); });
    add(
        sensor(Quantity::clock_limit, "sm", "max"), [=] { return ask(call->DeviceGetMaxClockInfo, device, 1); }, 1e6);
    for (int kind = 0; kind < 2; ++kind)
      for (int since = 0; since < 2; ++since)
        add(sensor(kind == 0 ? Quantity::corrected_errors : Quantity::uncorrected_errors,
                   since == 0 ? "since the driver was loaded" : "in its life"),
            [=] { return ask(call->DeviceGetTotalEccErrors, device, kind, since); });
    for (int kind = 0; kind < 2; ++kind)
      add(sensor(Quantity::repaired_rows, kind == 0 ? "rows, corrected errors" : "rows, uncorrected errors"), [=] {
        unsigned rows[4] = {};
        if (call->DeviceGetRemappedRows == nullptr) return NvmlAnswer{};
        const nvml::Return code = call->DeviceGetRemappedRows(device, &rows[0], &rows[1], &rows[2], &rows[3]);
        return NvmlAnswer{code, rows[kind], is_blank(rows[kind])};
      });
    for (int cause = 0; cause < 2; ++cause)
      add(sensor(Quantity::repaired_rows, cause == 0 ? "pages, single-bit errors" : "pages, double-bit errors"), [=] {
        unsigned pages = 0;
        if (call->DeviceGetRetiredPages == nullptr) return NvmlAnswer{};
        const nvml::Return code = call->DeviceGetRetiredPages(device, cause, &pages, nullptr);
        return NvmlAnswer{code == nvml::insufficient_size ? nvml::success : code, pages, is_blank(pages)};
      });
    add(sensor(Quantity::link_replays, "pcie"), [=] { return ask(call->DeviceGetPcieReplayCounter, device); });
    add(sensor(Quantity::link_width, "pcie"), [=] { return ask(call->DeviceGetCurrPcieLinkWidth, device); });
    add(sensor(Quantity::link_width_limit, "pcie", "max"),
        [=] { return ask(call->DeviceGetMaxPcieLinkWidth, device); });
    add(
        sensor(Quantity::link_speed, "pcie"), [=] { return ask(call->DeviceGetCurrPcieLinkGeneration, device); }, 1,
        true);
    add(
        sensor(Quantity::link_speed_limit, "pcie", "max"),
        [=] { return ask(call->DeviceGetMaxPcieLinkGeneration, device); }, 1, true);
    add(
        sensor(Quantity::fan_share), [=] { return ask(call->DeviceGetFanSpeed, device); }, 1e-2);
    add(sensor(Quantity::recovery_action), [=, this] { return field(device, nvml::recovery_action); });
    if (device == nullptr) return;
    for (unsigned link = 0; link < 18; ++link) {  // those that the GPU has
      int state = 0;
      if (call->DeviceGetNvLinkState == nullptr || call->DeviceGetNvLinkState(device, link, &state) != nvml::success)
        break;
      add(sensor(Quantity::link_state, ("nvlink " + std::to_string(link)).c_str()),
          [=] { return ask(call->DeviceGetNvLinkState, device, link); });
    }
  }

  nvml::Functions call_;
  std::vector<Question> ask_;      ///< by sensor
  std::vector<std::string> lost_;  ///< by device: why it could not be opened
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::unique_ptr<VendorLibrary>> open_nvml(const std::string& path) {
  return detail::Nvml::open(path);
}

}  // namespace assay::inline v0
