#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace assay::inline v0 {

/// A word that did not hold what was written.
struct MemoryDefect {
  std::uint64_t offset = 0;               ///< bytes from the start of what is tested
  std::uint64_t address = 0;              ///< in this process; 0: of a simulated or a device's memory that has none
  std::optional<std::uint64_t> physical;  ///< where the system tells it
  std::uint64_t expected = 0;             ///< what was written
  std::uint64_t actual = 0;               ///< what was read
  std::uint64_t reread = 0;               ///< the same word, read again past the caches
  std::size_t element = 0;                ///< of the march test, counted from 0
  std::size_t operation = 0;              ///< of the element, counted from 0
  std::string test;                       ///< its name
  std::string background;                 ///< see `Background::text`
  int processor = -1;                     ///< the logical processor that read it; −1: unknown
  double seconds = 0;                     ///< since the test began

  /// The bits that differ.
  [[nodiscard]] std::uint64_t flipped() const { return expected ^ actual; }
  /// Whether the second read found it right: then a transfer, a cache or a cell that recovers is to blame, else the
  /// cell holds what is wrong.
  [[nodiscard]] bool recovered() const { return reread == expected; }
  /// One line for a report.
  [[nodiscard]] std::string text() const;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/memory_defect.ipp"
#endif
