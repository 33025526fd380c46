#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/backends/thread_pool.hpp"
#include "assay/core/vector_variants.hpp"

/// The bytes of an array, read and folded.
struct ReadAll {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const unsigned char* const& start, const std::size_t& bytes,
                                      std::uint64_t& folded) {
    using Word = assay::detail::Vector<std::uint64_t, Bytes>;
    typename Word::Type sums[4] = {};
    std::size_t at = 0;
    for (; at + 4 * Bytes <= bytes; at += 4 * Bytes) {
#pragma GCC unroll 4
      for (std::size_t part = 0; part < 4; ++part)
        sums[part] ^= *reinterpret_cast<const typename Word::Unaligned*>(start + at + part * Bytes);
    }
    const typename Word::Type all = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
    for (std::size_t lane = 0; lane < Word::lanes; ++lane) folded ^= all[lane];
    for (; at < bytes; ++at) folded ^= start[at];
  }
};

struct Array {
  const void* start;
  std::size_t bytes;
};

/// Reads some arrays in parallel: the least that any comparison of them must do. The result keeps the compiler from
/// leaving it out.
inline std::uint64_t read_pass(assay::ThreadPool& pool, const std::vector<Array>& arrays) {
  constexpr std::size_t chunks = 384;
  std::atomic<std::uint64_t> total{0};
  pool.for_each_index(chunks, [&](std::size_t chunk) {
    std::uint64_t folded = 0;
    for (const Array& array : arrays) {
      const std::size_t first = array.bytes / chunks * chunk,
                        last = chunk + 1 == chunks ? array.bytes : array.bytes / chunks * (chunk + 1);
      const unsigned char* const start = static_cast<const unsigned char*>(array.start) + first;
      const std::size_t bytes = last - first;
      assay::detail::run_variant<ReadAll>(assay::instruction_set(), start, bytes, folded);
    }
    total ^= folded;
  });
  return total;
}
