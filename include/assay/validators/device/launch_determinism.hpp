#pragma once

#include <string_view>

#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// What leaves the bits that a kernel gives as they are; each level includes those before it. That of collectives is
/// `DeterminismLevel`.
enum class LaunchDeterminism {
  none,               ///< the same launch gives other bits
  run_to_run,         ///< the same launch again
  across_addresses,   ///< with operands elsewhere, as far aligned
  across_streams,     ///< on another stream
  across_alignments,  ///< with operands that are aligned less
  across_shapes       ///< with other blocks and threads
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(LaunchDeterminism level) noexcept {
  return enum_name(level);
}

}  // namespace assay::inline v0
