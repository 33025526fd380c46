#pragma once

#include <string>

#include "assay/core/result.hpp"

namespace assay_program {

/// Starts this program anew with a variable of the environment ("NAME=value"), unless it is set already: libraries read theirs when they
/// are loaded.
[[nodiscard]] assay::Result<void> restart_with(const std::string& environment);

}  // namespace assay_program
