#pragma once

#include <string>

#include "certify_options.hpp"

namespace assay_program {

/// Runs a plan, judges what it found, and returns the gate's exit code: 0 approved, 1 blocked, 2 cannot tell, usage and
/// environment.
[[nodiscard]] int certify(const CertifyOptions& options, const std::string& command);

}  // namespace assay_program
