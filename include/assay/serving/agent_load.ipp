#pragma once

#include "assay/serving/agent_load.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "assay/core/monotonic_time.hpp"
#include "assay/serving/answer_check.hpp"
#include "assay/serving/detail/numbered_lines.hpp"
#include "assay/serving/workload.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {
namespace detail {

/// The agents of a phase, each with the conversation that it is in.
class AgentDriver {
 public:
  AgentDriver(const GenerationRequest& request, const AgentLoadOptions& load, const AgentRules& rules,
              std::size_t agents)
      : request_(request), load_(load), rules_(rules), agents_(agents), random_(load.seed + 77 * load.phase) {}

  /// The first turn of each agent, at times of their own: tools do not answer in step.
  [[nodiscard]] Result<std::vector<PlannedRequest>> first() {
    std::vector<PlannedRequest> planned;
    for (std::size_t agent = 0; agent < agents_.size(); ++agent) {
      take_script(agent);
      auto turn = next_turn(agent, tool_seconds(0, load_.least_tool_seconds + 1e-3));
      if (!turn) return turn.propagate();
      planned.push_back(std::move(turn).value());
    }
    return planned;
  }
  [[nodiscard]] std::optional<PlannedRequest> after(const RequestRecord& record, double elapsed) {
    const auto index = static_cast<std::size_t>(record.user);
    Agent& agent = agents_[index];
    const bool right = record.end == RequestEnd::complete, done = agent.turn == agent.script.steps.size();
    if (right && done) ++agent.finished;
    if (elapsed >= load_.most_seconds || (elapsed >= rules_.least_seconds && enough())) return std::nullopt;
    if (!right || done) {
      take_script(index);
      auto turn = next_turn(index, right ? 0 : 0.1);
      return turn ? std::optional<PlannedRequest>(std::move(turn).value()) : std::nullopt;
    }
    agent.said.emplace_back("assistant", record.answer());
    auto turn = next_turn(index, agent.script.steps[agent.turn].tool_seconds);
    return turn ? std::optional<PlannedRequest>(std::move(turn).value()) : std::nullopt;
  }
  /// In the order in which they were planned, as the records are.
  [[nodiscard]] std::vector<AgentTurn> turns() && { return std::move(turns_); }

 private:
  struct Agent {
    AgentScript script;
    std::uint64_t trajectory = 0;
    std::size_t turn = 0, finished = 0;
    std::vector<std::pair<std::string, std::string>> said;  ///< who, what
  };

  [[nodiscard]] double tool_seconds(double least, double most) {
    return least + (most - least) * static_cast<double>(random_.next() >> 11) * 0x1p-53;
  }
  [[nodiscard]] bool enough() const {
    std::size_t all = 0, fewest = ~std::size_t{0};
    for (const Agent& agent : agents_) {
      all += agent.finished;
      fewest = std::min(fewest, agent.finished);
    }
    return all >= rules_.least_trajectories && fewest >= rules_.least_each;
  }
  void take_script(std::size_t index) {
    Agent& agent = agents_[index];
    agent.trajectory = trajectories_++;
    agent.script = load_.scripts.empty()
                       ? made_script(load_, agent.trajectory)
                       : load_.scripts[static_cast<std::size_t>(agent.trajectory) % load_.scripts.size()];
    if (!load_.scripts.empty())  // recorded beginnings are salted as made ones are
      agent.script.system =
          workload_prompt({0, 0, 1, true, load_.seed + 1000 * (load_.phase + 1)}, 0) + agent.script.system;
    agent.turn = 0;
    agent.said.clear();
  }
  [[nodiscard]] Result<PlannedRequest> next_turn(std::size_t index, double wait) {
    Agent& agent = agents_[index];
    const AgentStep& step = agent.script.steps[agent.turn];
    agent.said.emplace_back("user", step.text);
    auto more = request_.more.empty() ? nlohmann::json::object() : nlohmann::json::parse(request_.more, nullptr, false);
    if (!more.is_object()) return failure(ErrorKind::malformed, "what is to be added to requests is no object of JSON");
    more["messages"] = nlohmann::json::array();
    if (!agent.script.system.empty())
      more["messages"].push_back({{"role", "system"}, {"content", agent.script.system}});
    for (const auto& [who, what] : agent.said) more["messages"].push_back({{"role", who}, {"content", what}});
    GenerationRequest request = request_;
    // An answer that was cut within a character is no UTF-8, and is sent back with a replacement.
    request.more = more.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    request.max_tokens = step.most_tokens;
    auto body = request_body(request);
    if (!body) return body.propagate();
    PlannedRequest planned;
    planned.at = wait;
    planned.user = index;
    planned.prompt = "trajectory " + std::to_string(agent.trajectory) + ", turn " + std::to_string(agent.turn);
    planned.path = request_path(request.interface);
    planned.body = std::move(body).value();
    planned.most_tokens = request.max_tokens;
    turns_.push_back({index, agent.trajectory, agent.turn, agent.turn + 1 == agent.script.steps.size()});
    ++agent.turn;
    return planned;
  }

