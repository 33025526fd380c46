#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/hardware/memory/march_test.hpp"
#include "assay/hardware/memory/memory_defect.hpp"

namespace assay::inline v0 {

/// How a march test runs on the host's memory.
struct MarchHostOptions {
  std::vector<int> processors;    ///< one thread each, pinned; empty: all that the process may use
  std::size_t cache_bytes = 0;    ///< flushed where the order turns; 0: the last level's, or 64 MiB if that is unknown
  double pause_seconds = 1;       ///< of a test's pauses
  std::size_t most_defects = 64;  ///< that are told of; all are counted
  std::uint64_t seed = 1;         ///< of random words
  unsigned word_bits = 64;        ///< what backgrounds are chosen for: the width of the memory's words
  /// Called by each thread after each element of its part, with the number of the background and of the element: where
  /// tests of the test damage memory. May be empty.
  std::function<void(std::size_t, std::size_t)> after_element;
  /// Asked by each thread before each element; true ends the test, which is then not complete. May be empty.
  std::function<bool()> stop;
};

/// What a march test found.
struct MarchHostResult {
  std::vector<MemoryDefect> defects;    ///< the first ones of each thread
  std::uint64_t wrong_reads = 0;        ///< words that were read wrong; one of two operations counts twice
  std::size_t bytes = 0;                ///< that were tested
  std::size_t backgrounds = 0;          ///< that were run, by all threads
  std::size_t planned_backgrounds = 0;  ///< that the test has
  std::size_t parts = 0;                ///< contiguous, one a thread; the order of addresses holds within each
  double seconds = 0;                   ///< pauses included
  bool complete = false;                ///< everything planned was done
  bool flushed = false;                 ///< caches could be flushed
  std::vector<std::string> missing;     ///< processors that took no part, and their memory was not tested
};

/// Blocks of `memory` are visited in the element's order, 256 bytes at a time in registers: memory knows cache lines,
/// not words, so within a block the order of words is not tested; backgrounds are what tells bits of a line apart. A
/// read that follows another operation of its element is preceded by a flush of its block, else the cache would answer.
/// Misuse: memory not aligned to 64 bytes, or no multiple of 256 bytes.
[[nodiscard]] MarchHostResult march_host(std::span<std::uint64_t> memory, const MarchTest& test,
                                         const MarchHostOptions& options = {});

/// The physical address of memory of this process; nothing where the system does not tell (Linux tells it to
/// CAP_SYS_ADMIN).
[[nodiscard]] std::optional<std::uint64_t> physical_address(const void* memory);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/march_host.ipp"
#endif
