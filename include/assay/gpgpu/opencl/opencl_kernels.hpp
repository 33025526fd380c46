#pragma once

#include <vector>

#include "assay/gpgpu/kernels/described_kernel.hpp"
#include "assay/plugin/function_plugin.hpp"

namespace assay::inline v0 {

/// The kernels of a file, in OpenCL C, as kernels of a plugin (`plugin_of_functions`). The device is opened at the
/// first launch, so that a process that only names cases has none.
///
/// Around each launch operands are copied to the device and back with the guards about them: writes beside an output,
/// or to an input, are seen as on the host. Errors of launches: `unsupported` where there is no device, a requirement
/// does not hold, or the device cannot have that launch; `device` with the compiler's log; `invalid`, with line and
/// column, for expressions that have no value; `out_of_memory`.
[[nodiscard]] std::vector<PluginFunction> opencl_functions(KernelFile file);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/opencl/opencl_kernels.ipp"
#endif
