#pragma once

#include <cstdint>

namespace assay::inline v0 {

/// Extents, strides and positions: signed, 64 bits, counted in elements.
using Index = std::int64_t;

}  // namespace assay::inline v0
