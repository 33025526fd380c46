#pragma once

#include <memory>
#include <string>

#include "assay/core/result.hpp"
#include "assay/telemetry/vendor_library.hpp"

namespace assay::inline v0 {

/// Opens AMD's older library, librocm_smi64.so, in this process; most programs want a `WorkerSource`, since it aborts the
/// process on trees that it does not expect. Devices are "pci/" and the address, as of `SysfsSource`, which has their
/// clocks and links. A secondary die (MI250) has no power of its own: its primary tells that of both, and it is
/// `unsupported`. `unsupported` to open where the library or AMD's driver is not there: it then fails to begin, and
/// counts 0 devices with success.
[[nodiscard]] Result<std::unique_ptr<VendorLibrary>> open_rocm_smi(const std::string& path = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/rocm_smi.ipp"
#endif
