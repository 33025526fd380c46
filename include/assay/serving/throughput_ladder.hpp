#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/load_summary.hpp"

namespace assay::inline v0 {

/// The rules of a test that raises the number of users phase by phase until more of them bring no more tokens.
struct LadderRules {
  std::string_view name, source;                            ///< of the rules, with their date, since rules change
  std::size_t doubled_until = 64;                           ///< users are doubled up to here
  std::size_t step = 64;                                    ///< users that are added beyond
  double phase_seconds = 180;                               ///< of the steady part of a phase
  std::uint64_t input_tokens = 1000, output_tokens = 1000;  ///< of a request
  double least_gain = 0.05;     ///< a phase is flat where its gain is below this with confidence
  double confidence = 0.95;     ///< of one gain's upper bound
  std::size_t flat_phases = 2;  ///< that must follow each other
  double most_loss = 0.2;       ///< beyond which a phase that delivers less is a collapse
};

/// Artificial Analysis' System Load Test. It publishes no bound on the gain at which it stops: `least_gain`,
/// `confidence`, `flat_phases` and `most_loss` are this library's.
inline constexpr LadderRules system_load_test{.name = "AA-SLT",
                                              .source = "Artificial Analysis, System Load Test, 2026"};

/// Users of the phase after one with so many: 1, 2, 4, …, 64, 128, 192, …
[[nodiscard]] constexpr std::size_t next_users(std::size_t users, const LadderRules& rules) noexcept {
  return users == 0 ? 1 : users < rules.doubled_until ? 2 * users : users + rules.step;
}

/// What one phase showed.
struct LadderPhase {
  std::size_t users = 0;                     ///< at the same time
  double seconds = 0;                        ///< of the steady part
  double tokens_per_second = 0;              ///< output of all users, in the steady part
  double error = 0;                          ///< standard error of that, from batch means
  std::size_t batches = 0;                   ///< of the means
  std::optional<double> user_speed;          ///< median over requests, tokens a second
  std::optional<double> first_token;         ///< TTFT's 95th percentile, seconds
  std::size_t requests = 0, served = 0;      ///< that ended
  TokenSource tokens = TokenSource::events;  ///< who counted them
  std::string void_reason;                   ///< why the client and not the server was measured
};

/// A phase from its records: output by arrival in the steady window, whose `batches` equal parts give the standard
/// error of the mean (batch means; Law, "Simulation modeling and analysis", 2015, §9.5.3). Parts should last longer
/// than a request, or they are correlated and the error is too small. O(n log n). Misuse: fewer than two batches.
[[nodiscard]] LadderPhase ladder_phase(std::span<const RequestRecord> records, std::size_t users,
                                       const TokenCounter& counter = {}, std::size_t batches = 16);

/// Where a ladder is flat.
struct Plateau {
  bool reached = false;                    ///< so many flat phases follow each other as the rules ask for
  std::size_t users = 0;                   ///< the fewest from which on more brought no more
  double tokens_per_second = 0;            ///< of the phase that delivered most
  std::size_t most_users = 0;              ///< of that phase
  std::size_t collapsed_users = 0;         ///< the fewest at which throughput fell by more than `most_loss`; 0: nowhere
  double collapsed_tokens_per_second = 0;  ///< at that many
};

/// Gain of a phase over an earlier one with its one-sided bounds, as a share: 0 is none.
struct LadderGain {
  double gain = 0, lower = 0, upper = 0;  ///< bounds at `confidence` each
};
/// By the delta method from both standard errors, with Student's t. O(1). Without throughput before, all are infinite.
[[nodiscard]] LadderGain ladder_gain(const LadderPhase& before, const LadderPhase& phase, double confidence);

/// Holds each phase against the best before it. O(phases²). Precondition: users ascend.
[[nodiscard]] Plateau find_plateau(std::span<const LadderPhase> phases, const LadderRules& rules);

/// Runs a phase with so many users.
using ProbeUsers = std::function<Result<LadderPhase>(std::size_t users)>;
/// Phases of rising concurrency until the plateau is reached, throughput collapsed, a phase is void or has unserved
/// requests, or `most` users. Errors: what a phase returned.
[[nodiscard]] Result<std::vector<LadderPhase>> climb_ladder(const ProbeUsers& probe, const LadderRules& rules,
                                                            std::size_t most);

/// As an outcome `serving/<id>`: `pass` with the plateau; `fail`: requests were not served, or throughput collapsed;
/// `inconclusive`: no plateau up to the last phase, or a void phase.
[[nodiscard]] Outcome ladder_outcome(std::span<const LadderPhase> phases, const LadderRules& rules,
                                     const std::string& id);

/// What somebody says of a server.
struct ClaimedPlateau {
  std::size_t users = 0;         ///< at which it is said to be reached
  double tokens_per_second = 0;  ///< of it
};
/// Whether the phases bear the claim out, as `serving/<id>`. `fail`: no phase delivers so much; more users bring more;
/// half of the users bring as much already. `inconclusive`: no phase ran with so many users, or none with half as many
/// or with more.
[[nodiscard]] Outcome claimed_plateau_outcome(std::span<const LadderPhase> phases, const LadderRules& rules,
                                              const ClaimedPlateau& claim, const std::string& id);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/throughput_ladder.ipp"
#endif
