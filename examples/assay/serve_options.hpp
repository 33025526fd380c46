#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay serve-bench` and `assay serve-check` were asked for.
struct ServeOptions {
  std::string url;
  std::string model;
  std::string interface = "chat";
  std::string prompts;  ///< a file
  std::string more;     ///< members of JSON for every request
  std::uint64_t seed = 1;
  double deadline = 600;
  bool insecure = false;  ///< of https: no certificate is verified
  std::string authority;  ///< of https: a file of certificates to trust
  std::string events;     ///< where raw events are written

  std::vector<std::size_t> users;  ///< a closed loop each
  std::vector<double> rates;       ///< an open loop each
  std::string arrivals = "poisson";
  double burstiness = 1;
  double final_rate = 0;
  std::string trace;
  std::optional<double> seconds;  ///< of a step; unless given, 30, or what the rules of the scenario ask for
  std::size_t requests = 0;
  std::optional<std::size_t> warm_up;
  double pause = 0;
  std::optional<std::size_t> input_words;
  std::size_t prefix_words = 0;
  std::size_t distinct = 0;
  bool unsalted = false;
  std::optional<std::uint64_t> output_tokens;
  bool ignore_eos = false;
  bool count_every_event = false;
  double temperature = 0;
  std::string level;  ///< "ttft=200ms,tpot=20ms"
  double least_kept = 0.99;
  std::string find;      ///< users or rate
  double most = 1024;    ///< of the search
  std::string scenario;  ///< SingleStream, Server, Offline; slt, agent_perf, frontier, endpoints
  std::string limits;    ///< a model of MLPerf's, with /interactive
  std::size_t least_queries = 0;
  std::string tier;           ///< of agent_perf: MODEL/SPEED, or SPEED@TTFT
  std::string conversations;  ///< of agent_perf: a file
  double tool_seconds = 5;    ///< of agent_perf: the longest
  std::string tokenizer;      ///< a tokenizer.json by which tokens are counted
  std::string claim;          ///< of slt: USERS:TOKENS/S
  std::size_t accelerators = 1;
  std::string replay;  ///< a file of events, instead of a server

  std::vector<std::string> checks;  ///< of serve-check
  std::size_t check_users = 8;
  std::size_t rounds = 3;
  std::size_t check_prompts = 8;
  std::uint64_t check_tokens = 32;
  std::size_t samples = 200;
  bool require_invariance = false;
};

/// Declares both commands; `options` must outlive the app.
struct ServeCommands {
  CLI::App& bench;
  CLI::App& check;
};
ServeCommands add_serve_commands(CLI::App& app, ServeOptions& options);

/// Whether the scenario chooses its loads by rules of its own, rather than MLPerf Inference's.
[[nodiscard]] bool is_load_study(const std::string& scenario);

/// What options of the commands must agree on.
[[nodiscard]] assay::Result<void> check_serve_options(const ServeOptions& options, bool bench);

}  // namespace assay_program
