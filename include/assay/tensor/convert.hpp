#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/formats/convert.hpp"

namespace assay::inline v0 {

/// Converts a chunk of an array; the last one may be shorter. `streamed`: results are too many to stay in a cache.
template <Format From, Format To>
struct ConvertChunk {
  static constexpr std::size_t chunk = std::size_t{1} << 15;
  const From* from;
  To* to;
  std::size_t count;
  Rounding rounding;
  Overflow overflow;
  bool streamed;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const std::size_t first = index * chunk;
    const std::size_t length = count - first < chunk ? count - first : chunk;
#if ASSAY_DETAIL_VECTOR_VARIANTS
    detail::convert_range(from + first, to + first, length, rounding, overflow, streamed, instruction_set());
#else
    detail::convert_each(from + first, to + first, length, rounding, overflow);
#endif
  }
};

/// Converts `count` elements in the backend's memory as `convert` of formats/convert.hpp does, to the bit, in parallel.
/// Asynchronous on the stream. O(count). Misuse: a null pointer with a count above 0; arrays with memory in common.
template <ParallelBackend B, Format From, Format To>
[[nodiscard]] Result<void> convert(B& backend, typename B::Stream& stream, const From* from, To* to, std::size_t count,
                                   Rounding rounding = Rounding::nearest_even, Overflow overflow = Overflow::ieee) {
  using Chunk = ConvertChunk<From, To>;
  detail::expect_convertible(from, to, count);
  const std::size_t chunks = count / Chunk::chunk + (count % Chunk::chunk != 0 ? 1 : 0);
  return backend.parallel_for(stream, chunks,
                              Chunk{from, to, count, rounding, overflow, count * sizeof(To) >= detail::streamed_bytes});
}

}  // namespace assay::inline v0
