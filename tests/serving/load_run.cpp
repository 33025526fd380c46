#include "assay/serving/load_run.hpp"

#include <algorithm>
#include <set>

#include "assay/serving/load_summary.hpp"
#include "serving/stub_server.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

StubHandler answers_quickly() {
  return [](const std::string&, const std::string&) { return plain_answer("x"); };
}

assay::ServerAddress address_of(const StubServer& server) {
  return assay::parse_server_url(server.url()).value();
}

}  // namespace

TEST_CASE("a closed loop keeps so many users busy, and warm-up does not count", "[serving]") {
  StubServer server(answers_quickly());
  assay::LoadPlan plan;
  plan.users = 3;
  plan.requests = 30;
  plan.warm_up = 5;
  plan.workload.words = 5;
  const auto records = assay::run_load(address_of(server), plan).value();
  CHECK(records.size() == 30);
  CHECK(server.requests() == 35);
  std::set<std::uint64_t> users;
  std::set<std::string> prompts;
  for (const auto& record : records) {
    users.insert(record.user);
    prompts.insert(record.prompt);
    CHECK(record.end == assay::RequestEnd::complete);
  }
  CHECK(users == std::set<std::uint64_t>{0, 1, 2});
  CHECK(prompts.size() == 30);
  CHECK(assay::summarize_load(records).most_in_flight <= 3);
}

TEST_CASE("an open loop sends by the schedule, whatever the server does", "[serving]") {
  StubServer server([](const std::string&, const std::string&) {
    StubScript script = plain_answer("x");
    script.front().at_ms = 100;
    return script;
  });
  assay::LoadPlan plan;
  plan.arrivals.process = assay::ArrivalProcess::constant;
  plan.arrivals.rate = 100;
  plan.seconds = 0.3;
  plan.prompts = {"a", "b"};
  const auto records = assay::run_load(address_of(server), plan).value();
  REQUIRE(records.size() == 30);
  for (std::size_t i = 0; i < records.size(); ++i) {
    CHECK(records[i].prompt == (i % 2 == 0 ? "a" : "b"));
    CHECK(records[i].scheduled_ns - records[0].scheduled_ns == Approx(1e7 * static_cast<double>(i)).margin(2));
  }
  // Ten arrive while the first waits: nobody waits for an answer.
  CHECK(assay::summarize_load(records).most_in_flight >= 5);
}

TEST_CASE("a trace is followed in times and lengths", "[serving]") {
  StubServer server(answers_quickly());
  assay::LoadPlan plan;
  plan.trace = assay::trace_from_text(
                   "{\"timestamp\":0,\"input_length\":3,\"output_length\":7}\n\n"
                   "{\"timestamp\":50,\"input_length\":9,\"output_length\":2}\n")
                   .value();
  const auto records = assay::run_load(address_of(server), plan).value();
  REQUIRE(records.size() == 2);
  CHECK(records[0].most_tokens == 7);
  CHECK(records[1].most_tokens == 2);
  CHECK(records[1].scheduled_ns - records[0].scheduled_ns == 50'000'000);
  CHECK(std::count(records[1].prompt.begin(), records[1].prompt.end(), ' ') == 9);
}

TEST_CASE("requests of a trace that share blocks share their beginning", "[serving]") {
  const auto trace = assay::trace_from_text(
                         R"({"timestamp":0,"input_length":600,"output_length":1,"hash_ids":[5,6]}
{"timestamp":1,"input_length":700,"output_length":1,"hash_ids":[5,7]}
{"timestamp":2,"input_length":600,"output_length":1,"hash_ids":[8,6]}
)")
                         .value();
  REQUIRE(trace.size() == 3);
  CHECK(trace[1].blocks == std::vector<std::uint64_t>{5, 7});
  std::vector<std::string> prompts;
  for (std::size_t i = 0; i < 3; ++i) prompts.push_back(assay::trace_prompt(trace[i], {}, i));
  const auto shared = [](const std::string& a, const std::string& b) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) words += a[i] == ' ' ? 1 : 0;
    return words;
  };
  CHECK(std::count(prompts[0].begin(), prompts[0].end(), ' ') == 600);  // behind the salt
  CHECK(std::count(prompts[1].begin(), prompts[1].end(), ' ') == 700);
  CHECK(shared(prompts[0], prompts[1]) >= 512);
  CHECK(shared(prompts[0], prompts[1]) < 530);
  CHECK(shared(prompts[0], prompts[2]) < 20);
  CHECK(assay::trace_from_text(R"({"timestamp":0,"input_length":6,"output_length":1,"hash_ids":["a"]})").error().kind ==
        assay::ErrorKind::malformed);
  CHECK(assay::trace_from_text(R"({"timestamp":0,"input_length":6,"output_length":1,"hash_ids":5})").error().kind ==
        assay::ErrorKind::malformed);
}

TEST_CASE("a server that refuses is not stormed", "[serving]") {
  StubServer server([](const std::string&, const std::string&) { return StubScript{{0, whole("{}", "503 Busy")}}; });
  assay::LoadPlan plan;
  plan.users = 1;
  plan.seconds = 0.25;
  const auto records = assay::run_load(address_of(server), plan).value();
  CHECK(records.size() <= 4);
  for (const auto& record : records) CHECK(record.end == assay::RequestEnd::http_error);
}

TEST_CASE("long prompts are named by beginning and number", "[serving]") {
  StubServer server(answers_quickly());
  assay::LoadPlan plan;
  plan.users = 1;
  plan.requests = 3;
  plan.workload.words = 400;
  plan.workload.distinct = 2;
  const auto records = assay::run_load(address_of(server), plan).value();
  REQUIRE(records.size() == 3);
  CHECK(records[0].prompt == records[2].prompt);
  CHECK(records[0].prompt != records[1].prompt);
  CHECK_THAT(records[1].prompt, contains("#1"));
}

TEST_CASE("traces, prompts and plans that are none are refused", "[serving]") {
  CHECK_FALSE(assay::trace_from_text(""));
  CHECK_THAT(assay::trace_from_text("{}").error().message, contains("line 1"));
  CHECK_FALSE(assay::trace_from_text("{\"timestamp\":-1,\"input_length\":3,\"output_length\":7}"));
  CHECK_THAT(assay::trace_from_text("{\"timestamp\":9,\"input_length\":3,\"output_length\":7}\n"
                                    "{\"timestamp\":8,\"input_length\":3,\"output_length\":7}")
                 .error()
                 .message,
             contains("goes back"));
  CHECK(assay::prompts_from_text("a\r\n\n{\"prompt\":\"b\"}\n{not json").value() ==
        std::vector<std::string>{"a", "b", "{not json"});
  CHECK_FALSE(assay::prompts_from_text("\n"));
  CHECK_FALSE(assay::prompts_from_text("{\"text\":\"b\"}"));
  CHECK_THAT(assay::prompts_from_text("a\n\xff").error().message, contains("line 2"));
  assay::LoadPlan plan;
  plan.seconds = 0;
  CHECK_FALSE(assay::run_load({"127.0.0.1", 1, "/v1"}, plan));
  plan.seconds = 1;
  plan.users = 1;
  plan.request.more = "{";
  CHECK_FALSE(assay::run_load({"127.0.0.1", 1, "/v1"}, plan));
}
