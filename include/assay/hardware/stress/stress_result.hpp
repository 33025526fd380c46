#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/series.hpp"

namespace assay::inline v0 {

/// A tile that a processor computed wrong.
struct StressDefect {
  int processor = -1;
  std::size_t tile = 0;
  std::size_t row = 0, column = 0;  ///< of the product: the first wrong element
  std::size_t wrong_elements = 0;   ///< of the tile
  double expected = 0, actual = 0;  ///< of that element
  std::uint64_t flipped = 0;        ///< the bits in which they differ
  bool operands_intact = true;      ///< A and B held afterwards what they should
  unsigned seen_again = 0;          ///< of the golden re-runs on the same processor, in how many the tile was wrong
  unsigned reruns = 0;              ///< how many there were
  double seconds = 0;               ///< since the stress began

  /// One line for a report.
  [[nodiscard]] std::string text() const;
};

/// What one logical processor, or one multiprocessor of a device, did.
struct StressWorker {
  int processor = -1;
  std::uint64_t products = 0;     ///< that were computed, re-runs apart
  std::uint64_t tiles = 0;        ///< that were checked
  std::uint64_t wrong_tiles = 0;  ///< whose signature was wrong
  std::uint64_t moved = 0;        ///< how often the thread was found on another processor
  double busy_seconds = 0;        ///< in products, without what pulses slept
  double operations = 0;          ///< additions and multiplications
  double processor_seconds = 0;   ///< that the system gave to the thread; 0: unknown
};

/// What came of a stress.
struct StressResult {
  std::string backend = "host";  ///< whose processors they are
  std::string format;            ///< of the elements
  std::vector<StressWorker> workers;
  std::vector<StressDefect> defects;            ///< the first ones
  std::vector<std::string> missing;             ///< processors that were to take part and did not, with the reason
  std::vector<int> outside;                     ///< online, but closed to this process
  Series rate;                                  ///< of all together, by time
  double seconds = 0;                           ///< of the whole stress
  double ceiling = 0;                           ///< operations a second that no such machine can exceed; 0: unknown
  std::size_t rows = 96, columns = 96;          ///< M and N of the products
  std::size_t depth = 0;                        ///< K
  std::size_t tile_rows = 0, tile_columns = 0;  ///< elements of a tile
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/stress/stress_result.ipp"
#endif
