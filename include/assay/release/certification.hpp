#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/release/combination_id.hpp"

namespace assay::inline v0 {

/// What one run says of one combination: who found what, when, and where.
struct Certification {
  NamedCombination combination;
  Verdict verdict = Verdict::inconclusive;                ///< `pass`, `fail`, or `inconclusive`: by `Run::exit_code`
  std::string by;                                         ///< who answers for it; empty: nobody said
  std::string when;                                       ///< UTC, ISO 8601
  std::string host;                                       ///< on which the run was made
  std::string environment;                                ///< processor, devices, operating system, libraries
  std::string source;                                     ///< the file
  std::string title;                                      ///< of the run
  std::array<std::size_t, all_verdicts.size()> counts{};  ///< outcomes by verdict, in the order of `all_verdicts`
  std::string shard;                                      ///< "2/8": of a part of the cases; empty if it is whole
  bool cut_short = false;                                 ///< fewer cases ran than were planned
  std::vector<std::pair<std::string, Verdict>> outcomes;  ///< by id, to tell where runs of one combination disagree
};

/// The certification that a run gives. A run that was cut short, or in which nothing was decided, gives none:
/// `inconclusive`. O(outcomes).
[[nodiscard]] Certification certify(const Run& run, NamedCombination combination, std::string by, std::string source);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/certification.ipp"
#endif
