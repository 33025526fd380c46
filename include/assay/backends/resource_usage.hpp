#pragma once

#include <cstddef>

namespace assay::inline v0 {

/// What was taken from a memory resource since it was made, or since its peak was set back.
struct ResourceUsage {
  std::size_t current_bytes = 0;  ///< in use now
  std::size_t peak_bytes = 0;     ///< the most that was in use at once
  std::size_t total_bytes = 0;    ///< of all allocations, freed ones too
  std::size_t allocations = 0;    ///< that were given
  std::size_t deallocations = 0;  ///< how many allocations were given back
  std::size_t refusals = 0;       ///< how many allocations were refused

  /// Allocations that were not given back.
  [[nodiscard]] std::size_t living() const { return allocations - deallocations; }
};

}  // namespace assay::inline v0
