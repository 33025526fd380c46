#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Bytes that no two places share but by chance.
struct MixedBytes {
  unsigned char* to;
  std::uint64_t seed;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    std::uint64_t bits = (seed + 1) * 0x9E3779B97F4A7C15u + index;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    to[index] = static_cast<unsigned char>(bits >> 56);
  }
};

/// Rows of bytes from one matrix into another; one byte an index.
struct StridedRows {
  unsigned char* to;
  const unsigned char* from;  ///< null: `value` everywhere
  std::size_t row_bytes, to_apart, from_apart;
  unsigned char value;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const std::size_t row = index / row_bytes, column = index % row_bytes;
    to[row * to_apart + column] = from != nullptr ? from[row * from_apart + column] : value;
  }
};

}  // namespace assay::inline v0::detail
