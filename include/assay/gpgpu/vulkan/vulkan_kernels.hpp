#pragma once

#include <vector>

#include "assay/gpgpu/kernels/described_kernel.hpp"
#include "assay/plugin/function_plugin.hpp"

namespace assay::inline v0 {

/// The compute shaders of a file, in SPIR-V, as kernels of a plugin (`plugin_of_functions`). Operands are the storage
/// buffers of set 0, from binding 0 on, in the order of the arguments; scalars are push constants in theirs, each at a
/// multiple of its size. The device is opened at the first launch, so that a process that only names cases has none.
///
/// Operands lie with the guards about them in buffers that the host has mapped: writes beside an output, or to an
/// input, are seen as on the host. Errors of launches: `unsupported` where there is no device, a requirement does not
/// hold, or the device cannot have that launch; `device`, `timed_out`; `invalid`, with line and column, for expressions
/// that have no value; `out_of_memory`.
[[nodiscard]] std::vector<PluginFunction> vulkan_functions(KernelFile file);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/vulkan/vulkan_kernels.ipp"
#endif
