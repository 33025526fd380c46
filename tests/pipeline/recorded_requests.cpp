#include "assay/pipeline/recorded_requests.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

template <class Parsed>
std::string refusal(const Parsed& parsed) {
  REQUIRE(!parsed);
  CHECK(parsed.error().kind == ErrorKind::malformed);
  return parsed.error().message;
}

}  // namespace

TEST_CASE("Requests are read line by line", "[pipeline]") {
  const auto read = parse_split_requests(
      R"({"id":"a","begin":1,"end":2.5,"spans":[{"stage":"s","place":"p","begin":7,"end":8}],"answer":[1,2],"reference":[1,2]}

{"id":"b","begin":1,"end":2,"spans":[],"cut":true,"fell_back":true,"answer":"yes","reference":[0.5,1]})",
      "f");
  REQUIRE(read);
  const auto& requests = read.value();
  CHECK(
      (requests.size() == 2 && requests[0].end == 2.5 && !requests[0].cut && requests[1].cut && requests[1].fell_back));
  CHECK(requests[0].spans[0].place == "p");
  CHECK(std::get<StageIds>(*requests[0].answer).ids == std::vector<std::int64_t>{1, 2});
  CHECK(std::get<StageTexts>(*requests[1].answer).texts.front() == "yes");
  CHECK(std::get<StageTensor>(*requests[1].reference).values == std::vector<double>{0.5, 1});
}

TEST_CASE("What is wrong with a request is told with its line", "[pipeline]") {
  const auto said = [](const std::string& text) { return refusal(parse_split_requests(text, "f")); };
  CHECK(said("").find("has no line") != std::string::npos);
  CHECK(said("\n{").find("'f', line 2: this is no JSON") == 0);
  CHECK(said("[1]").find("no JSON object") != std::string::npos);
  CHECK(said(R"({"id":"a","begin":1,"spans":[]})").find("\"end\" is missing") != std::string::npos);
  CHECK(said(R"({"id":1,"begin":1,"end":2,"spans":[]})").find("\"id\" is 1; a text was expected") != std::string::npos);
  CHECK(said(R"({"id":"a","begin":1,"end":2,"spans":[],"fellback":true})").find("fell_back") != std::string::npos);
  CHECK(said(R"({"id":"a","begin":1,"end":2,"spans":[{"stage":"s"}]})").find("span 0: \"place\"") != std::string::npos);
  CHECK(said(R"({"id":"a","begin":1,"end":2,"spans":[],"answer":{}})").find("\"answer\"") != std::string::npos);
}

TEST_CASE("A promise is read, and what it cannot mean is refused", "[pipeline]") {
  const auto read = parse_split_promise(
      R"({"stages":["a","b"],"fallback":["c"],"deadline":0.1,"late_share":0.01,"stage_deadlines":{"c":0.05},
          "cost_per_second":{"edge":2},"answers":{"absolute":0.5,"origin":"derived"}})",
      "f");
  REQUIRE(read);
  CHECK(read.value().stages.size() == 2);
  CHECK(read.value().stage_deadlines.at("c") == 0.05);
  CHECK((read.value().answers.absolute == 0.5 && read.value().answers.origin == "derived"));
  const auto said = [](const std::string& text) { return refusal(parse_split_promise(text, "f")); };
  CHECK(said("{").find("no JSON object") != std::string::npos);
  CHECK(said(R"({"stages":[],"deadline":1})").find("\"stages\" is empty") != std::string::npos);
  CHECK(said(R"({"stages":["a"],"deadline":0})").find("not above 0") != std::string::npos);
  CHECK(said(R"({"stages":["a"],"deadline":1,"late_share":1})").find("late_share") != std::string::npos);
  CHECK(said(R"({"stages":["a"],"deadline":1,"stage_deadlines":{"b":1}})").find("unknown stage 'b'") !=
        std::string::npos);
  CHECK(said(R"({"stages":["a"],"deadline":1,"answers":{"absolut":1}})").find("absolute") != std::string::npos);
  CHECK(said(R"({"stages":["a"],"dead_line":1})").find("\"deadline\" is missing") != std::string::npos);
}

TEST_CASE("Epochs of a loader, and what it promises", "[pipeline]") {
  const auto epochs =
      parse_loaded_epochs(R"({"samples":[1,0],"checksums":[5,6],"seconds":2,"stalled_seconds":0.5})", "f");
  REQUIRE(epochs);
  CHECK((epochs.value()[0].samples[1] == 0 && epochs.value()[0].checksums[1] == 6 && epochs.value()[0].seconds == 2));
  const auto promise = parse_loader_promise(R"({"dataset":3,"batch":2,"drops_last":true})", "f");
  REQUIRE(promise);
  CHECK((promise.value().dataset == std::vector<std::int64_t>{0, 1, 2} && promise.value().drops_last));
  CHECK(refusal(parse_loaded_epochs(R"({"samples":[1],"checksums":[1,2]})", "f")).find("2 checksums of 1") !=
        std::string::npos);
  CHECK(refusal(parse_loaded_epochs(R"({"samples":[1.5]})", "f")).find("whole numbers") != std::string::npos);
  CHECK(refusal(parse_loader_promise(R"({"dataset":3,"batch":0})", "f")).find("\"batch\" is 0") != std::string::npos);
  CHECK(refusal(parse_loader_promise(R"({"batch":1})", "f")).find("\"dataset\" is missing") != std::string::npos);
}
