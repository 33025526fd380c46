#include "assay/serving/openai_answer.hpp"

#include <string>
#include <vector>

#include "serving/records.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;
using Kind = assay::AnswerEventKind;

namespace {

std::vector<Kind> kinds_of(const assay::RequestRecord& record) {
  std::vector<Kind> kinds;
  for (const auto& event : record.events) kinds.push_back(event.kind);
  return kinds;
}

assay::RequestRecord taken(const std::vector<std::string>& payloads, bool* goes_on = nullptr) {
  assay::RequestRecord record;
  for (const std::string& payload : payloads) {
    const bool more = assay::take_stream_payload(payload, 7, record);
    if (goes_on != nullptr) *goes_on = more;
  }
  return record;
}

std::string chat(const std::string& members, const std::string& finish = "null") {
  return R"({"choices":[{"index":0,"delta":{)" + members + R"(},"finish_reason":)" + finish + "}]}";
}

}  // namespace

TEST_CASE("llama.cpp's stream: a role without content is no token, usage comes without choices", "[serving]") {
  const auto record = taken({chat(R"("role":"assistant","content":null)"), chat(R"("reasoning_content":"hm")"),
                             chat(R"("content":"a")"), chat("", "\"stop\""),
                             R"({"choices":[],"usage":{"completion_tokens":3,"prompt_tokens":9,
                                "prompt_tokens_details":{"cached_tokens":4}}})",
                             "[DONE]"});
  CHECK(kinds_of(record) ==
        std::vector<Kind>{Kind::role, Kind::reasoning, Kind::text, Kind::finish, Kind::usage, Kind::done});
  CHECK(record.usage.completion == 3);
  CHECK(record.usage.cached == 4);
  CHECK(record.done_mark);
  CHECK(record.finish_reason() == "stop");
}

TEST_CASE("vLLM's stream: an empty content with the role, reasoning under another name, a count with each event",
          "[serving]") {
  const auto record = taken({chat(R"("role":"assistant","content":"")"),
                             R"({"choices":[{"index":0,"delta":{"reasoning":"x"}}],"usage":{"completion_tokens":1}})",
                             R"({"choices":[{"index":0,"delta":{"content":"yz"}}],"usage":{"completion_tokens":3}})"});
  CHECK(kinds_of(record) == std::vector<Kind>{Kind::role, Kind::reasoning, Kind::text});
  CHECK(record.events[1].counted == 1);
  CHECK(record.events[2].counted == 3);
}

TEST_CASE("role and first text in one event are a first token", "[serving]") {
  CHECK(kinds_of(taken({chat(R"("role":"assistant","content":"a")")})) == std::vector<Kind>{Kind::text});
}

TEST_CASE("transformers' stream: usage in the finish event", "[serving]") {
  const auto record =
      taken({R"({"choices":[{"index":0,"delta":{},"finish_reason":"length"}],"usage":{"completion_tokens":5}})"});
  CHECK(kinds_of(record) == std::vector<Kind>{Kind::finish});
  CHECK(record.usage.completion == 5);
}

TEST_CASE("tool calls are output, several choices are told apart, completions have text", "[serving]") {
  const auto tool = taken({chat(R"("tool_calls":[{"index":0,"function":{"name":"f","arguments":"{"}}])")});
  CHECK(kinds_of(tool) == std::vector<Kind>{Kind::tool});
  CHECK(tool.events[0].text == "f{");
  const auto both = taken({R"({"choices":[{"index":1,"text":"b"},{"index":0,"text":"a"}]})"});
  CHECK(both.answer(0) == "a");
  CHECK(both.answer(1) == "b");
}

TEST_CASE("the Responses interface has typed events", "[serving]") {
  const auto record = taken(
      {R"({"type":"response.created","response":{}})", R"({"type":"response.reasoning_text.delta","delta":"r"})",
       R"({"type":"response.output_text.delta","delta":"a"})", R"({"type":"response.output_text.done","text":"a"})",
       R"({"type":"response.completed","response":{"usage":{"input_tokens":2,"output_tokens":6}}})"});
  CHECK(kinds_of(record) == std::vector<Kind>{Kind::empty, Kind::reasoning, Kind::text, Kind::empty, Kind::finish});
  CHECK(record.usage.completion == 6);
  CHECK(record.usage.prompt == 2);
}

TEST_CASE("errors in the middle and what is no JSON end the stream, with their words", "[serving]") {
  bool goes_on = true;
  auto record = taken({chat(R"("content":"a")"), R"({"error":{"message":"out of blocks","code":500}})"}, &goes_on);
  CHECK_FALSE(goes_on);
  CHECK(record.end == assay::RequestEnd::stream_error);
  CHECK_THAT(record.reason, contains("out of blocks"));
  record = taken({R"({"object":"error","message":"bad","type":"BadRequestError"})"});
  CHECK(record.end == assay::RequestEnd::stream_error);
  for (const char* bad : {"<html>", "{", "[]", "3", "{\"a\":\"\xff\"}"}) {
    record = taken({bad}, &goes_on);
    CHECK_FALSE(goes_on);
    CHECK(record.end == assay::RequestEnd::malformed);
  }
}

TEST_CASE("members of other types than they are to have are passed over", "[serving]") {
  for (const char* odd : {R"({"choices":3})", R"({"choices":[3]})", R"({"choices":[{"index":-1,"delta":4,"text":5}]})",
                          R"({"usage":7})", R"({"choices":[{"delta":{"tool_calls":[[]],"content":[]}}]})", "{}"}) {
    const auto record = taken({odd});
    CHECK(record.end == assay::RequestEnd::complete);
    for (const auto& event : record.events) CHECK_FALSE(is_output(event.kind));
  }
}

TEST_CASE("whole answers are read, too, and errors have the server's words", "[serving]") {
  assay::RequestRecord record;
  CHECK(assay::take_whole_answer(R"({"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},
    "finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}})",
                                 7, record));
  CHECK(record.answer() == "hi");
  CHECK(record.finish_reason() == "stop");
  record = {};
  CHECK(assay::take_whole_answer(
      R"({"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"ok"}]}]})", 7,
      record));
  CHECK(record.answer() == "ok");
  CHECK(assay::error_message_of(R"({"error":{"message":"no such model"}})") == "no such model");
  CHECK(assay::error_message_of(R"({"detail":"gone"})") == "gone");
  CHECK_THAT(assay::error_message_of("<html>busy</html>"), contains("<html>busy"));
}
