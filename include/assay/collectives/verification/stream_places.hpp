#pragma once

#include <cstdint>

#include "assay/collectives/verification/detail/element_codes.hpp"

namespace assay::inline v0::detail {

/// Where in a table the elements of one stream of one call lie, on the host and on devices: tiles of the stream begin
/// at places that a hash tells.
struct StreamPlaces {
  std::uint64_t seed = 0, call = 0, starts = 1;
  Index tile = 1;

  [[nodiscard]] ASSAY_FUNCTION Index start_of(Index tile_number) const {
    return static_cast<Index>((mixed(seed, call, static_cast<std::uint64_t>(tile_number)) >> 32) * starts >> 32);
  }
  [[nodiscard]] ASSAY_FUNCTION Index place_of(Index element) const { return start_of(element / tile) + element % tile; }
};

}  // namespace assay::inline v0::detail
