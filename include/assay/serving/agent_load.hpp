#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/agent_perf.hpp"
#include "assay/serving/openai_request.hpp"
#include "assay/serving/stream_client.hpp"

namespace assay::inline v0 {

/// What an agent says in one turn, before which its tool was at work.
struct AgentStep {
  std::string text;               ///< as the user says it
  std::uint64_t most_tokens = 0;  ///< of the answer; 0: the server's limit
  double tool_seconds = 0;        ///< between the answer before and this turn
};
/// A conversation: a beginning, and turns each of which sends all before it again.
struct AgentScript {
  std::string system;  ///< the beginning, salted for each phase
  std::vector<AgentStep> steps;
};

/// How conversations are made and run.
struct AgentLoadOptions {
  std::vector<AgentScript> scripts;             ///< recorded ones, taken in turn; empty: made
  std::size_t least_turns = 3, most_turns = 8;  ///< of a made conversation
  std::size_t prefix_words = 300;               ///< of the beginning that all made conversations of a phase share
  std::size_t turn_words = 60;                  ///< of what a turn adds
  std::uint64_t most_tokens = 200;              ///< of an answer; AgentPerf allows 16,384
  double least_tool_seconds = 0.1, most_tool_seconds = 5;  ///< of AgentPerf, 2026
  std::uint64_t seed = 1;                                  ///< of words, turns and waits
  std::uint64_t phase = 0;     ///< salts the beginning: no phase finds another's in a prefix cache
  double most_seconds = 1800;  ///< after which no turn begins, enough or not
};

/// A made conversation. The same options give the same one on every machine. O(words).
[[nodiscard]] AgentScript made_script(const AgentLoadOptions& options, std::uint64_t trajectory);

/// Reads recorded conversations: a JSON object a line with `turns`, a list of objects with `text`, and of `max_tokens`
/// and `delay_ms` where they are known; `system` is the beginning. Errors: `malformed` with the line.
[[nodiscard]] Result<std::vector<AgentScript>> scripts_from_text(std::string_view text);

/// Runs a phase: each agent takes conversations one after the other, sends its answers back with the next turn, and
/// waits for its tool in between. No turn begins once the rules have their trajectories, on each agent, and seconds.
/// What fails ends its conversation. Chat only. Errors: of `run_requests` and `request_body`; `unsupported`: another
/// interface; `invalid`: no agent, or ranges that are empty.
[[nodiscard]] Result<AgentRun> run_agents(const ServerAddress& server, const GenerationRequest& request,
                                          const AgentLoadOptions& load, std::size_t agents, const AgentRules& rules,
                                          StreamClientOptions options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/agent_load.ipp"
#endif