  const GenerationRequest& request_;
  const AgentLoadOptions& load_;
  const AgentRules& rules_;
  std::vector<Agent> agents_;
  std::vector<AgentTurn> turns_;
  RandomSequence random_;
  std::uint64_t trajectories_ = 0;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE AgentScript made_script(const AgentLoadOptions& options, std::uint64_t trajectory) {
  detail::RandomSequence random(detail::RandomSequence(options.seed * 0x10001 + options.phase).next() ^
                                (trajectory * 0x9E3779B97F4A7C15u));
  AgentScript script;
  script.system = workload_prompt({options.prefix_words, 0, 1, true, options.seed + 1000 * (options.phase + 1)}, 0);
  const std::size_t turns =
      options.least_turns + random.below(std::max<std::size_t>(1, options.most_turns + 1 - options.least_turns));
  for (std::size_t turn = 0; turn < turns; ++turn) {
    AgentStep step;
    step.text = workload_prompt({options.turn_words, 0, 0, false, random.next()}, turn);
    step.most_tokens = options.most_tokens;
    const double share = static_cast<double>(random.next() >> 11) * 0x1p-53;
    if (turn > 0)
      step.tool_seconds = options.least_tool_seconds + share * (options.most_tool_seconds - options.least_tool_seconds);
    script.steps.push_back(std::move(step));
  }
  return script;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<AgentScript>> scripts_from_text(std::string_view text) {
  std::vector<AgentScript> scripts;
  for (detail::NumberedLines lines(text); lines.next();) {
    if (lines.line().find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto json = nlohmann::json::parse(lines.line(), nullptr, false);
    const auto refused = [&](const std::string& what) {
      return failure(ErrorKind::malformed, "line " + std::to_string(lines.number()) + " of the conversations " + what);
    };
    if (!json.is_object() || !json.contains("turns") || !json["turns"].is_array() || json["turns"].empty())
      return refused("has no list `turns` with a turn in it");
    AgentScript script;
    if (json.contains("system")) {
      if (!json["system"].is_string()) return refused("has a `system` that is no text");
      script.system = json["system"].get<std::string>();
    }
    for (const auto& turn : json["turns"]) {
      if (!turn.is_object() || !turn.contains("text") || !turn["text"].is_string())
        return refused("has a turn without a text `text`");
      AgentStep step;
      step.text = turn["text"].get<std::string>();
      for (const char* name : {"max_tokens", "delay_ms"}) {
        if (!turn.contains(name)) continue;
        const double value = turn[name].is_number() ? turn[name].get<double>() : -1;
        if (!(value >= 0 && value < 1e9))
          return refused(std::string("has a turn whose `") + name + "` is no number from 0");
        if (name[0] == 'm')
          step.most_tokens = static_cast<std::uint64_t>(value);
        else
          step.tool_seconds = value * 1e-3;
      }
      script.steps.push_back(std::move(step));
    }
    scripts.push_back(std::move(script));
  }
  if (scripts.empty()) return failure(ErrorKind::malformed, "there are no conversations");
  return scripts;
}

ASSAY_DETAIL_HEADER_INLINE Result<AgentRun> run_agents(const ServerAddress& server, const GenerationRequest& request,
                                                       const AgentLoadOptions& load, std::size_t agents,
                                                       const AgentRules& rules, StreamClientOptions options) {
  if (request.interface != ServingInterface::chat)
    return failure(ErrorKind::unsupported, "agents speak with the interface chat alone, which has messages");
  bool empty = false;
  for (const AgentScript& script : load.scripts) empty = empty || script.steps.empty();
  if (agents == 0 || empty || load.least_turns == 0 || load.most_turns < load.least_turns ||
      !(load.least_tool_seconds >= 0) || !(load.most_tool_seconds >= load.least_tool_seconds) ||
      !(load.most_seconds > 0))
    return failure(
        ErrorKind::invalid,
        "agents need one of them, a turn in each conversation, and ranges of turns and of tool seconds whose "
        "ends ascend");
  detail::AgentDriver driver(request, load, rules, agents);
  auto first = driver.first();
  if (!first) return first.propagate();
  const std::int64_t start = detail::monotonic_nanoseconds();
  options.next = [&](const RequestRecord& record) {
    return driver.after(record, static_cast<double>(detail::monotonic_nanoseconds() - start) * 1e-9);
  };
  auto records = run_requests(server, std::move(first).value(), options);
  if (!records) return records.propagate();
  AgentRun run;
  run.agents = agents;
  run.records = std::move(records).value();
  const std::vector<AgentTurn> turns = std::move(driver).turns();
  std::int64_t end = start;
  for (const RequestRecord& record : run.records) {
    run.turns.push_back(turns[static_cast<std::size_t>(record.id)]);  // what never began has no record
    end = std::max(end, record.end_ns);
  }
  run.seconds = static_cast<double>(end - start) * 1e-9;
  return run;
}

}  // namespace assay::inline v0
