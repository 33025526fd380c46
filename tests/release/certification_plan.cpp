#include "assay/release/certification_plan.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/release/certification_policy.hpp"
#include "assay/release/policy_file.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

std::string with(const std::string& members) {
  return R"({"schema": "assay-plan/1", "title": "t", )" + members + "}";
}
std::string stage(const std::string& name, const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "command": ["assay", "run", "--out", "{out}"])" + more + "}";
}

}  // namespace

TEST_CASE("a plan is read with its stages, and comments are welcome") {
  const auto plan = parse_plan(with("// a comment\n\"minutes\": 30, \"rows\": \"kernels/*\", \"stages\": [" +
                                    stage("a", R"(, "minutes": 2.5, "answers": ["kernels/*"], "why": "w")") + "," +
                                    stage("b") + "]"));
  REQUIRE(plan);
  CHECK(plan.value().minutes == 30);
  CHECK(plan.value().rows == std::vector<std::string>{"kernels/*"});
  REQUIRE(plan.value().stages.size() == 2);
  CHECK(plan.value().stages[0].minutes == 2.5);
  CHECK(plan.value().stages[0].command.back() == "{out}");
  CHECK(stages_that_answer(plan.value(), "kernels/GEMM") == std::vector<std::string>{"a"});
  CHECK(stages_that_answer(plan.value(), "hardware/memory").empty());
}

TEST_CASE("what is no plan is refused, and says where") {
  const std::pair<std::string, std::string> refused[] = {
      {"", "plan"},
      {"[]", "an object"},
      {R"({"schema": "assay-plan/2", "title": "t", "stages": []})", "assay-plan/1"},
      {with(R"("stages": [])"), "a stage at least"},
      {with("\"stagse\": []"), "stagse"},
      {with("\"minutes\": 0, \"stages\": [" + stage("a") + "]"), "minutes"},
      {with("\"minutes\": 1e99, \"stages\": [" + stage("a") + "]"), "minutes"},
      {with("\"minutes\": 5, \"stages\": [" + stage("a") + "]"), "longer than the whole plan"},
      {with("\"stages\": [" + stage("a") + "," + stage("a") + "]"), "twice"},
      {with("\"stages\": [" + stage("../a") + "]"), "folder"},
      {with("\"stages\": [" + stage(".") + "]"), "folder"},
      {with(R"("stages": [{"name": "a", "command": ["true"]}])"), "{out}"},
      {with(R"("stages": [{"name": "a", "command": []}])"), "not empty"},
      {with("\"stages\": [" + stage("a", ", \"measures\": 1") + "]"), "true or false"},
      {with(
           R"("stages": [{"name": "a", "everywhere": true, "command": ["assay", "run", "--shard", "{shard}", "{out}"]}])"),
       "leave out one"},
      {with(R"("stages": [{"name": "a"}])"), "command"}};
  for (const auto& [text, reason] : refused) {
    const auto plan = parse_plan(text);
    INFO(text);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().kind == ErrorKind::malformed);
    CHECK(plan.error().message.find(reason) != std::string::npos);
  }
}

TEST_CASE("rows choose gates; a row or an answer that names none is an error") {
  const auto policy = parse_policy(certification_policy);
  REQUIRE(policy);
  const auto counted = [&](const std::string& rows, const std::string& answers) {
    const auto plan = parse_plan(with(rows + "\"stages\": [" + stage("a", ", \"answers\": \"" + answers + "\"") + "]"));
    REQUIRE(plan);
    return policy_for(plan.value(), policy.value());
  };
  CHECK(counted("", "*").value().gates.size() == policy.value().gates.size());
  const auto two = counted(R"("rows": ["kernels/GEMM", "hardware/mem*"], )", "*");
  REQUIRE(two);
  REQUIRE(two.value().gates.size() == 2);
  CHECK(two.value().gates[0].name == "hardware/memory");
  CHECK(counted(R"("rows": ["kernel/GEMM"], )", "*").error().message.find("kernels/GEMM") != std::string::npos);
  CHECK(counted("", "nothing/*").error().kind == ErrorKind::not_found);
}

TEST_CASE("what measures is told by a plan, or by the command") {
  const auto plan = parse_plan(with("\"stages\": [" + stage("a") + "," + stage("b", ", \"measures\": true") +
                                    R"(, {"name": "c", "command": ["pytest", "{out}"]},
                                       {"name": "d", "command": ["pytest", "{out}"], "measures": false}])"));
  REQUIRE(plan);
  std::vector<bool> measures;
  for (const PlanStage& each : plan.value().stages) measures.push_back(each.measures);
  CHECK(measures == std::vector<bool>{false, true, true, false});

  using Command = std::vector<std::string>;
  for (const Command& command : {Command{"assay", "run", "--op", "gemm"}, Command{"assay", "collectives", "verify"},
                                 Command{"assay", "baseline", "compare"}, Command{"assay", "accuracy", "top1"},
                                 Command{"assay", "history", "scan"}})
    CHECK_FALSE(command_measures(command));
  for (const Command& command :
       {Command{}, Command{"assay"}, Command{"run"}, Command{"./bench", "run"}, Command{"assay", "collectives"},
        Command{"assay", "collectives", "sweep"}, Command{"assay", "hardware", "check"},
        Command{"assay", "serve-bench"}, Command{"assay", "run", "--roofline", "h100-sxm"},
        Command{"assay", "run", "--roofline=h100-sxm"}, Command{"assay", "something-new"}})
    CHECK(command_measures(command));
}

TEST_CASE("each stage falls to one shard, but for what is divided or runs everywhere") {
  const auto plan =
      parse_plan(with("\"stages\": [" + stage("a", ", \"minutes\": 1") + "," + stage("b", ", \"minutes\": 9") + "," +
                      stage("c", ", \"everywhere\": true") + "," + stage("d", ", \"minutes\": 4") + "," +
                      stage("e", ", \"minutes\": 4") +
                      R"(, {"name": "f", "command": ["assay", "run", "--shard={shard}", "--out", "{out}"]}])"));
  REQUIRE(plan);
  CHECK(plan.value().stages[5].divided());
  CHECK_FALSE(plan.value().stages[2].divided());
  using Places = std::vector<std::size_t>;
  CHECK(stages_of_shard(plan.value(), {1, 1}) == Places{0, 1, 2, 3, 4, 5});
  CHECK(stages_of_shard(plan.value(), {1, 2}) == Places{1, 2, 5});        // 9 minutes
  CHECK(stages_of_shard(plan.value(), {2, 2}) == Places{0, 2, 3, 4, 5});  // 4 + 4 + 1
  for (std::size_t count = 1; count <= 9; ++count) {
    std::vector<std::size_t> times(plan.value().stages.size(), 0);
    for (std::size_t index = 1; index <= count; ++index)
      for (const std::size_t place : stages_of_shard(plan.value(), {index, count})) ++times[place];
    CHECK(times == std::vector<std::size_t>{1, 1, count, 1, 1, count});
  }
}
