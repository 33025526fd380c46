#pragma once

#include <vector>

#include "assay/plugin/function_plugin.hpp"

namespace assay::inline v0 {

/// CLBlast's GEMM in float32 and float64, all transpositions, orders and leading dimensions, batched by its strided
/// form, as a kernel of a plugin (`plugin_of_functions`). Its C interface is opened by dlopen when the first product
/// runs: libclblast.so.1, or what the environment variable ASSAY_CLBLAST names.
///
/// Errors of launches: `unsupported` where CLBlast or a device of OpenCL is not here, with what to install, or CLBlast
/// refuses the problem (k = 0, float64 on a device without it); `device`, `out_of_memory`.
[[nodiscard]] std::vector<PluginFunction> clblast_functions();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/clblast/clblast.ipp"
#endif
