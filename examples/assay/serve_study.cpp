#include "serve_study.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/serving/agent_load.hpp"
#include "assay/serving/serving_frontier.hpp"
#include "assay/serving/throughput_ladder.hpp"
#include "fault.hpp"

namespace assay_program {

namespace {

using assay::ErrorKind;
using assay::failure;

/// Runs one step of a study in a closed loop.
class Study {
 public:
  Study(ServeSession& session, const ServeOptions& given, assay::LoadPlan plan)
      : session_(session), given_(given), plan_(std::move(plan)) {}

  [[nodiscard]] ServeSession& session() { return session_; }
  [[nodiscard]] const ServeOptions& given() const { return given_; }
  [[nodiscard]] const assay::LoadPlan& plan() const { return plan_; }
  [[nodiscard]] std::size_t most() const { return static_cast<std::size_t>(given_.most); }
  [[nodiscard]] std::string id(const std::string& name) const { return name + "/" + given_.interface; }

  [[nodiscard]] assay::Result<std::vector<assay::RequestRecord>> run(std::size_t users) {
    if (session_.stop()) return failure(ErrorKind::aborted, "the study was stopped");
    session_.tell("load: " + std::to_string(users) + " users");
    assay::LoadPlan plan = plan_;
    plan.users = users;
    plan.warm_up = given_.warm_up.value_or(users);
    plan.workload.seed = given_.seed + users;  // no phase finds the prompts of another in a cache
    auto records = assay::run_load(session_.server(), plan, session_.client());
    if (records && session_.stop()) return failure(ErrorKind::aborted, "the study was stopped");
    return records;
  }
  /// Of steps, and how many were planned: more than ran where the study was stopped.
  [[nodiscard]] int finish(const std::string& name, std::vector<assay::Outcome> outcomes) {
    for (assay::Outcome& outcome : outcomes) outcome.seed = given_.seed;
    const std::size_t planned = outcomes.size() + (session_.stop() ? 1 : 0);
    return session_.finish(name + " on " + given_.url, std::move(outcomes), planned);
  }

