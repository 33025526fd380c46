#pragma once

#include <array>
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

/// What agents of one class demand of a server: three quarters of the answers at `speed` at least, the first token of
/// 95 % of them within `first_token`.
struct AgentTier {
  std::string_view model;  ///< of the rules; another model is no run by the rules
  double speed = 0;        ///< output tokens a second
  double first_token = 0;  ///< TTFT, seconds
};

/// Artificial Analysis' AgentPerf of July 2026, as two copies of its page have it. It announces one end-to-end speed
/// instead.
inline constexpr std::array<AgentTier, 7> agent_perf_tiers{{{"deepseek-v4-pro", 20, 10},
                                                            {"deepseek-v4-pro", 60, 5},
                                                            {"deepseek-v4-pro", 180, 3},
                                                            {"gpt-oss-120b", 100, 5},
                                                            {"gpt-oss-120b", 250, 3},
                                                            {"gpt-oss-120b", 500, 2},
                                                            {"gpt-oss-120b", 2000, 1}}};
/// The tier of that model and speed, or nothing.
[[nodiscard]] constexpr const AgentTier* find_agent_tier(std::string_view model, double speed) noexcept {
  for (const AgentTier& tier : agent_perf_tiers)
    if (tier.model == model && tier.speed == speed) return &tier;
  return nullptr;
}

/// How agents are counted.
struct AgentRules {
  std::string_view source = "Artificial Analysis, AgentPerf, July 2026";  ///< with its date, since rules change
  double slow_share = 0.25;             ///< of answers that may be slower than the tier's speed
  double late_share = 0.05;             ///< of answers whose first token may be later
  std::size_t first_agents = 2;         ///< of the first phase; then they are doubled, then bisected
  std::size_t least_trajectories = 30;  ///< that a phase must finish
  std::size_t least_each = 3;           ///< that each agent must finish
  double least_seconds = 600;           ///< of a phase
  double confidence = 0.95;             ///< at which a share is told apart from its limit: this library's
};

/// A turn of an agent: which answer belongs to which task.
struct AgentTurn {
  std::size_t agent = 0;
  std::uint64_t trajectory = 0;  ///< position in the phase, from 0
  std::size_t turn = 0;          ///< of the trajectory, from 0
  bool last = false;             ///< the trajectory ends with it
};

/// A phase: `turns[i]` tells of `records[i]`.
struct AgentRun {
  std::size_t agents = 0;  ///< at the same time
  double seconds = 0;      ///< from the first request to the last answer
  std::vector<RequestRecord> records;
  std::vector<AgentTurn> turns;
};

/// What a phase showed.
struct AgentPhase {
  std::size_t agents = 0;                    ///< at the same time
  double seconds = 0;                        ///< as of the run
  std::size_t requests = 0, failed = 0;      ///< all, and those without a whole answer
  std::size_t trajectories = 0, fewest = 0;  ///< finished: all, and of the agent that finished fewest
  std::optional<double> speed;               ///< 25th percentile of the output speed of an answer, tokens a second
  std::optional<double> first_token;         ///< 95th percentile of TTFT, seconds
  bool enough = false;                       ///< trajectories and seconds as the rules ask
  bool sustained = false;                    ///< within the tier, and nothing failed
  bool decided = false;                      ///< the intervals of both shares lie on one side of their limits
  std::string note;                          ///< what is missing, or why the run is void
  bool valid = true;                         ///< false: the client and not the server was measured
};

/// Judges a phase. The speed of an answer is its tokens but the first by the time from its first to its last event;
/// answers of one token have none. Percentiles are linear (Hyndman and Fan's seventh). O(n log n).
/// Misuse: turns that are not as many as records.
[[nodiscard]] AgentPhase judge_agents(const AgentRun& run, const AgentTier& tier, const AgentRules& rules = {},
                                      const TokenCounter& counter = {});

/// What a search found.
struct AgentSearch {
  std::size_t sustained = 0;  ///< most agents that were; 0: none
  std::size_t refuted = 0;    ///< fewest that were not; 0: none
  bool limited = false;       ///< ended by its bound, or by a phase that is void, and not by the server
  std::vector<AgentPhase> phases;
};

/// Runs a phase with so many agents.
using ProbeAgents = std::function<Result<AgentPhase>(std::size_t agents)>;
/// Doubles the agents until the tier is missed, then bisects to the last one. Errors: what a phase returned; `invalid`:
/// `most` below the rules' first phase.
[[nodiscard]] Result<AgentSearch> search_agents(const ProbeAgents& probe, const AgentRules& rules, std::size_t most);

/// As an outcome `serving/<id>`: `pass` with the agents, and agents per accelerator; `fail`: not one is sustained;
/// `inconclusive`: ended by its bound, or a phase at the bracket's ends is too short or undecided.
/// Misuse: no accelerator.
[[nodiscard]] Outcome agent_outcome(const AgentSearch& search, const AgentTier& tier, const AgentRules& rules,
                                    std::size_t accelerators, const std::string& id);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/agent_perf.ipp"
#endif
