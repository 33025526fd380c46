#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "assay/hardware/memory/memory_defect.hpp"

namespace assay::inline v0 {

/// What a classic test found: the first defects, and how many words were wrong.
struct ClassicTestResult {
  std::vector<MemoryDefect> defects;
  std::uint64_t wrong_reads = 0;  ///< words that were read wrong
  bool complete = false;          ///< everything was written and read
};

/// How the classic tests run.
struct ClassicTestOptions {
  std::size_t most_defects = 64;  ///< that are told of; all are counted
  std::uint64_t seed = 1;         ///< of the pattern
  /// Called after each writing pass, with its number: where tests of the test damage memory. May be empty.
  std::function<void(std::size_t)> after_pass;
  /// Asked between passes; true ends the test, which is then not complete. May be empty.
  std::function<bool()> stop;
};

/// Modulo 20: every 20th word holds a pattern, the others, written twice after it, its complement; then every 20th is
/// read; for each of 20 offsets, and both ways round. Finds what disturbs from afar, and is hardly helped by caches.
/// One thread; 40·(n/20 + 2·19n/20 + n/20) accesses. Source: memtest86, test 8.
[[nodiscard]] ClassicTestResult modulo_20(std::span<std::uint64_t> memory, const ClassicTestOptions& options = {});

/// Block move: a pattern of blocks of 512 bytes is moved by memmove, half of memory to the other and back one block
/// shifted, and read. Finds what only bursts of reads and writes disturb; which half a fault is in cannot be told. One
/// thread; about 7n accesses. Source: memtest86, test 5.
[[nodiscard]] ClassicTestResult block_move(std::span<std::uint64_t> memory, const ClassicTestOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/classic_tests.ipp"
#endif
