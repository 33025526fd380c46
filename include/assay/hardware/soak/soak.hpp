#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A part of a soak's mix: a check that lasts about as long as it is told. Its measurement `rate`, where it has one, is
/// watched for drift.
struct SoakStep {
  std::string name;                                                 ///< fit for an id
  std::function<Outcome(double seconds, std::uint64_t round)> run;  ///< may throw
};

/// What one step of one round said.
struct SoakRecord {
  std::uint64_t round = 0;  ///< from 0
  std::string step;
  double begin = 0;            ///< seconds of the soak's own time, that of sessions before included
  double seconds = 0;          ///< how long it took
  std::optional<double> rate;  ///< the measurement of that name
  Verdict verdict = Verdict::inconclusive;
  std::string reason;  ///< of the step's verdict

  friend bool operator==(const SoakRecord&, const SoakRecord&) = default;
};

/// How long, and what drift is.
struct SoakOptions {
  double seconds = 60;         ///< of the soak's own time, over all sessions
  double step_seconds = 5;     ///< of each step, about
  double allowed_drift = 0.1;  ///< the share that the level of a rate may fall, from its first to its last
  std::function<Result<void>(const SoakRecord&)> keep;  ///< is given each record at once; its failure ends the soak
  std::function<bool()> stop;                           ///< asked between steps; may be empty
};

/// The records of all sessions.
struct SoakResult {
  std::vector<SoakRecord> records;
  std::size_t earlier = 0;  ///< how many come from sessions before
  double seconds = 0;       ///< own time, of all sessions
  bool complete = false;    ///< it lasted as long as asked, and every step ran once at least
};

/// Runs the steps in turn until the time is over, going on after `earlier`, what sessions before kept: from the step
/// behind the last record. A step that throws is a record of an error. Errors: those of `keep`; `invalid` where there
/// are no steps, two have one name, or an earlier record is of none of them.
[[nodiscard]] Result<SoakResult> run_soak(std::span<const SoakStep> steps, const SoakOptions& options,
                                          std::vector<SoakRecord> earlier = {});

/// One outcome a step, `hardware/soak/<step>`. Fails: any record that failed, the first of them named with round and
/// time; a rate whose level fell by more than the allowed drift, by change points (`e_divisive`) of its series, the
/// first of them named. An error of a record is an error. Inconclusive: a soak that did not last as long as asked, or a
/// step that decided nothing. A step whose every record is unsupported is unsupported.
[[nodiscard]] std::vector<Outcome> judge_soak(std::span<const SoakStep> steps, const SoakResult& result,
                                              const SoakOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/soak/soak.ipp"
#endif
