// A stand-in for librocm_smi64.so: the two dies of an MI250, of which the second one tells no power. With
// ASSAY_ROCM_SMI=none there is no driver, as the real library has it: rsmi_init fails.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "assay/telemetry/detail/rocm_smi_interface.hpp"

namespace rocm_smi = assay::detail::rocm_smi;
using rocm_smi::Status;

#define VISIBLE __attribute__((visibility("default")))

extern "C" {

VISIBLE Status rsmi_init(std::uint64_t) {
  std::fputs("rsmi_init says something\n", stderr);
  std::puts("and prints");
  const char* const variable = std::getenv("ASSAY_ROCM_SMI");
  return variable != nullptr && std::strcmp(variable, "none") == 0 ? 8 : 0;
}
VISIBLE Status rsmi_num_monitor_devices(std::uint32_t* count) {
  return *count = 2, 0;
}
VISIBLE Status rsmi_dev_pci_id_get(std::uint32_t device, std::uint64_t* id) {
  return *id = (std::uint64_t{1} << 32) | (0xc1u + device) << 8, 0;
}
VISIBLE Status rsmi_dev_name_get(std::uint32_t, char* text, std::size_t size) {
  std::snprintf(text, size, "AMD Instinct MI250X");
  return 0;
}
VISIBLE Status rsmi_dev_power_ave_get(std::uint32_t device, std::uint32_t, std::uint64_t* microwatts) {
  return *microwatts = device == 0 ? 512'000'000 : 0, 0;
}
VISIBLE Status rsmi_dev_energy_count_get(std::uint32_t device, std::uint64_t* count, float* resolution,
                                         std::uint64_t* time) {
  *count = device == 0 ? 1'000'000 : 0;
  *resolution = 15.3F;
  return *time = 1, 0;
}
VISIBLE Status rsmi_dev_power_cap_get(std::uint32_t, std::uint32_t, std::uint64_t* microwatts) {
  return *microwatts = 560'000'000, 0;
}
VISIBLE Status rsmi_dev_temp_metric_get(std::uint32_t, std::uint32_t type, int metric, std::int64_t* millidegrees) {
  if (type == 0) return 2;
  return *millidegrees = metric == 0 ? 62'000 : 105'000, 0;
}
VISIBLE Status rsmi_dev_ecc_count_get(std::uint32_t, std::uint64_t, rocm_smi::ErrorCount* errors) {
  return errors->correctable_err = 4, errors->uncorrectable_err = ~std::uint64_t{0}, 0;
}
VISIBLE Status rsmi_dev_busy_percent_get(std::uint32_t, std::uint32_t*) {
  return 4;
}

}  // extern "C"
