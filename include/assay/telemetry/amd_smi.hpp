#pragma once

#include <memory>
#include <string>

#include "assay/core/result.hpp"
#include "assay/telemetry/vendor_library.hpp"

namespace assay::inline v0 {

/// Opens AMD's management library, libamd_smi.so, in this process; most programs want a `WorkerSource`. Devices are
/// "pci/" and the address, as of `SysfsSource`. What a version lays out in another way than version 24, which we know, is
/// `unsupported` and never read: power and violations; temperatures, energy (with the counter's own resolution), limits
/// and errors are read of every version. All bits set is AMD's form of no value. `unsupported` to open where the library
/// or AMD's driver is not there.
[[nodiscard]] Result<std::unique_ptr<VendorLibrary>> open_amd_smi(const std::string& path = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/amd_smi.ipp"
#endif
