#pragma once

#include <map>
#include <string>

namespace assay_program {

/// The family of each operation by the name that it has in ids ("relu": "elementwise"), as the host's own kernels have
/// them.
[[nodiscard]] const std::map<std::string, std::string>& families_by_operation();

}  // namespace assay_program
