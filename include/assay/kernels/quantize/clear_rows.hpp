#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/config.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

/// Zeros, a row of bytes at a time: codes that share a byte, and the padding of tables in tiles.
struct ClearRows {
  std::uint8_t* bytes;
  Index row_bytes;
  Index stride;

  ASSAY_FUNCTION void operator()(std::size_t row) const {
    std::uint8_t* const first = bytes + static_cast<Index>(row) * stride;
    for (Index i = 0; i < row_bytes; ++i) first[i] = 0;
  }
};

}  // namespace assay::inline v0::detail
