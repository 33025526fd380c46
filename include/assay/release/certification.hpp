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

/// The certification that a run gives. A run that was cut short, or in which nothing was decided, gives none: `inconclusive`. O(outcomes).
[[nodiscard]] inline Certification certify(const Run& run, NamedCombination combination, std::string by, std::string source) {
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
