#include "assay/serving/scenario.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay::testing;
#include "testing/source_directory.hpp"

namespace {

/// The latencies that were fed to LoadGen, of which `over` are above 20 ms.
std::vector<double> injected_latencies(std::uint64_t n, std::uint64_t over) {
  std::vector<double> latencies;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t r = i * 7919 % n;
    latencies.push_back(static_cast<double>(r >= n - over ? 20'000'000 + r : 1'000'000 + r * 1000));
  }
  return latencies;
}

assay::ScenarioRun run_of(std::vector<double> latencies) {
  assay::ScenarioRun run;
  run.seconds = 600;
  run.latencies = std::move(latencies);
  return run;
}

}  // namespace

TEST_CASE("the 80 verdicts of LoadGen", "[serving]") {
  std::ifstream file(assay::testing::source_directory() / "tests/serving/data/loadgen_verdicts.csv");
  std::string line;
  REQUIRE(std::getline(file, line));
  int rows = 0;
  while (std::getline(file, line)) {
    std::string scenario;
    std::istringstream cells(line);
    std::getline(cells, scenario, ',');
    std::uint64_t n = 0, over = 0, early = 0, performance = 0, p90 = 0, p99 = 0, estimate_90 = 0, estimate_99 = 0,
                  enough = 0;
    char comma = 0;
    REQUIRE(cells >> n >> comma >> over >> comma >> early >> comma >> performance >> comma >> p90 >> comma >> p99 >>
            comma >> estimate_90 >> comma >> estimate_99 >> comma >> enough);
    INFO(line);
    auto rules = assay::rules_of(scenario == "SingleStream"  ? assay::Scenario::single_stream
                                 : scenario == "MultiStream" ? assay::Scenario::multi_stream
                                                             : assay::Scenario::server);
    if (rules.scenario == assay::Scenario::server) rules.most_latency = 10'000'000;
    const auto verdict = assay::judge_scenario(run_of(injected_latencies(n, over)), rules);
    CHECK(verdict.early_stopping == (early == 1));
    CHECK(verdict.performance == (performance == 1));
    CHECK(verdict.queries == (enough == 1));
    CHECK(verdict.valid == (early == 1 && performance == 1 && enough == 1));
    CHECK(*verdict.percentile_latency == static_cast<double>(rules.percentile == 0.9 ? p90 : p99));
    if (rules.scenario == assay::Scenario::single_stream)
      CHECK(verdict.estimate.value_or(0) == static_cast<double>(estimate_90));
    if (rules.scenario == assay::Scenario::multi_stream)
      CHECK(verdict.estimate.value_or(0) == static_cast<double>(estimate_99));
    ++rows;
  }
  CHECK(rows == 80);
}

TEST_CASE("a percentile within its limit that too few queries show is invalid", "[serving]") {
  auto rules = assay::rules_of(assay::Scenario::server);
  rules.most_latency = 10'000'000;
  const auto verdict = assay::judge_scenario(run_of(injected_latencies(2000, 10)), rules);
  CHECK(verdict.performance);
  CHECK_FALSE(verdict.early_stopping);
  REQUIRE(verdict.reasons.size() == 1);
  CHECK_THAT(verdict.reasons.front(), contains("2010 queries"));
}

TEST_CASE("limits of tokens are judged each for itself, one that no query has as well", "[serving]") {
  auto rules = assay::rules_of(assay::Scenario::server);
  rules.most_first_token = 0.45;
  rules.most_per_token = 0.04;
  assay::ScenarioRun run = run_of(std::vector<double>(2000, 1.0));
  run.first_tokens.assign(2000, 0.5);
  auto verdict = assay::judge_scenario(run, rules);
  CHECK_FALSE(verdict.valid);
  CHECK(verdict.reasons.size() == 3);
  run.first_tokens.assign(2000, 0.4);
  run.per_token.assign(2000, 0.03);
  verdict = assay::judge_scenario(run, rules);
  CHECK(verdict.valid);
  CHECK(verdict.metric == Approx(2000.0 / 600));
  run.failed = 1;
  CHECK_FALSE(assay::judge_scenario(run, rules).valid);
}

TEST_CASE("offline counts samples, Server asks for a limit, short runs are invalid", "[serving]") {
  assay::ScenarioRun run;
  run.seconds = 600;
  run.samples = 24'576;
  run.latencies = {600};
  const auto offline = assay::judge_scenario(run, assay::rules_of(assay::Scenario::offline));
  CHECK(offline.valid);
  CHECK(offline.metric == Approx(40.96));
  run.seconds = 599;
  run.samples = 24'575;
  CHECK(assay::judge_scenario(run, assay::rules_of(assay::Scenario::offline)).reasons.size() == 2);
  CHECK_FALSE(
      assay::judge_scenario(run_of(std::vector<double>(1000, 1.0)), assay::rules_of(assay::Scenario::server)).valid);
  CHECK_FALSE(assay::judge_scenario({}, assay::rules_of(assay::Scenario::single_stream)).valid);
}

TEST_CASE("a verdict becomes an outcome with its reasons", "[serving]") {
  const auto rules = assay::rules_of(assay::Scenario::single_stream);
  const auto outcome =
      assay::scenario_outcome(assay::judge_scenario(run_of(std::vector<double>(100, 0.001)), rules), rules, "m");
  CHECK(outcome.id == "serving/SingleStream/m");
  CHECK(outcome.verdict == assay::Verdict::pass);
  CHECK(*outcome.measurement("early_stopping_latency") == 0.001);
  const auto short_run = assay::scenario_outcome(assay::judge_scenario({}, rules), rules, "m");
  CHECK(short_run.verdict == assay::Verdict::fail);
  CHECK_THAT(short_run.reason, contains("at least 600 s"));
}
