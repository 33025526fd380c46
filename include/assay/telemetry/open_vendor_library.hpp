#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/telemetry/vendor_library.hpp"

namespace assay::inline v0 {

/// The libraries that we know: "nvml", "rocm_smi", "amd_smi".
[[nodiscard]] std::vector<std::string> vendor_library_names();

/// Opens the library of that name in this process; `path` is its file, empty for where it usually is. Errors:
/// `not_found` for a name that is not known, `unsupported` where the library or its driver is not there.
[[nodiscard]] Result<std::unique_ptr<VendorLibrary>> open_vendor_library(const std::string& name,
                                                                         const std::string& path = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/open_vendor_library.ipp"
#endif
