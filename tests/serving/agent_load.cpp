#include "assay/serving/agent_load.hpp"

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "stub_server.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

assay::ServerAddress address_of(const StubServer& server) {
  return {"127.0.0.1", server.port(), "/v1"};
}

assay::AgentLoadOptions quick() {
  assay::AgentLoadOptions load;
  load.least_turns = 2;
  load.most_turns = 3;
  load.prefix_words = 5;
  load.turn_words = 4;
  load.least_tool_seconds = 0.001;
  load.most_tool_seconds = 0.005;
  return load;
}

assay::AgentRules few(std::size_t trajectories, std::size_t each) {
  assay::AgentRules rules;
  rules.least_trajectories = trajectories;
  rules.least_each = each;
  rules.least_seconds = 0.01;
  return rules;
}

}  // namespace

TEST_CASE("agents send all that was said before, wait for their tools, and end enough conversations", "[serving]") {
  std::mutex lock;
  std::vector<nlohmann::json> bodies;
  StubServer server([&](const std::string&, const std::string& body) {
    const std::lock_guard guard(lock);
    bodies.push_back(nlohmann::json::parse(body));
    return plain_answer("answer " + std::to_string(bodies.back()["messages"].size()));
  });
  const auto run = assay::run_agents(address_of(server), {}, quick(), 3, few(9, 2)).value();
  const auto phase = assay::judge_agents(run, {"", 1e-9, 60}, few(9, 2));
  CHECK(phase.failed == 0);
  CHECK(phase.trajectories >= 9);
  CHECK(phase.fewest >= 2);
  std::map<std::uint64_t, std::size_t> next;
  for (std::size_t i = 0; i < run.turns.size(); ++i) {
    CHECK(run.turns[i].turn == next[run.turns[i].trajectory]++);
    CHECK(run.records[i].prompt.find("trajectory " + std::to_string(run.turns[i].trajectory)) == 0);
  }
  std::set<std::string> beginnings;
  for (const auto& body : bodies) {
    const auto& said = body["messages"];
    beginnings.insert(said[0]["content"]);
    REQUIRE(said.size() % 2 == 0);  // the beginning, and turns with an answer after each but the last
    for (std::size_t i = 2; i < said.size(); i += 2) {
      CHECK(said[i]["role"] == "assistant");
      CHECK(said[i]["content"] == "answer " + std::to_string(i));
    }
  }
  CHECK(beginnings.size() == 1);
}

TEST_CASE("a phase has a beginning of its own, and the same seed makes the same conversations", "[serving]") {
  auto load = quick();
  const auto one = assay::made_script(load, 3), again = assay::made_script(load, 3);
  CHECK(one.system == again.system);
  CHECK(one.steps.at(1).text == again.steps.at(1).text);
  CHECK(one.steps.at(1).tool_seconds >= load.least_tool_seconds);
  CHECK(one.steps.at(1).tool_seconds <= load.most_tool_seconds);
  CHECK(one.steps.front().tool_seconds == 0);
  CHECK(assay::made_script(load, 4).steps[0].text != one.steps[0].text);
  load.phase = 1;
  CHECK(assay::made_script(load, 3).system != one.system);
}

TEST_CASE("what fails ends its conversation and is counted", "[serving]") {
  int asked = 0;
  StubServer server([&](const std::string&, const std::string&) {
    return ++asked % 5 == 0 ? StubScript{{0, whole("{}", "503 Busy")}} : plain_answer("x");
  });
  auto load = quick();
  load.most_seconds = 1;
  const auto run = assay::run_agents(address_of(server), {}, load, 2, few(4, 1)).value();
  const auto phase = assay::judge_agents(run, {"", 1e-9, 60}, few(4, 1));
  CHECK(phase.failed > 0);
  CHECK_FALSE(phase.sustained);
  for (std::size_t i = 0; i + 1 < run.turns.size(); ++i)
    for (std::size_t later = i + 1; later < run.turns.size(); ++later)
      if (run.records[i].end != assay::RequestEnd::complete)
        CHECK(run.turns[later].trajectory != run.turns[i].trajectory);
}

TEST_CASE("a server that is too slow for enough conversations does not hold the phase forever", "[serving]") {
  StubServer server([](const std::string&, const std::string&) {
    auto script = plain_answer("x");
    script.front().at_ms = 60;
    return script;
  });
  auto load = quick();
  load.most_seconds = 0.15;
  const auto run = assay::run_agents(address_of(server), {}, load, 1, few(100, 100)).value();
  CHECK(run.records.size() <= 5);
  CHECK_FALSE(assay::judge_agents(run, {"", 1, 60}, few(100, 100)).enough);
}

TEST_CASE("recorded conversations are read and replayed", "[serving]") {
  const auto scripts = assay::scripts_from_text(
      "{\"system\":\"be brief\",\"turns\":[{\"text\":\"a\",\"max_tokens\":7},{\"text\":\"b\",\"delay_ms\":20}]}\n\n"
      "{\"turns\":[{\"text\":\"c\"}]}\n");
  REQUIRE(scripts);
  REQUIRE(scripts.value().size() == 2);
  CHECK(scripts.value()[0].steps[0].most_tokens == 7);
  CHECK(scripts.value()[0].steps[1].tool_seconds == 0.02);
  StubServer server([](const std::string&, const std::string&) { return plain_answer("x"); });
  auto load = quick();
  load.scripts = scripts.value();
  const auto run = assay::run_agents(address_of(server), {}, load, 1, few(2, 2)).value();
  REQUIRE(run.records.size() >= 3);
  CHECK(run.records[0].most_tokens == 7);
  CHECK(run.records[1].scheduled_ns - run.records[0].end_ns == 20'000'000);
  for (const char* bad :
       {"", "{}", "[]", "{\"turns\":[]}", "{\"turns\":[{}]}", "{\"turns\":[{\"text\":\"a\",\"delay_ms\":-1}]}",
        "{\"system\":1,\"turns\":[{\"text\":\"a\"}]}"})
    CHECK(assay::scripts_from_text(bad).error().kind == assay::ErrorKind::malformed);
}

TEST_CASE("what makes no agents is refused", "[serving]") {
  assay::GenerationRequest completions;
  completions.interface = assay::ServingInterface::completions;
  const assay::ServerAddress nobody{"127.0.0.1", 1, "/v1"};
  CHECK(assay::run_agents(nobody, completions, quick(), 1, {}).error().kind == assay::ErrorKind::unsupported);
  CHECK(assay::run_agents(nobody, {}, quick(), 0, {}).error().kind == assay::ErrorKind::invalid);
  auto empty = quick();
  empty.scripts = {{}};
  CHECK(assay::run_agents(nobody, {}, empty, 1, {}).error().kind == assay::ErrorKind::invalid);
}
