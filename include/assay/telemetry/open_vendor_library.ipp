#pragma once

#include "assay/telemetry/open_vendor_library.hpp"

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/telemetry/amd_smi.hpp"
#include "assay/telemetry/nvml.hpp"
#include "assay/telemetry/rocm_smi.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> vendor_library_names() {
  return {"nvml", "amd_smi", "rocm_smi"};
}

ASSAY_DETAIL_HEADER_INLINE Result<std::unique_ptr<VendorLibrary>> open_vendor_library(const std::string& name,
                                                                                      const std::string& path) {
  if (name == "nvml") return open_nvml(path);
  if (name == "amd_smi") return open_amd_smi(path);
  if (name == "rocm_smi") return open_rocm_smi(path);
  return failure(ErrorKind::not_found, unknown_name("library", name, vendor_library_names()));
}

}  // namespace assay::inline v0
