#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "assay/formats/small_formats.hpp"
#include "assay/io/safetensors_type.hpp"

namespace assay::inline v0::detail {

/// The real number at `position` of packed bytes, in type Stored of whole bytes.
template <class Stored>
[[nodiscard]] Stored stored_at(const std::byte* bytes, std::size_t position) {
  Stored element;
  std::memcpy(&element, bytes + position * sizeof(Stored), sizeof(Stored));
  return element;
}

/// The code of `bits` < 8 bits at `position`: codes follow one another without gaps, the first in the lowest bits. A
/// code that crosses into the next byte continues in that byte's lowest bits.
[[nodiscard]] std::uint8_t packed_code(const std::byte* bytes, std::size_t position, int bits);

/// The `count` real numbers from position `first` of packed bytes, as doubles: exact, except that 64-bit integers
/// beyond 2^53 are rounded to nearest. A code of BOOL other than 0 is 1.
void decode_safetensors(SafetensorsType type, const std::byte* bytes, std::size_t first, std::size_t count,
                        double* values);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/io/detail/safetensors_codes.ipp"
#endif
