#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "assay/core/table.hpp"
#include "assay/hardware/memory/cell_fault.hpp"
#include "assay/hardware/memory/march_test.hpp"

namespace assay::inline v0 {

/// Who decides in which order words are visited.
enum class VisitingOrder {
  as_stated,  ///< the test does, as one thread keeps it
  any         ///< nobody: of threads in parallel each element may run either way, and operation by operation
};

/// How many of the faults of one class a test detects, whatever the memory held before.
struct MarchCoverage {
  std::string fault_class;  ///< see `class_of`
  std::size_t faults = 0;
  std::size_t detected = 0;  ///< of them
};

/// All faults of that kind in a memory of that size, but for intermittent ones, of which there is no end.
[[nodiscard]] std::vector<CellFault> cell_faults(CellFaultKind kind, std::size_t size, unsigned width);

/// Whether the test detects the fault for every content that the memory may have before, up to 2⁸ of them, and, with
/// `VisitingOrder::any`, for every order. Runs on the backgrounds of the test.
[[nodiscard]] bool detects(const MarchTest& test, const CellFault& fault, std::size_t size, unsigned width,
                           VisitingOrder order = VisitingOrder::as_stated);

/// Simulates all faults of all classes but the intermittent, in the order of `all_cell_fault_kinds`. What a user is
/// told of a test is what this finds. O(faults × contents × orders × operations): 6 cells in the stated order take
/// milliseconds; in any order 3 cells do.
[[nodiscard]] std::vector<MarchCoverage> march_coverage(const MarchTest& test, std::size_t size = 6, unsigned width = 1,
                                                        VisitingOrder order = VisitingOrder::as_stated);

/// One row a test, one column a class, per cent rounded to nearest.
[[nodiscard]] Table march_coverage_table(std::span<const MarchTest> tests, std::size_t size = 6, unsigned width = 1,
                                         VisitingOrder order = VisitingOrder::as_stated);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/march_coverage.ipp"
#endif
