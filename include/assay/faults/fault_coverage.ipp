#pragma once

#include "assay/faults/fault_coverage.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<PatternCoverage> pattern_coverage(const CorpusKernel& kernel,
                                                                         std::size_t cases_a_pattern,
                                                                         const CorpusRun& how) {
  std::vector<PatternCoverage> coverage;
  std::vector<std::vector<const Case*>> groups;
  const Suite suite = detail::corpus_cases(kernel, how);
  for (const Case& entry : suite) {
    const std::string data = detail::data_of(entry);
    std::size_t group = 0;
    while (group < coverage.size() && coverage[group].data != data) ++group;
    if (group == coverage.size()) {
      coverage.push_back({data});
      groups.emplace_back();
    }
    groups[group].push_back(&entry);
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::size_t count = groups[group].size() < cases_a_pattern ? groups[group].size() : cases_a_pattern;
    for (std::size_t i = 0; i < count; ++i) {
      const Case& entry = *groups[group][i * groups[group].size() / count];
      const Verdict verdict = entry.run({case_seed(how.seed, entry.id), kernel.launches}).verdict;
      if (verdict == Verdict::unsupported) continue;
      ++coverage[group].cases;
      coverage[group].accused += verdict == Verdict::fail || verdict == Verdict::error ? 1 : 0;
    }
  }
  return coverage;
}

}  // namespace assay::inline v0
