#pragma once

#include <string>

#include "assay/core/result.hpp"

namespace assay_program {

/// The folder of cases that is named, after the Python package onnx has written its node cases there where it is empty
/// or not there yet; without a name a folder of the package's version among the user's cached files. Takes seconds.
/// Errors: `unsupported`, with what to install, where no Python with the package is found; `io`.
[[nodiscard]] assay::Result<std::string> folder_of_cases(const std::string& named);

}  // namespace assay_program
