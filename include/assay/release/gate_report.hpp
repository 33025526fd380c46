#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/environment.hpp"
#include "assay/core/verdict.hpp"
#include "assay/release/gate_policy.hpp"

namespace assay::inline v0 {

/// What a gate says, from the one that stops a release to the one that does not.
enum class GateState { violated, cannot_tell, waived, passed };

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(GateState state) noexcept {
  switch (state) {
    case GateState::violated: return "violated";
    case GateState::cannot_tell: return "cannot tell";
    case GateState::waived: return "waived";
    case GateState::passed: return "passed";
  }
  return "cannot tell";
}

/// The answer; its value is the exit code.
enum class ReleaseVerdict { approved = 0, blocked = 1, cannot_tell = 2 };

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(ReleaseVerdict verdict) noexcept {
  return verdict == ReleaseVerdict::approved  ? "approved"
         : verdict == ReleaseVerdict::blocked ? "blocked"
                                              : "cannot tell";
}

/// An outcome that a gate has something to say about.
struct GateFinding {
  std::string id;      ///< of the outcome
  std::string source;  ///< the file that it came from
  Verdict verdict = Verdict::error;
  std::string what;       ///< "perplexity = 13.1", or the outcome's reason
  std::string reproduce;  ///< the command that runs it again
};

/// The first of many findings, and how many there are.
struct GateFindings {
  static constexpr std::size_t most_kept = 1000;  ///< findings that are kept

  std::vector<GateFinding> kept;  ///< the first ones
  std::size_t count = 0;          ///< all of them

  /// Counts a finding, and keeps it where there is room.
  void add(GateFinding finding) {
    if (++count <= most_kept) kept.push_back(std::move(finding));
  }
};

/// What a gate found.
struct GateResult {
  Gate gate;
  GateState state = GateState::cannot_tell;
  std::string reason;  ///< one sentence
  /// Outcomes that it looked at, and those of them that are as demanded.
  std::size_t selected = 0, right = 0;
  GateFindings bad, undecided;                             ///< what counts against it
  GateFindings waived, quarantined;                        ///< what would count, but for a waiver or the quarantine
  std::array<std::size_t, all_verdicts.size()> ignored{};  ///< by verdict, in the order of `all_verdicts`
  std::size_t unmeasured = 0;                              ///< ignored for want of the measurement
  std::optional<double> value;           ///< pass rate or aggregate; of `each` the number that breaks the limit first
  std::vector<std::string> not_covered;  ///< "device=H200"
  std::vector<std::size_t> waivers;      ///< that made the difference, by position in the policy

  /// Outcomes that say right or wrong, waived or not.
  [[nodiscard]] std::size_t decided() const noexcept { return right + bad.count + decided_exempt; }
  std::size_t decided_exempt = 0;  ///< of `waived` and `quarantined`
};

/// What became of a waiver.
struct WaiverUse {
  Waiver waiver;
  bool expired = false;        ///< it holds no more
  std::int64_t days_left = 0;  ///< negative: so many days over
  std::size_t matched = 0;     ///< findings, over all gates, that it lets through, or would if it had not expired
};

/// What became of an entry of the quarantine.
struct QuarantineUse {
  Quarantine quarantine;
  bool expired = false;              ///< it holds no more
  std::size_t overridden = 0;        ///< outcomes that it kept from deciding
  std::size_t seen = 0;              ///< outcomes with such an id
  std::vector<std::string> refused;  ///< failures that are not flaky by measurement, and why; the first few
};

/// What a run brought to the gate.
struct GateSource {
  std::string name;          ///< the file, as it was given
  std::string title;         ///< of the run
  std::string started_at;    ///< UTC, ISO 8601
  std::string host;          ///< on which it was made
  std::size_t outcomes = 0;  ///< that the run holds
  std::size_t planned = 0;   ///< cases that were to run

  /// Whether fewer outcomes are there than were planned.
  [[nodiscard]] bool cut_short() const noexcept { return outcomes < planned; }
};

/// Whether a release may go out, and why.
struct GateReport {
  std::string title;  ///< of the policy
  ReleaseVerdict verdict = ReleaseVerdict::cannot_tell;
  std::string reason;  ///< one sentence
  CalendarDate today;  ///< against which expiry is held
  std::vector<GateSource> sources;
  std::vector<std::string> missing_shards;  ///< "2/8": parts of runs of which other parts were given; the first few
  std::vector<std::string> not_run;         ///< combinations that were to be run and have no run
  std::vector<std::string> absent;          ///< what earlier results have and these have not (`absent_since`)
  std::vector<GateResult> gates;            ///< in the order of the policy
  std::vector<WaiverUse> waivers;
  std::vector<QuarantineUse> quarantine;

  /// Hard or soft gates in this state.
  [[nodiscard]] std::size_t count(GateState state, bool hard) const {
    std::size_t number = 0;
    for (const GateResult& result : gates) number += result.state == state && result.gate.hard == hard ? 1 : 0;
    return number;
  }
  /// 0: approved; see `ReleaseVerdict`.
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(verdict); }
};

}  // namespace assay::inline v0
