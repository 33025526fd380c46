#pragma once

#include <cstdint>

#include "assay/core/config.hpp"
#include "assay/formats/float_layout.hpp"

namespace assay::inline v0::detail {

/// A ratio ≥ 0 as tiles and groups of rows show it: rounded up to five significant bits, which keeps 1 and what lies
/// above it. So no element need be looked at only to raise a tile by what nobody sees: errors of roundings, which are
/// bounded, soon reach the last step.
[[nodiscard]] ASSAY_FUNCTION constexpr double shown_ratio(double ratio) {
  constexpr std::uint64_t dropped = (std::uint64_t{1} << 48) - 1;
  return double_of((bits_of(ratio) + dropped) & ~dropped);
}

}  // namespace assay::inline v0::detail
