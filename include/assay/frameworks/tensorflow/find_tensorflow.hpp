#pragma once

#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// TensorFlow's library: what the variable ASSAY_TENSORFLOW names (the file, or a folder that has it, such as that
/// of a Python environment), else in the Python environment of VIRTUAL_ENV, and in Python's folders of the user and of
/// the system. Nothing is loaded, and no Python is started.
///
/// Errors: `not_found` where the variable names nothing of the kind; `unsupported` where there is none, with what to
/// install.
[[nodiscard]] Result<std::string> find_tensorflow();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/tensorflow/find_tensorflow.ipp"
#endif
