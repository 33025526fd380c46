// A stand-in for libamd_smi.so: one MI300X. ASSAY_AMD_SMI is the version that it says it has (24).
#include <cstdint>
#include <cstdlib>

#include "assay/telemetry/detail/amd_smi_interface.hpp"

namespace amd_smi = assay::detail::amd_smi;
using amd_smi::Handle;
using amd_smi::Status;

#define VISIBLE __attribute__((visibility("default")))

extern "C" {

VISIBLE Status amdsmi_init(std::uint64_t) {
  return 0;
}
VISIBLE Status amdsmi_get_lib_version(amd_smi::Version* version) {
  const char* const variable = std::getenv("ASSAY_AMD_SMI");
  return version->first = variable != nullptr ? static_cast<std::uint32_t>(std::atoi(variable)) : 24, 0;
}
VISIBLE Status amdsmi_get_socket_handles(std::uint32_t* count, Handle* handles) {
  if (handles != nullptr) handles[0] = reinterpret_cast<Handle>(std::size_t{7});
  return *count = 1, 0;
}
VISIBLE Status amdsmi_get_processor_handles(Handle, std::uint32_t* count, Handle* handles) {
  if (handles != nullptr) handles[0] = reinterpret_cast<Handle>(std::size_t{8});
  return *count = 1, 0;
}
VISIBLE Status amdsmi_get_gpu_device_bdf(Handle, std::uint64_t* location) {
  return *location = 0x0c00, 0;
}
VISIBLE Status amdsmi_get_temp_metric(Handle, int place, int metric, std::int64_t* degrees) {
  if (place == 0) return 2;
  return *degrees = metric == 0 ? 55 + place : 100, 0;
}
VISIBLE Status amdsmi_get_power_info(Handle, amd_smi::PowerInfo* power) {
  power->current_socket_power = 742;
  power->average_socket_power = 0xFFFF;
  return 0;
}
VISIBLE Status amdsmi_get_power_cap_info(Handle, std::uint32_t, amd_smi::PowerCapInfo* cap) {
  return cap->power_cap = 750'000'000, cap->default_power_cap = ~std::uint64_t{0}, 0;
}
VISIBLE Status amdsmi_get_energy_count(Handle, std::uint64_t* energy, float* resolution, std::uint64_t*) {
  return *energy = 2'000'000, *resolution = 15.259F, 0;
}
VISIBLE Status amdsmi_get_clock_info(Handle, int, amd_smi::ClockInfo* clock) {
  return clock->clk = 2100, 0;
}
VISIBLE Status amdsmi_get_gpu_total_ecc_count(Handle, amd_smi::ErrorCount*) {
  return 30;
}
VISIBLE Status amdsmi_get_violation_status(Handle, amd_smi::ViolationStatus* status) {
  status->prochot = status->regulator = status->memory = 0;
  status->package_power = 1;
  status->socket = 1;
  return 0;
}

}  // extern "C"
