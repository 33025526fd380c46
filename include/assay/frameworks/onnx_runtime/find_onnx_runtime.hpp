#pragma once

#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// The file of ONNX Runtime's library: what the variable ASSAY_ONNXRUNTIME names (the file, or a folder that has it,
/// such as that of a Python environment), else in the Python environment of VIRTUAL_ENV, in Python's folders of the
/// user and of the system, and where Debian's package has it. Nothing is loaded, and no Python is started.
///
/// Errors: `not_found` where the variable names nothing of the kind; `unsupported` where there is none, with what to
/// install.
[[nodiscard]] Result<std::string> find_onnx_runtime();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/onnx_runtime/find_onnx_runtime.ipp"
#endif
