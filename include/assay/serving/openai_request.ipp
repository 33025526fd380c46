#pragma once

#include "assay/serving/openai_request.hpp"

#include <nlohmann/json.hpp>

#include "assay/serving/answer_check.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::string> request_body(const GenerationRequest& request) {
  using Json = nlohmann::ordered_json;
  for (const std::string* text : {&request.model, &request.system, &request.prompt})
    if (!is_utf8(*text)) return failure(ErrorKind::malformed, "a prompt or model name is no UTF-8; convert it first");
  Json body;
  if (!request.model.empty()) body["model"] = request.model;
  const bool chat = request.interface == ServingInterface::chat,
             responses = request.interface == ServingInterface::responses;
  if (chat) {
    body["messages"] = Json::array();
    if (!request.system.empty()) body["messages"].push_back({{"role", "system"}, {"content", request.system}});
    body["messages"].push_back({{"role", "user"}, {"content", request.prompt}});
  } else if (responses) {
    if (!request.system.empty()) body["instructions"] = request.system;
    body["input"] = request.prompt;
  } else {
    body["prompt"] = request.prompt;
  }
  body["stream"] = request.stream;
  if (request.stream && !responses) {
    body["stream_options"] = {{"include_usage", true}};
    if (request.count_every_event) body["stream_options"]["continuous_usage_stats"] = true;
  }
  if (request.max_tokens > 0) body[responses ? "max_output_tokens" : "max_tokens"] = request.max_tokens;
  const auto add = [&](const char* name, const auto& value) {
    if (value) body[name] = *value;
  };
  add("temperature", request.temperature);
  add("top_p", request.top_p);
  add("min_p", request.min_p);
  add("presence_penalty", request.presence_penalty);
  add("frequency_penalty", request.frequency_penalty);
  add("top_k", request.top_k);
  add("seed", request.seed);
  add("n", request.n);
  if (request.logprobs && chat) {
    body["logprobs"] = true;
    body["top_logprobs"] = *request.logprobs;
  } else if (request.logprobs) {
    body["logprobs"] = *request.logprobs;
  }
  if (!request.stop.empty()) body["stop"] = request.stop;
  if (request.ignore_eos) body["ignore_eos"] = true;
  if (!request.more.empty()) {
    const auto more = nlohmann::json::parse(request.more, nullptr, false);
    if (!more.is_object())
      return failure(ErrorKind::malformed, "what is to be added to requests is no object of JSON: " + request.more);
    for (const auto& [name, value] : more.items()) body[name] = value;
  }
  return body.dump();
}

ASSAY_DETAIL_HEADER_INLINE std::string request_path(ServingInterface interface) {
  return interface == ServingInterface::chat          ? "/chat/completions"
         : interface == ServingInterface::completions ? "/completions"
                                                      : "/responses";
}

}  // namespace assay::inline v0
