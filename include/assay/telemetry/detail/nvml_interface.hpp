#pragma once

#include <cstddef>

/// What we use of NVML, declared by ourselves after NVIDIA's nvml.h, so that neither the header nor the library is needed
/// to compile. tests/telemetry/nvml_header.py compares every declaration with NVIDIA's where that can be had.
namespace assay::inline v0::detail::nvml {

using Return = int;
using Device = void*;

// NOLINTBEGIN: names and layouts are NVIDIA's
struct PciInfo {
  char busIdLegacy[16];
  unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[32];
};

struct FieldValue {
  unsigned fieldId, scopeId;
  long long timestamp, latencyUsec;
  int valueType;
  Return nvmlReturn;
  union {
    double dVal;
    int siVal;
    unsigned uiVal;
    unsigned long ulVal;
    unsigned long long ullVal;
    long long sllVal;
    unsigned short usVal;
  } value;
};

struct MarginTemperature {
  unsigned version;
  int marginTemperature;
};

struct Utilization {
  unsigned gpu, memory;
};

struct ViolationTime {
  unsigned long long referenceTime, violationTime;
};
// NOLINTEND

static_assert(sizeof(PciInfo) == 68 && sizeof(FieldValue) == 40 && sizeof(MarginTemperature) == 8);

/// The functions; null where the library does not have one.
struct Functions {
  Return (*Init_v2)() = nullptr;
  Return (*Shutdown)() = nullptr;
  const char* (*ErrorString)(Return) = nullptr;
  Return (*DeviceGetCount_v2)(unsigned*) = nullptr;
  Return (*DeviceGetHandleByIndex_v2)(unsigned, Device*) = nullptr;
  Return (*DeviceGetName)(Device, char*, unsigned) = nullptr;
  Return (*DeviceGetUUID)(Device, char*, unsigned) = nullptr;
  Return (*DeviceGetPciInfo_v3)(Device, PciInfo*) = nullptr;
  Return (*DeviceGetPowerUsage)(Device, unsigned*) = nullptr;
  Return (*DeviceGetEnforcedPowerLimit)(Device, unsigned*) = nullptr;
  Return (*DeviceGetPowerManagementDefaultLimit)(Device, unsigned*) = nullptr;
  Return (*DeviceGetTotalEnergyConsumption)(Device, unsigned long long*) = nullptr;
  Return (*DeviceGetTemperature)(Device, int, unsigned*) = nullptr;
  Return (*DeviceGetTemperatureThreshold)(Device, int, unsigned*) = nullptr;
  Return (*DeviceGetMarginTemperature)(Device, MarginTemperature*) = nullptr;
  Return (*DeviceGetClockInfo)(Device, int, unsigned*) = nullptr;
  Return (*DeviceGetMaxClockInfo)(Device, int, unsigned*) = nullptr;
  Return (*DeviceGetCurrentClocksEventReasons)(Device, unsigned long long*) = nullptr;
  Return (*DeviceGetCurrentClocksThrottleReasons)(Device, unsigned long long*) = nullptr;
  Return (*DeviceGetViolationStatus)(Device, int, ViolationTime*) = nullptr;
  Return (*DeviceGetTotalEccErrors)(Device, int, int, unsigned long long*) = nullptr;
  Return (*DeviceGetRemappedRows)(Device, unsigned*, unsigned*, unsigned*, unsigned*) = nullptr;
  Return (*DeviceGetRetiredPages)(Device, int, unsigned*, unsigned long long*) = nullptr;
  Return (*DeviceGetPcieReplayCounter)(Device, unsigned*) = nullptr;
  Return (*DeviceGetCurrPcieLinkWidth)(Device, unsigned*) = nullptr;
  Return (*DeviceGetCurrPcieLinkGeneration)(Device, unsigned*) = nullptr;
  Return (*DeviceGetMaxPcieLinkWidth)(Device, unsigned*) = nullptr;
  Return (*DeviceGetMaxPcieLinkGeneration)(Device, unsigned*) = nullptr;
  Return (*DeviceGetNvLinkState)(Device, unsigned, int*) = nullptr;
  Return (*DeviceGetUtilizationRates)(Device, Utilization*) = nullptr;
  Return (*DeviceGetFanSpeed)(Device, unsigned*) = nullptr;
  Return (*DeviceGetFieldValues)(Device, int, FieldValue*) = nullptr;
};

// Return codes of which more is to be known than their text.
inline constexpr Return success = 0, not_supported = 3, not_found = 6, insufficient_size = 7, function_not_found = 13,
                        gpu_is_lost = 15, deprecated = 26, gpu_not_found = 28;

// Identifiers of fields.
inline constexpr unsigned memory_temperature = 82, power_instant = 186, software_thermal_time = 269,
                          hardware_thermal_time = 270, power_brake_time = 271, recovery_action = 230;

// Types of a field's value.
inline constexpr int type_double = 0, type_unsigned = 1, type_unsigned_long = 2, type_unsigned_long_long = 3,
                     type_signed_long_long = 4, type_signed = 5, type_unsigned_short = 6;

}  // namespace assay::inline v0::detail::nvml
