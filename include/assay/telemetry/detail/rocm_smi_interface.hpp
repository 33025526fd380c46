#pragma once

#include <cstddef>
#include <cstdint>

/// What we use of ROCm SMI, declared by ourselves after AMD's rocm_smi.h (5.2.3).
namespace assay::inline v0::detail::rocm_smi {

using Status = int;

struct ErrorCount {
  std::uint64_t correctable_err, uncorrectable_err;
  std::uint64_t reserved[8];  ///< later versions may write more
};

struct Functions {
  Status (*init)(std::uint64_t) = nullptr;
  Status (*status_string)(Status, const char**) = nullptr;
  Status (*num_monitor_devices)(std::uint32_t*) = nullptr;
  Status (*dev_unique_id_get)(std::uint32_t, std::uint64_t*) = nullptr;
  Status (*dev_name_get)(std::uint32_t, char*, std::size_t) = nullptr;
  Status (*dev_pci_id_get)(std::uint32_t, std::uint64_t*) = nullptr;
  Status (*dev_power_ave_get)(std::uint32_t, std::uint32_t, std::uint64_t*) = nullptr;
  Status (*dev_power_cap_get)(std::uint32_t, std::uint32_t, std::uint64_t*) = nullptr;
  Status (*dev_temp_metric_get)(std::uint32_t, std::uint32_t, int, std::int64_t*) = nullptr;
  Status (*dev_energy_count_get)(std::uint32_t, std::uint64_t*, float*, std::uint64_t*) = nullptr;
  Status (*dev_ecc_count_get)(std::uint32_t, std::uint64_t, ErrorCount*) = nullptr;
  Status (*dev_pci_replay_counter_get)(std::uint32_t, std::uint64_t*) = nullptr;
  Status (*dev_busy_percent_get)(std::uint32_t, std::uint32_t*) = nullptr;
};

inline constexpr Status success = 0, not_supported = 2, file_error = 3, permission = 4, init_error = 8,
                        not_yet_implemented = 9, not_found = 10, no_data = 14;
/// Of temperatures: the value now, and the critical limit.
inline constexpr int temperature_current = 0, temperature_critical = 5;
inline constexpr std::uint64_t block_memory = 1;  ///< UMC

}  // namespace assay::inline v0::detail::rocm_smi
