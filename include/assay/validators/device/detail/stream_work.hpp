#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/backends/byte_work.hpp"
#include "assay/collectives/verification/stream_places.hpp"

namespace assay::inline v0::detail {

/// The elements of a collective's stream, from a table in the backend's memory.
struct StreamCodes {
  const unsigned char* table;
  StreamPlaces places;
  std::size_t element_bytes;

  [[nodiscard]] ASSAY_FUNCTION const unsigned char* at(std::size_t element) const {
    return table + static_cast<std::size_t>(places.place_of(static_cast<Index>(element))) * element_bytes;
  }
};

/// Writes a stream's elements; one an index.
struct WriteStream {
  StreamCodes codes;
  unsigned char* to;

  ASSAY_FUNCTION void operator()(std::size_t element) const {
    const unsigned char* const from = codes.at(element);
    for (std::size_t byte = 0; byte < codes.element_bytes; ++byte)
      to[element * codes.element_bytes + byte] = from[byte];
  }
};

/// Compares what was found with a stream's elements, bit for bit: see `compare_elements`.
struct CompareStream {
  static constexpr std::size_t per_chunk = 16384;
  StreamCodes codes;
  const unsigned char* found;
  std::size_t elements;

  [[nodiscard]] ASSAY_FUNCTION std::size_t chunks() const { return (elements + per_chunk - 1) / per_chunk; }
  ASSAY_FUNCTION void compare(std::size_t chunk, std::size_t first, std::size_t step,
                              ElementDifferences& differences) const {
    const std::size_t begin = chunk * per_chunk, end = elements - begin < per_chunk ? elements : begin + per_chunk;
    for (std::size_t element = begin + first; element < end; element += step) {
      const unsigned char* const expected = codes.at(element);
      bool same = true;
      for (std::size_t byte = 0; byte < codes.element_bytes; ++byte)
        same = same && found[element * codes.element_bytes + byte] == expected[byte];
      if (!same) differences.join({1, element, ElementDifferences::none});
    }
  }
  ASSAY_FUNCTION void operator()(std::size_t chunk, ElementDifferences& differences) const {
    compare(chunk, 0, 1, differences);
  }
};

}  // namespace assay::inline v0::detail
