#pragma once

#include "assay/release/certification.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Certification certify(const Run& run, NamedCombination combination, std::string by,
                                                 std::string source) {
  Certification certification;
  certification.combination = std::move(combination);
  const int code = run.exit_code();
  certification.verdict = code == 0 ? Verdict::pass : code == 1 ? Verdict::fail : Verdict::inconclusive;
  certification.by = std::move(by);
  certification.when = run.environment.started_at;
  certification.host = run.environment.host_name;
  const auto add = [&](const std::string& fact) {
    if (!fact.empty()) certification.environment += (certification.environment.empty() ? "" : ", ") + fact;
  };
  for (const std::string& device : run.environment.devices) add(device);
  add(run.environment.processor);
  add(run.environment.operating_system);
  for (const auto& [name, version] : run.environment.libraries) add(name + " " + version);
  certification.source = std::move(source);
  certification.title = run.title;
  certification.shard = run.shard;
  certification.cut_short = run.outcomes.size() < run.planned_cases;
  for (const Outcome& outcome : run.outcomes) {
    ++certification.counts[static_cast<std::size_t>(outcome.verdict)];
    certification.outcomes.emplace_back(outcome.id, outcome.verdict);
  }
  return certification;
}

}  // namespace assay::inline v0
