#include "assay/serving/openai_request.hpp"

#include <nlohmann/json.hpp>

#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

nlohmann::json body_of(const assay::GenerationRequest& request) {
  return nlohmann::json::parse(assay::request_body(request).value());
}

}  // namespace

TEST_CASE("requests say what was asked for, and nothing else", "[serving]") {
  assay::GenerationRequest request;
  request.prompt = "hi";
  request.model = "m";
  CHECK(body_of(request) == nlohmann::json::parse(R"({"model":"m","messages":[{"role":"user","content":"hi"}],
    "stream":true,"stream_options":{"include_usage":true}})"));
  request.interface = assay::ServingInterface::completions;
  request.stream = false;
  request.max_tokens = 7;
  request.temperature = 0.5;
  request.top_k = 3;
  request.seed = 9;
  request.stop = {"a"};
  request.ignore_eos = true;
  request.logprobs = 2;
  request.more = R"({"cache_prompt":false,"max_tokens":8})";
  CHECK(body_of(request) == nlohmann::json::parse(R"({"model":"m","prompt":"hi","stream":false,"max_tokens":8,
    "temperature":0.5,"top_k":3,"seed":9,"stop":["a"],"ignore_eos":true,"logprobs":2,"cache_prompt":false})"));
  request.interface = assay::ServingInterface::responses;
  request.system = "s";
  CHECK(body_of(request)["input"] == "hi");
  CHECK(body_of(request)["instructions"] == "s");
  CHECK(assay::request_path(assay::ServingInterface::chat) == "/chat/completions");
}

TEST_CASE("what is no JSON and no UTF-8 is refused", "[serving]") {
  assay::GenerationRequest request;
  request.more = "[1]";
  CHECK_THAT(assay::request_body(request).error().message, contains("no object"));
  request.more = "";
  request.prompt = "\xff";
  CHECK_FALSE(assay::request_body(request));
}
