#pragma once

#include "assay/suite/runner.hpp"

#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void check_run(const Suite& suite, const std::vector<std::size_t>& chosen,
                                          const RunOptions& options) {
  expect(options.jobs >= 1, [] { return "RunOptions::jobs is 0; at least one case must run at a time"; });
  expect(options.repetitions >= 1, [] { return "RunOptions::repetitions is 0; a subject must run at least once"; });
  std::set<std::string> ids;
  for (const Case& entry : suite) {
    expect(!entry.id.empty(), [] { return "a case of the suite has an empty id; ids are stable and unique"; });
    expect(ids.insert(entry.id).second,
           [&] { return "two cases of the suite have the id '" + entry.id + "'; ids are unique"; });
    expect(static_cast<bool>(entry.run),
           [&] { return "the case '" + entry.id + "' has nothing to run; set Case::run"; });
  }
  std::set<std::size_t> indices;
  for (const std::size_t index : chosen) {
    expect(index < suite.size(), [&] {
      return "case " + std::to_string(index) + " was chosen of a suite of " + std::to_string(suite.size()) +
             "; use what select() returned for it";
    });
    expect(indices.insert(index).second,
           [&] { return "the case '" + suite[index].id + "' was chosen twice; choose every case once"; });
  }
}

ASSAY_DETAIL_HEADER_INLINE Run begun_run(const RunOptions& options, Environment environment,
                                         std::size_t planned_cases) {
  Run run;
  run.title = options.title;
  run.command = options.command;
  run.seed = options.seed;
  run.environment = std::move(environment);
  run.planned_cases = planned_cases;
  return run;
}

ASSAY_DETAIL_HEADER_INLINE void enter_outcomes(Run& run, std::vector<Outcome> outcomes, const Suite& suite,
                                               const std::vector<std::size_t>& order) {
  run.outcomes = std::move(outcomes);
  std::set<std::string> ran;
  for (const Outcome& outcome : run.outcomes) ran.insert(outcome.id);
  for (const std::size_t position : order)
    if (ran.count(suite[position].id) == 0) run.cases_not_run.push_back(suite[position].id);
}

}  // namespace assay::inline v0::detail
