#pragma once

#include <cstdint>

/// What we use of AMD SMI, declared by ourselves after AMD's amdsmi.h of version 24.7. Structures are longer here than
/// there, since other versions may write more.
namespace assay::inline v0::detail::amd_smi {

using Status = unsigned;
using Handle = void*;

struct Version {
  std::uint32_t first;  ///< the year up to version 24, the major version from 25 on: the same numbers go on
  std::uint32_t rest[3];
  const char* build;
  std::uint64_t reserved[8];
};

/// Of version 24 only: later ones begin with a number of 64 bits.
struct PowerInfo {
  std::uint32_t current_socket_power, average_socket_power, gfx_voltage, soc_voltage, mem_voltage, power_limit;
  std::uint32_t reserved[64];
};

struct PowerCapInfo {
  std::uint64_t power_cap, default_power_cap;
  std::uint64_t reserved[32];
};

struct ClockInfo {
  std::uint32_t clk, min_clk, max_clk;
  std::uint32_t reserved[32];
};

struct ErrorCount {
  std::uint64_t correctable_count, uncorrectable_count, deferred_count;
  std::uint64_t reserved[32];
};

/// Of version 24.7; older libraries do not have the function.
struct ViolationStatus {
  std::uint64_t times[2], accumulated[6], percent[5];
  std::uint8_t prochot, package_power, socket, regulator, memory;
  std::uint64_t reserved[512];
};

struct Functions {
  Status (*init)(std::uint64_t) = nullptr;
  Status (*get_lib_version)(Version*) = nullptr;
  Status (*status_code_to_string)(Status, const char**) = nullptr;
  Status (*get_socket_handles)(std::uint32_t*, Handle*) = nullptr;
  Status (*get_processor_handles)(Handle, std::uint32_t*, Handle*) = nullptr;
  Status (*get_gpu_device_bdf)(Handle, std::uint64_t*) = nullptr;
  Status (*get_temp_metric)(Handle, int, int, std::int64_t*) = nullptr;
  Status (*get_power_info)(Handle, PowerInfo*) = nullptr;
  Status (*get_power_cap_info)(Handle, std::uint32_t, PowerCapInfo*) = nullptr;
  Status (*get_energy_count)(Handle, std::uint64_t*, float*, std::uint64_t*) = nullptr;
  Status (*get_clock_info)(Handle, int, ClockInfo*) = nullptr;
  Status (*get_gpu_total_ecc_count)(Handle, ErrorCount*) = nullptr;
  Status (*get_violation_status)(Handle, ViolationStatus*) = nullptr;
};

inline constexpr Status success = 0, not_supported = 2, not_yet_implemented = 3, not_found = 31, no_data = 40,
                        file_not_found = 52;
inline constexpr std::uint64_t init_gpus = 2;
inline constexpr int clock_gfx = 0, clock_memory = 4;
inline constexpr int temperature_current = 0, temperature_critical = 5;

}  // namespace assay::inline v0::detail::amd_smi
