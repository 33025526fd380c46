#pragma once

#include <vector>

#include "assay/gpgpu/kernels/described_kernel.hpp"
#include "assay/plugin/function_plugin.hpp"

namespace assay::inline v0 {

/// The compute shaders of a file, in WGSL, as kernels of a plugin (`plugin_of_functions`). Operands are the storage
/// buffers of group 0, from binding 0 on, in the order of the arguments: those that are only read `read`, others
/// `read_write`. Scalars are the members of the uniform buffer at binding 0 of group 1, 4 bytes each, in theirs. The
/// device is opened at the first launch, so that a process that only names cases has none.
///
/// Operands are copied with the guards about them: writes beside an output, or to an input, are seen as on the host.
/// Errors of launches: `unsupported` where there is no device, a requirement does not hold, or WebGPU cannot have that
/// launch, such as one of an output that overlaps an input; `device`, with file, line and column for what is no WGSL;
/// `invalid`, with line and column, for expressions that have no value; `out_of_memory`.
[[nodiscard]] std::vector<PluginFunction> webgpu_functions(KernelFile file);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/webgpu/webgpu_kernels.ipp"
#endif
