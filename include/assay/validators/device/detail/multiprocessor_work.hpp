#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/backends/block_backend.hpp"

namespace assay::inline v0::detail {

/// What one block of the coverage check tells: where it ran, and a digest for each unit that it used.
struct MultiprocessorRecord {
  static constexpr int units = 4;
  int multiprocessor = -1;
  int written = 0;  ///< 1: this block ran
  std::uint64_t digests[units] = {};
};
[[nodiscard]] constexpr const char* unit_name(int unit) {
  constexpr const char* names[] = {"integer", "float32", "float64", "shared memory"};
  return names[unit];
}

/// Arithmetic as it is. Tests have multiprocessors whose arithmetic is not.
struct RightArithmetic {
  template <class T>
  ASSAY_FUNCTION T operator()(int, int, T value) const {
    return value;
  }
};

/// Every thread iterates maps in which any wrong bit grows until it has spoilt all: x ← r·x·(1 − x) in float32 and
/// float64, by fused multiply-adds, whose results IEEE 754 tells to the last bit, and a congruence of integers. Then
/// threads read what others wrote to shared memory. `Arithmetic` is called as (multiprocessor, unit, result of a step).
template <class Arithmetic = RightArithmetic>
struct MultiprocessorWork {
  static constexpr int threads = 256;
  static constexpr int words =
      4096;  ///< 32 KiB: some blocks at most are on a multiprocessor at once, so that all get some
  struct Shared {
    std::uint64_t words[MultiprocessorWork::words];
  };
  MultiprocessorRecord* records;
  int steps;
  Arithmetic arithmetic;

  [[nodiscard]] ASSAY_FUNCTION static std::uint64_t scrambled(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
  }
  [[nodiscard]] ASSAY_FUNCTION static std::uint64_t bits_of(double value) {
    return __builtin_bit_cast(std::uint64_t, value);
  }

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    const int place = block.multiprocessor();
    typename Block::template PerThread<std::uint64_t> integers, singles, doubles, exchanged;
    block.each([&](int thread) {
      std::uint64_t n = scrambled(static_cast<std::uint64_t>(thread) + 1);
      float x = 0.25f + static_cast<float>(thread) / 1024;
      double y = 0.25 + static_cast<double>(thread) / 1023;
      for (int step = 0; step < steps; ++step) {
        n = arithmetic(place, 0, n * 6364136223846793005u + 1442695040888963407u);
        x = arithmetic(place, 1, __builtin_fmaf(3.99f, __builtin_fmaf(-x, x, x), 0.0f));
        y = arithmetic(place, 2, __builtin_fma(3.99, __builtin_fma(-y, y, y), 0.0));
      }
      const auto number = static_cast<std::uint64_t>(thread);
      integers[thread] = scrambled(n + number);
      singles[thread] = scrambled(bits_of(static_cast<double>(x)) + number);
      doubles[thread] = scrambled(bits_of(y) + number);
      for (int i = thread; i < words; i += threads) shared.words[i] = scrambled(static_cast<std::uint64_t>(i));
    });
    block.each([&](int thread) {
      std::uint64_t sum = 0;
      for (int i = thread; i < words; i += threads)
        sum += arithmetic(place, 3, shared.words[(i * 5 + 37) % words]) * static_cast<std::uint64_t>(2 * i + 1);
      exchanged[thread] = sum;
    });
    const auto join = [&](std::uint64_t a, std::uint64_t b) { return a + b; };
    MultiprocessorRecord record;
    record.multiprocessor = place;
    record.written = 1;
    record.digests[0] = block.reduce(integers, join);
    record.digests[1] = block.reduce(singles, join);
    record.digests[2] = block.reduce(doubles, join);
    record.digests[3] = block.reduce(exchanged, join);
    block.each([&](int thread) {
      if (thread == 0) records[block.index()] = record;
    });
  }
};

}  // namespace assay::inline v0::detail
