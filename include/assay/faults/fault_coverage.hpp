#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/faults/fault_corpus.hpp"

namespace assay::inline v0 {

/// How many cases of one pattern of data accuse a kernel.
struct PatternCoverage {
  std::string data;
  /// Of this pattern.
  std::size_t accused = 0, cases = 0;
};

/// Which patterns of its default suite accuse a kernel: `cases_a_pattern` cases of each at most, evenly chosen, in the
/// suite's order of patterns.
[[nodiscard]] std::vector<PatternCoverage> pattern_coverage(const CorpusKernel& kernel, std::size_t cases_a_pattern,
                                                            const CorpusRun& how = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/fault_coverage.ipp"
#endif