 private:
  ServeSession& session_;
  const ServeOptions& given_;
  assay::LoadPlan plan_;
};

/// "64:1200"
assay::Result<assay::ClaimedPlateau> claim_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto users = assay::detail::read_number(text.substr(0, colon));
  const auto rate = colon == std::string::npos ? std::nullopt : assay::detail::read_number(text.substr(colon + 1));
  if (!users || !rate || !(*users >= 1 && *users <= 1e6) ||
      *users != static_cast<double>(static_cast<std::size_t>(*users)) || !(*rate > 0 && *rate < 1e12))
    return failure(ErrorKind::invalid, "--claim has '" + text + "'; give users and tokens a second, such as 64:1200");
  return assay::ClaimedPlateau{static_cast<std::size_t>(*users), *rate};
}

/// "gpt-oss-120b/100" or "20@10s"
assay::Result<assay::AgentTier> tier_of(const std::string& text) {
  if (const std::size_t at = text.find('@'); at != std::string::npos) {
    const auto speed = assay::detail::read_number(text.substr(0, at));
    const bool seconds = text.size() > at + 2 && text.back() == 's';
    const auto first = seconds ? assay::detail::read_number(text.substr(at + 1, text.size() - at - 2)) : std::nullopt;
    if (!speed || !first || !(*speed > 0 && *speed < 1e9) || !(*first > 0 && *first < 1e6))
      return failure(ErrorKind::invalid,
                     "--tier has '" + text + "'; give tokens a second and seconds to the first, such as 20@10s");
    return assay::AgentTier{"", *speed, *first};
  }
  std::vector<std::string> known;
  for (const assay::AgentTier& tier : assay::agent_perf_tiers) {
    known.push_back(std::string(tier.model) + "/" + assay::number_text(tier.speed));
    if (known.back() == text) return tier;
  }
  return failure(ErrorKind::not_found, assay::unknown_name("tier", text, known));
}

int ladder(Study& study) {
  const ServeOptions& given = study.given();
  assay::LadderRules rules = assay::system_load_test;
  std::optional<assay::ClaimedPlateau> claim;
  if (!given.claim.empty()) {
    const auto read = claim_of(given.claim);
    if (!read) return fault(read.error().message);
    claim = read.value();
  }
  std::vector<assay::LadderPhase> phases;
  const auto climbed = assay::climb_ladder(
      [&](std::size_t users) -> assay::Result<assay::LadderPhase> {
        const auto records = study.run(users);
        if (!records) return records.propagate();
        phases.push_back(assay::ladder_phase(records.value(), users, study.session().counter()));
        study.session().tell("  " + assay::number_text(phases.back().tokens_per_second, 4) + " tokens/s");
        return phases.back();
      },
      rules, study.most());
  if (!climbed && !study.session().stop()) return fault(climbed.error().message);
  std::vector<assay::Outcome> outcomes{assay::ladder_outcome(phases, rules, study.id("slt"))};
  if (claim) outcomes.push_back(assay::claimed_plateau_outcome(phases, rules, *claim, study.id("slt") + "/claim"));
  return study.finish(std::string(rules.name), std::move(outcomes));
}

int agents(Study& study) {
  const ServeOptions& given = study.given();
  const auto tier = tier_of(given.tier);
  if (!tier) return fault(tier.error().message);
  assay::AgentRules rules;
  if (given.seconds) rules.least_seconds = *given.seconds;
  if (given.least_queries > 0) rules.least_trajectories = given.least_queries;
  assay::AgentLoadOptions load;
  load.seed = given.seed;
  load.most_tool_seconds = given.tool_seconds;
  load.most_seconds = 3 * rules.least_seconds;
  if (given.input_words) load.turn_words = *given.input_words;
  if (given.prefix_words > 0) load.prefix_words = given.prefix_words;
  if (given.output_tokens) load.most_tokens = *given.output_tokens;
  if (!given.conversations.empty()) {
    const auto text = assay::read_file(given.conversations, "a file of conversations");
    if (!text) return fault(text.error().message);
    auto scripts = assay::scripts_from_text(text.value());
    if (!scripts) return fault(scripts.error().message);
    load.scripts = std::move(scripts).value();
  }
  assay::AgentSearch kept;
  const auto found = assay::search_agents(
      [&](std::size_t number) -> assay::Result<assay::AgentPhase> {
        if (study.session().stop()) return failure(ErrorKind::aborted, "the search was stopped");
        study.session().tell("load: " + std::to_string(number) + " agents");
        ++load.phase;
        const auto run = assay::run_agents(study.session().server(), study.plan().request, load, number, rules,
                                           study.session().client());
        if (!run) return run.propagate();
        if (study.session().stop()) return failure(ErrorKind::aborted, "the search was stopped");
        assay::AgentPhase phase = assay::judge_agents(run.value(), tier.value(), rules, study.session().counter());
        study.session().tell(std::string("  ") + (phase.sustained ? "sustained" : "not sustained"));
        kept.phases.push_back(phase);
        return phase;
      },
      rules, study.most());
  if (!found && !study.session().stop()) return fault(found.error().message);
  if (!found) {  // what ran is told, and decides nothing
    kept.limited = true;
    for (const assay::AgentPhase& phase : kept.phases)
      if (phase.sustained) kept.sustained = std::max(kept.sustained, phase.agents);
  }
  assay::Outcome outcome = assay::agent_outcome(found ? found.value() : kept, tier.value(), rules, given.accelerators,
                                                study.id("agent_perf"));
  const assay::AgentRules published;
  if (tier.value().model.empty() || rules.least_seconds < published.least_seconds ||
      rules.least_trajectories < published.least_trajectories)
    outcome.derivation.push_back("tier, seconds or trajectories are not the rules': this is no run by the rules");
  return study.finish("AA-AgentPerf", {std::move(outcome)});
}

int curve(Study& study, bool endpoints) {
  std::vector<std::size_t> users = study.given().users;
  if (users.empty())
    for (std::size_t number = 1; number <= std::min<std::size_t>(64, study.most()); number *= 2)
      users.push_back(number);
  std::vector<assay::FrontierPoint> points;
  std::vector<assay::Outcome> outcomes;
  for (const std::size_t number : users) {
    const auto records = study.run(number);
    if (!records && study.session().stop()) break;
    if (!records) return fault(records.error().message);
    assay::LoadSummaryOptions options;
    options.counter = study.session().counter();
    const assay::LoadSummary summary = assay::summarize_load(records.value(), options);
    points.push_back(endpoints ? assay::endpoints_point(summary, number)
                               : assay::inference_max_point(summary, number, study.given().accelerators));
    outcomes.push_back(
        assay::load_outcome(summary, study.id(study.given().scenario) + "/users-" + std::to_string(number)));
  }
  outcomes.push_back(endpoints ? assay::endpoints_outcome(points, {}, study.id("endpoints"))
                               : assay::frontier_outcome(points, study.given().accelerators, study.id("frontier")));
  return study.finish(endpoints ? "MLPerf Endpoints' curve" : "InferenceMAX's frontier", std::move(outcomes));
}

}  // namespace

int study_load(ServeSession& session, const ServeOptions& given, assay::LoadPlan plan) {
  const bool slt = given.scenario == "slt";
  const assay::EndpointsRules endpoints;
  plan.seconds = given.seconds.value_or(slt                             ? assay::system_load_test.phase_seconds
                                        : given.scenario == "endpoints" ? endpoints.least_seconds
                                                                        : 30);
  if (slt) {
    plan.workload.words = given.input_words.value_or(assay::system_load_test.input_tokens);
    plan.request.max_tokens = given.output_tokens.value_or(assay::system_load_test.output_tokens);
  }
  Study study(session, given, std::move(plan));
  if (slt) return ladder(study);
  return given.scenario == "agent_perf" ? agents(study) : curve(study, given.scenario == "endpoints");
}

}  // namespace assay_program
