#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/hardware/counter_reading.hpp"
#include "assay/hardware/memory/classic_tests.hpp"
#include "assay/hardware/memory/march_host.hpp"

namespace assay::inline v0 {

/// What is tested, and how long.
struct MemoryCheckOptions {
  std::size_t bytes = std::size_t{256} << 20;  ///< of memory
  std::vector<std::string> tests{"march_c-"};  ///< names of `all_march_tests`, modulo_20, block_move
  double budget_seconds = 0;  ///< of all tests together; what does not end in it is inconclusive; 0: none
  double least_share = 0;     ///< of the machine's memory that must be tested; less is inconclusive
  MarchHostOptions march;
  ReadCounters counters;  ///< ECC counts before and after; may be empty
};

/// Names that `tests` may have.
[[nodiscard]] std::vector<std::string> memory_test_names();

/// One outcome a test, `hardware/memory/<test>`: pass where every background was run on every part and every word was
/// read as it was written; fail with the defects; inconclusive where the time did not suffice, or too small a share was
/// tested; error where memory could not be had. The derivation says what the test cannot see, of its coverage by
/// simulation, of order between threads, of caches. Unknown names are errors.
[[nodiscard]] std::vector<Outcome> check_memory(const MemoryCheckOptions& options);

/// The verdict on one march test's result.
[[nodiscard]] Outcome judge_march(const MarchTest& test, const MarchHostResult& result);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/check_memory.ipp"
#endif
