#pragma once

#include <memory>
#include <string>

#include "assay/core/result.hpp"
#include "assay/telemetry/vendor_library.hpp"

namespace assay::inline v0 {

/// Opens NVIDIA's management library, libnvidia-ml.so.1, in this process; most programs want a `WorkerSource`. Devices
/// are "gpu/" and the UUID. What the library says in numbers that are none (blanks of 32 and 64 bits, margins in the
/// place of limits) becomes `unsupported`; a function that it lacks, too. `unsupported` where the library cannot be
/// loaded or finds no driver; a GPU that cannot be opened is a device whose readings are `lost`.
[[nodiscard]] Result<std::unique_ptr<VendorLibrary>> open_nvml(const std::string& path = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/nvml.ipp"
#endif
