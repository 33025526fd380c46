#include "assay/serving/agent_perf.hpp"

#include "records.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

const assay::AgentTier tier{"gpt-oss-120b", 100, 5};
const assay::AgentRules rules;

/// 31 tokens at `speed` after `first` seconds.
assay::RequestRecord answer(double first, double speed) {
  assay::RequestRecord record = empty_record();
  for (int i = 0; i < 31; ++i)
    record.events.push_back(event_at(1e3 * (first + i / speed), assay::AnswerEventKind::text, "a"));
  record.usage.completion = 31;
  record.end_ns = record.events.back().time_ns;
  return record;
}

/// Each agent ends `each` trajectories of four turns; `slow` of the answers have 80 tokens/s, `late` wait 6 s.
assay::AgentRun run_of(std::size_t agents, std::size_t each, double slow, double late) {
  assay::AgentRun run;
  run.agents = agents;
  run.seconds = 700;
  const std::size_t all = agents * each * 4;
  for (std::size_t i = 0; i < all; ++i) {
    const double place = (static_cast<double>((i * 7919) % all) + 0.5) / static_cast<double>(all);
    run.records.push_back(answer(place < late ? 6 : 1, place > 1 - slow ? 80 : 120));
    run.turns.push_back({i % agents, i / 4, i / agents % 4, i / agents % 4 == 3});
  }
  return run;
}

assay::ProbeAgents server_of(std::size_t capacity) {
  return [=](std::size_t agents) -> assay::Result<assay::AgentPhase> {
    return assay::judge_agents(run_of(agents, 20, agents <= capacity ? 0 : 0.9, 0), tier, rules);
  };
}

}  // namespace

TEST_CASE("tiers are those that are published", "[serving]") {
  CHECK(assay::find_agent_tier("gpt-oss-120b", 250)->first_token == 3);
  CHECK(assay::find_agent_tier("deepseek-v4-pro", 20)->first_token == 10);
  CHECK(assay::find_agent_tier("deepseek-v4-pro", 100) == nullptr);
}

TEST_CASE("a phase is judged by its slow quarter and its late twentieth", "[serving]") {
  const auto judged = [](double slow, double late) {
    return assay::judge_agents(run_of(4, 20, slow, late), tier, rules);
  };
  const auto good = judged(0.1, 0);
  CHECK(good.sustained);
  CHECK(good.decided);
  CHECK(good.enough);
  CHECK(good.trajectories == 80);
  CHECK(good.fewest == 20);
  CHECK_THAT(*good.speed, Catch::Matchers::WithinRel(120, 1e-9));
  CHECK(judged(0.2, 0.01).sustained);
  CHECK_FALSE(judged(0.4, 0).sustained);  // the slow quarter
  CHECK_FALSE(judged(0, 0.1).sustained);  // the late twentieth
  CHECK_FALSE(judged(0.27, 0).decided);   // told apart by the percentile alone
}

TEST_CASE("what failed or is too short does not count", "[serving]") {
  auto run = run_of(2, 20, 0, 0);
  run.records[3].end = assay::RequestEnd::truncated;
  const auto failed = assay::judge_agents(run, tier, rules);
  CHECK_FALSE(failed.sustained);
  CHECK(failed.failed == 1);
  const auto few = assay::judge_agents(run_of(40, 1, 0, 0), tier, rules);
  CHECK_FALSE(few.enough);
  CHECK_THAT(few.note, contains("40 trajectories (1 of an agent at least)"));
  CHECK_FALSE(assay::judge_agents({2, 0, {}, {}}, tier, rules).sustained);
}

TEST_CASE("a client that was late decides nothing", "[serving]") {
  auto run = run_of(2, 20, 0, 0);
  for (auto& record : run.records) record.started_ns += 50'000'000;
  const auto phase = assay::judge_agents(run, tier, rules);
  CHECK_FALSE(phase.valid);
  const auto search =
      assay::search_agents([&](std::size_t) -> assay::Result<assay::AgentPhase> { return phase; }, rules, 8);
  CHECK(search.value().limited);
  CHECK(search.value().sustained == 0);
  CHECK_THAT(assay::agent_outcome(search.value(), tier, rules, 1, "a").reason, contains("the client, not the server"));
}

TEST_CASE("agents are doubled, then bisected to the last one", "[serving]") {
  for (const std::size_t capacity : {1u, 2u, 5u, 12u, 31u}) {
    INFO(capacity);
    const auto search = assay::search_agents(server_of(capacity), rules, 64).value();
    CHECK(search.sustained == capacity);
    CHECK(search.refuted == capacity + 1);
    const auto outcome = assay::agent_outcome(search, tier, rules, 4, "agents");
    // One agent ends 20 trajectories here, and 30 are to be.
    CHECK(outcome.verdict == (capacity == 1 ? assay::Verdict::inconclusive : assay::Verdict::pass));
    CHECK(outcome.measurement("agents_per_accelerator") == static_cast<double>(capacity) / 4);
  }
  CHECK(assay::agent_outcome(assay::search_agents(server_of(0), rules, 64).value(), tier, rules, 1, "agents").verdict ==
        assay::Verdict::fail);
  const auto bounded = assay::agent_outcome(assay::search_agents(server_of(99), rules, 8).value(), tier, rules, 1, "a");
  CHECK(bounded.verdict == assay::Verdict::inconclusive);
  CHECK_THAT(bounded.reason, contains("up to 8 agents"));
  CHECK_FALSE(assay::search_agents(server_of(1), rules, 1));
}
