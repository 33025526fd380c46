#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/core/environment.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// One run of a suite: what reports are made of. Outcomes stand in the order of the suite, whatever the order of
/// execution.
struct Run {
  std::string title;       ///< what heads a report of the run
  std::string command;     ///< the command line that made it
  std::uint64_t seed = 0;  ///< what the seeds of all cases are derived from
  Environment environment;
  std::vector<Outcome> outcomes;
  std::size_t planned_cases = 0;  ///< how many were to run; more than `outcomes` holds if the run was cut short
  double duration_seconds = 0;    ///< wall-clock time of the run
  std::string shard;              ///< "2/8": the second of eight parts of the selected cases; empty if it is whole
  std::vector<std::string> cases_not_run;  ///< ids of planned cases that a run which was cut short did not come to
  std::map<std::string, std::string>
      rules;  ///< how cases were judged, by name: {"tolerance", "relaxed"}; parts of one run have the same
  bool require_conclusive = false;  ///< a case that ran and decided nothing counts as a failure

  /// How many outcomes have this verdict.
  [[nodiscard]] std::size_t count(Verdict verdict) const {
    std::size_t number = 0;
    for (const Outcome& outcome : outcomes) number += outcome.verdict == verdict ? 1 : 0;
    return number;
  }

  /// 0: something was computed and found right, all of it ran, and nothing failed. 1: something failed or erred, or,
  /// where `require_conclusive` (of the run, or given), ran and decided nothing. 2: nothing was decided at all, or the
  /// run was cut short. An inconclusive case alone is no failure, since no kernel can mend it (the bound is void);
  /// reports count it apart.
  [[nodiscard]] int exit_code(bool conclusive = false) const {
    const bool refuse_undecided = require_conclusive || conclusive;
    if (count(Verdict::fail) + count(Verdict::error) + (refuse_undecided ? count(Verdict::inconclusive) : 0) > 0)
      return 1;
    return count(Verdict::pass) + count(Verdict::new_baseline) == 0 || outcomes.size() < planned_cases ? 2 : 0;
  }
};

}  // namespace assay::inline v0
