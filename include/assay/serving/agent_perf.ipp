#pragma once

#include "assay/serving/agent_perf.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "assay/core/misuse.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/order_statistics.hpp"
#include "assay/statistics/rate_interval.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {
namespace detail {

/// Whether a share of `good` among `all` is told apart from `least` by its interval.
inline bool told_apart(std::size_t good, std::size_t all, double least, double confidence) {
  const RateInterval share = rate_interval(good, all, normal_quantile_of((1 + confidence) / 2));
  return all > 0 && (share.lower >= least || share.upper < least);
}

inline void count_trajectories(AgentPhase& phase, const AgentRun& run) {
  std::map<std::size_t, std::size_t> finished;
  for (std::size_t agent = 0; agent < run.agents; ++agent) finished[agent] = 0;
  for (std::size_t i = 0; i < run.turns.size(); ++i)
    if (run.turns[i].last && run.records[i].end == RequestEnd::complete) ++finished[run.turns[i].agent];
  phase.fewest = finished.empty() ? 0 : finished.begin()->second;
  for (const auto& [agent, count] : finished) {
    phase.trajectories += count;
    phase.fewest = std::min(phase.fewest, count);
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE AgentPhase judge_agents(const AgentRun& run, const AgentTier& tier, const AgentRules& rules,
                                                   const TokenCounter& counter) {
  expect(run.turns.size() == run.records.size(), [] { return "judge_agents() was given other turns than records"; });
  AgentPhase phase;
  phase.agents = run.agents;
  phase.seconds = run.seconds;
  phase.requests = run.records.size();
  detail::count_trajectories(phase, run);
  std::vector<double> speeds, firsts;
  std::size_t fast = 0, soon = 0;
  for (const RequestRecord& record : run.records) {
    const RequestMetrics metrics = request_metrics(record, counter);
    if (!metrics.served) {
      ++phase.failed;
      continue;
    }
    firsts.push_back(*metrics.first_token);
    soon += firsts.back() <= tier.first_token ? 1 : 0;
    if (!metrics.per_token || !(*metrics.per_token > 0)) continue;
    speeds.push_back(1 / *metrics.per_token);
    fast += speeds.back() >= tier.speed ? 1 : 0;
  }
  if (!speeds.empty()) phase.speed = quantile(speeds, rules.slow_share);
  if (!firsts.empty()) phase.first_token = quantile(firsts, 1 - rules.late_share);
  phase.sustained = phase.failed == 0 && phase.speed && phase.first_token && *phase.speed >= tier.speed &&
                    *phase.first_token <= tier.first_token;
  const bool speed_told = detail::told_apart(fast, speeds.size(), 1 - rules.slow_share, rules.confidence),
             first_told = detail::told_apart(soon, firsts.size(), 1 - rules.late_share, rules.confidence);
  const bool speed_missed = phase.speed && *phase.speed < tier.speed,
             first_missed = phase.first_token && *phase.first_token > tier.first_token;
  phase.decided = phase.failed > 0 || (phase.sustained ? speed_told && first_told
                                                       : (speed_missed && speed_told) || (first_missed && first_told));
  phase.enough = phase.trajectories >= rules.least_trajectories && phase.fewest >= rules.least_each &&
                 phase.seconds >= rules.least_seconds;
  if (!phase.enough)
    phase.note = std::to_string(phase.trajectories) + " trajectories (" + std::to_string(phase.fewest) +
                 " of an agent at least) in " + number_text(phase.seconds, 3) + " s; the rules ask for " +
                 std::to_string(rules.least_trajectories) + " (" + std::to_string(rules.least_each) + ") in " +
                 number_text(rules.least_seconds, 3) + " s";
  if (const LoadSummary summary = summarize_load(run.records); !summary.void_reason.empty()) {
    phase.valid = false;
    phase.note = summary.void_reason;
  }
  return phase;
}

ASSAY_DETAIL_HEADER_INLINE Result<AgentSearch> search_agents(const ProbeAgents& probe, const AgentRules& rules,
                                                             std::size_t most) {
  if (rules.first_agents == 0 || most < rules.first_agents)
    return failure(ErrorKind::invalid, "a search for agents begins with " + std::to_string(rules.first_agents) +
                                           " of them; allow as many, and one at least");
  AgentSearch search;
  const auto sustained = [&](std::size_t agents) -> Result<bool> {
    auto phase = probe(agents);
    if (!phase) return phase.propagate();
    const bool held = phase.value().sustained;
    search.limited = !phase.value().valid || phase.value().requests == 0;
    search.phases.push_back(std::move(phase).value());
    if (!search.limited) (held ? search.sustained : search.refuted) = agents;
    return held;
  };
  for (std::size_t agents = rules.first_agents; !search.limited; agents = std::min(2 * agents, most)) {
    const auto held = sustained(agents);
    if (!held) return held.propagate();
    if (!held.value()) break;
    if (agents == most) search.limited = true;
  }
  while (!search.limited && search.refuted > search.sustained + 1) {
    const auto held = sustained(search.sustained + (search.refuted - search.sustained) / 2);
    if (!held) return held.propagate();
  }
  return search;
}

ASSAY_DETAIL_HEADER_INLINE Outcome agent_outcome(const AgentSearch& search, const AgentTier& tier,
                                                 const AgentRules& rules, std::size_t accelerators,
                                                 const std::string& id) {
  expect(accelerators > 0, [] { return "agent_outcome() was given no accelerator"; });
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  const double agents = static_cast<double>(search.sustained);
  outcome.measure("agents", agents, "agents");
  outcome.measure("agents_per_accelerator", agents / static_cast<double>(accelerators), "agents");
  Table table{"Phases",
              {"agents", "s", "requests", "failed", "trajectories", "speed p25, tokens/s", "TTFT p95, ms", "sustained"},
              {}};
  Series speed{"Speed of agents", "agents", "tokens/s, 25th percentile", {}},
      first{"First token of agents", "agents", "TTFT, 95th percentile, ms", {}};
  std::string weak;
  for (const AgentPhase& phase : search.phases) {
    const auto text = [](const std::optional<double>& value, double scale) {
      return value ? number_text(*value * scale, 4) : std::string("-");
    };
    table.rows.push_back({std::to_string(phase.agents), number_text(phase.seconds, 3), std::to_string(phase.requests),
                          std::to_string(phase.failed), std::to_string(phase.trajectories), text(phase.speed, 1),
                          text(phase.first_token, 1e3),
                          std::string(phase.sustained ? "yes" : "no") + (phase.decided ? "" : ", undecided")});
    if (phase.speed) speed.points.emplace_back(static_cast<double>(phase.agents), *phase.speed);
    if (phase.first_token) first.points.emplace_back(static_cast<double>(phase.agents), *phase.first_token * 1e3);
    if (phase.agents != search.sustained && phase.agents != search.refuted) continue;
    const std::string name = std::to_string(phase.agents) + " agents: ";
    if (!phase.enough && phase.valid)
      weak += (weak.empty() ? "" : "; ") + name + phase.note;
    else if (!phase.decided)
      weak += (weak.empty() ? "" : "; ") + name + "decided by the percentiles alone, a rerun may differ";
  }
  outcome.tables.push_back(std::move(table));
  for (Series* series : {&speed, &first}) {
    std::sort(series->points.begin(), series->points.end());
    outcome.series.push_back(std::move(*series));
  }
  outcome.derivation.push_back("rules: " + std::string(rules.source) + "; three quarters of the answers at " +
                               number_text(tier.speed, 4) + " tokens/s at least, the first token of 95 % within " +
                               number_text(tier.first_token, 4) + " s");
  outcome.derivation.push_back("agents per accelerator are of " + std::to_string(accelerators) + " accelerators");
  if (search.limited) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason =
        search.phases.empty() || search.phases.back().valid
            ? "the server sustained all that was tried, up to " + std::to_string(search.sustained) + " agents"
            : "the client, not the server, ended the search: " + search.phases.back().note;
  } else if (search.sustained == 0) {
    outcome.verdict = Verdict::fail;
    outcome.reason = "not one agent is sustained at this tier";
  } else {
    outcome.verdict = weak.empty() ? Verdict::pass : Verdict::inconclusive;
    outcome.reason = weak;
  }
  return outcome;
}

}  // namespace assay::inline v0
