#pragma once

#include "assay/faults/fault_corpus.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE CorpusKernel corpus_subject(std::string operation, std::string name,
                                                       std::optional<Fault> fault, std::function<Suite()> suite) {
  CorpusKernel subject;
  subject.operation = std::move(operation);
  subject.name = std::move(name);
  subject.fault = std::move(fault);
  subject.suite = std::move(suite);
  return subject;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE Suite corpus_cases(const CorpusKernel& kernel, const CorpusRun& how) {
  Suite suite = kernel.suite();
  suite.erase(std::remove_if(suite.begin(), suite.end(),
                             [](const Case& entry) {
                               return std::find(entry.tags.begin(), entry.tags.end(), "large") != entry.tags.end();
                             }),
              suite.end());
  if (kernel.launches > how.most_launches && suite.size() > 1) suite.resize(1);
  return suite;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE CorpusVerdict validate(const CorpusKernel& kernel, const CorpusRun& how) {
  CorpusVerdict verdict{
      kernel.operation, kernel.name, kernel.fault.has_value(), false, kernel.invisible_because, {}, {}, {}};
  const Suite suite = detail::corpus_cases(kernel, how);
  for (std::size_t i = kernel.fault ? 0 : how.first(suite.size()); i < suite.size();
       i += kernel.fault ? 1 : how.step(suite.size())) {
    const Outcome outcome = suite[i].run({case_seed(how.seed, suite[i].id), kernel.launches});
    if (outcome.verdict == Verdict::unsupported) continue;
    ++verdict.validations;
    verdict.inconclusive += outcome.verdict == Verdict::inconclusive ? 1 : 0;
    verdict.worst_error_ratio =
        std::max(verdict.worst_error_ratio, outcome.measurement(measurement::worst_error_ratio).value_or(0));
    if (outcome.verdict != Verdict::fail && outcome.verdict != Verdict::error) continue;
    verdict.accused = true;
    verdict.first_case = suite[i].id;
    verdict.data = detail::data_of(suite[i]);
    verdict.reason = outcome.reason;
    break;
  }
  return verdict;
}

ASSAY_DETAIL_HEADER_INLINE Result<CorpusVerdict> validate(const CorpusKernel& kernel, const LaunchValidator& accuses,
                                                          const CorpusRun& how) {
  if (!kernel.observe)
    return failure(ErrorKind::unsupported, kernel.id() + " has no launches to observe; validate it by its suite");
  CorpusVerdict verdict{
      kernel.operation, kernel.name, kernel.fault.has_value(), false, kernel.invisible_because, {}, {}, {}};
  const auto observed = kernel.observe(how, [&](const ObservedLaunch& launch) {
    ++verdict.validations;
    if (!accuses(launch)) return false;
    verdict.accused = true;
    verdict.first_case = launch.case_id;
    verdict.data = launch.labels.at("data");
    verdict.reason = "by the validator that was given";
    return true;
  });
  if (!observed) return observed.propagate();
  return verdict;
}

}  // namespace assay::inline v0
