#pragma once

#include "assay/serving/detail/server_feature_checker.hpp"

#include <nlohmann/json.hpp>

#include "assay/report/text.hpp"
#include "assay/serving/answer_check.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Outcome> ServerFeatureChecker::refused(
    const std::string& name, const std::vector<RequestRecord>& records) const {
  std::size_t failed = 0, unknown = 0;
  std::string why = "no request was made";
  for (const RequestRecord& record : records) {
    if (record.end == RequestEnd::complete) continue;
    ++failed;
    unknown += record.status >= 400 && record.status < 500 ? 1 : 0;
    why = record.reason;
  }
  if (records.empty() || (failed > 0 && unknown < records.size()))
    return outcome(name, Verdict::error, std::to_string(failed) + " requests were not answered: " + why);
  if (failed == 0) return std::nullopt;
  return outcome(name, Verdict::unsupported, "the server refuses what the check asks for: " + why);
}

/// Cold: the first that the server sees of a beginning. Hot: the same once its neighbors have filled the cache.
ASSAY_DETAIL_HEADER_INLINE Outcome ServerFeatureChecker::prefix_cache() {
  const std::string beginning = workload_prompt({8 * options_.words, 0, 1, true, options_.seed + 0xC01D}, 0);
  std::vector<PlannedRequest> requests;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string own = beginning.substr(0, beginning.size() * (i + 1) / 4) + ". " +
                            workload_prompt({options_.words, 0, 0, false, options_.seed + i}, i);
    requests.push_back(plan(greedy(own)));
  }
  const Records cold = ask(requests, 1), hot = ask(requests, 1);
  Records both = cold;
  both.insert(both.end(), hot.begin(), hot.end());
  if (auto answer = refused("prefix_cache", both)) return *answer;
  std::vector<AnswerFinding> findings;
  std::uint64_t cached = 0;
  bool told = false, other = true;
  std::size_t wrong = 0;
  const GoldenAnswers right = golden_answers(cold, nullptr);
  for (const RequestRecord& record : hot) {
    findings.push_back(compare_answer(record, right));
    wrong += findings.back().fault != AnswerFault::none ? 1 : 0;
    other = other && (findings.back().fault == AnswerFault::none || findings.back().fault == AnswerFault::other);
    told = told || record.usage.cached.has_value();
    cached += record.usage.cached.value_or(0);
  }
  Outcome made = judged("prefix_cache", findings, hot.size());
  made.measure("cached_tokens", static_cast<double>(cached), "tokens");
  if (wrong > 0 && other && !options_.require_invariance) {
    made.verdict = Verdict::inconclusive;
    made.reason =
        std::to_string(wrong) + " of " + std::to_string(hot.size()) +
        " greedy answers differ from those that found the cache cold: chunks of other sizes round otherwise, or "
        "the cache is wrong. Bitwise equality can be required";
  } else if (made.verdict == Verdict::pass && cached == 0) {
    made.verdict = told ? Verdict::inconclusive : Verdict::unsupported;
    made.reason = told ? "hot answers are as cold ones, and no token of theirs came from a cache"
                       : "hot answers are as cold ones; the server does not tell whether a cache was used";
  }
  return made;
}

/// Several answers to one request: greedy ones are the same, drawn ones are as many.
ASSAY_DETAIL_HEADER_INLINE Outcome ServerFeatureChecker::choices() {
  if (options_.request.interface == ServingInterface::responses)
    return outcome("choices", Verdict::unsupported, "the interface responses gives one answer to a request");
  std::vector<PlannedRequest> requests;
  for (const std::string& prompt : prompts_) {
    GenerationRequest request = greedy(prompt);
    request.n = 3;
    requests.push_back(plan(request));
  }
  const Records records = ask(requests, 1);
  if (auto answer = refused("choices", records)) return *answer;
  for (const RequestRecord& record : records) {
    std::set<std::uint32_t> seen;
    for (const AnswerEvent& event : record.events)
      if (is_output(event.kind)) seen.insert(event.choice);
    if (seen != std::set<std::uint32_t>{0, 1, 2})
      return outcome("choices", Verdict::fail, std::to_string(seen.size()) + " answers came to a request for three");
    for (std::uint32_t choice = 1; choice < 3; ++choice)
      if (record.output(choice) != record.output(0))
        return outcome("choices", options_.require_invariance ? Verdict::fail : Verdict::inconclusive,
                       "greedy answers to one request differ: '" + clipped(visible(record.output(0)), 40) + "' and '" +
                           clipped(visible(record.output(choice)), 40) + "'");
  }
  return outcome("choices", Verdict::pass);
}

/// A bias of +100 leaves one token, whichever it is: the answer is that token again and again.
ASSAY_DETAIL_HEADER_INLINE Outcome ServerFeatureChecker::logit_bias() {
  std::vector<PlannedRequest> requests;
  const std::uint64_t most = std::min<std::uint64_t>(options_.tokens, 6);
  for (const int token : {50, 60, 70}) {
    GenerationRequest request = greedy(prompts_.front());
    request.max_tokens = most;
    auto more = request.more.empty() ? nlohmann::json::object() : nlohmann::json::parse(request.more, nullptr, false);
    if (!more.is_object()) more = nlohmann::json::object();
    more["logit_bias"] = {{std::to_string(token), 100}};
    request.more = more.dump();
    requests.push_back(plan(request));
  }
  const Records records = ask(requests, 1);
  if (auto answer = refused("logit_bias", records)) return *answer;
  std::set<std::string> seen;
  for (const RequestRecord& record : records) {
    seen.insert(record.output());
    for (const AnswerEventKind kind : {AnswerEventKind::text, AnswerEventKind::reasoning}) {
      const std::string text = record.answer(0, kind);
      bool repeats = text.size() < 2;
      for (std::size_t length = 1; length <= text.size() / 2 && !repeats; ++length)
        repeats = text.compare(length, std::string::npos, text, 0, text.size() - length) == 0;
      if (!repeats)
        return outcome("logit_bias", Verdict::fail,
                       "with a bias of +100 on one token the answer is no repetition of one: '" +
                           clipped(visible(text), 60) + "'; the bias is not applied");
    }
  }
  if (seen.size() < 2)
    return outcome(
        "logit_bias", Verdict::inconclusive,
        "biases on three tokens brought the same answer: these tokens have no text, or the bias is not applied");
  return outcome("logit_bias", Verdict::pass);
}

/// At temperature 1 each of these leaves the likeliest token alone: answers are the greedy ones.
ASSAY_DETAIL_HEADER_INLINE Outcome ServerFeatureChecker::sampling_limits() {
  std::string unknown, known;
  for (const char* name : {"top_k", "top_p", "min_p"}) {
    std::vector<PlannedRequest> requests;
    for (const std::string& prompt : prompts_) {
      GenerationRequest request = greedy(prompt);
      request.temperature = 1;
      request.seed = static_cast<std::int64_t>(options_.seed);
      const std::string parameter = name;
      if (parameter == "top_k") request.top_k = 1;
      if (parameter == "top_p") request.top_p = 1e-6;
      if (parameter == "min_p") request.min_p = 1;
      requests.push_back(plan(request));
    }
    const Records records = ask(requests, 1);
    if (const auto answer = refused("sampling_limits", records)) {
      if (answer->verdict == Verdict::error) return *answer;
      unknown += (unknown.empty() ? "" : ", ") + std::string(name);
      continue;
    }
    for (const RequestRecord& record : records) {
      if (golden_.count(record.prompt) == 0) continue;
      if (compare_answer(record, golden_).fault != AnswerFault::none)
        return outcome("sampling_limits", Verdict::fail,
                       std::string(name) +
                           " that leaves the likeliest token alone gives another answer than greedy: '" +
                           clipped(visible(record.output()), 60) + "'");
      known = name;
    }
  }
  if (known.empty())
    return outcome(
        "sampling_limits", unknown.empty() ? Verdict::inconclusive : Verdict::unsupported,
        unknown.empty() ? "no prompt has one greedy answer to be held against" : "the server refuses " + unknown);
  Outcome made = outcome("sampling_limits", Verdict::pass);
  if (!unknown.empty()) made.derivation.push_back("the server refuses " + unknown);
  return made;
}

/// Whatever ends by itself under a demand for JSON is JSON.
ASSAY_DETAIL_HEADER_INLINE Outcome ServerFeatureChecker::structured() {
  if (options_.request.interface == ServingInterface::responses)
    return outcome("structured", Verdict::unsupported, "response_format is of the interfaces chat and completions");
  std::vector<PlannedRequest> requests;
  for (const std::string& prompt : prompts_) {
    GenerationRequest request = greedy("Answer with an object of JSON. " + prompt);
    request.max_tokens = 8 * options_.tokens;
    auto more = request.more.empty() ? nlohmann::json::object() : nlohmann::json::parse(request.more, nullptr, false);
    if (!more.is_object()) more = nlohmann::json::object();
    more["response_format"] = {{"type", "json_schema"},
                               {"json_schema",
                                {{"name", "answer"},
                                 {"strict", true},
                                 {"schema",
                                  {{"type", "object"},
                                   {"properties", {{"kind", {{"enum", {"a", "b"}}}}, {"right", {{"type", "boolean"}}}}},
                                   {"required", {"kind", "right"}},
                                   {"additionalProperties", false}}}}}};
    request.more = more.dump();
    requests.push_back(plan(request));
  }
  const Records records = ask(requests, options_.users);
  if (auto answer = refused("structured", records)) return *answer;
  std::size_t ended = 0;
  for (const RequestRecord& record : records) {
    if (record.finish_reason() == "length") continue;
    ++ended;
    const auto json = nlohmann::json::parse(record.answer(), nullptr, false);
    const bool right = json.is_object() && json.size() == 2 && json.contains("kind") && json.contains("right") &&
                       (json["kind"] == "a" || json["kind"] == "b") && json["right"].is_boolean();
    if (!right)
      return outcome(
          "structured", Verdict::fail,
          "an answer that was to follow a schema of JSON does not: '" + clipped(visible(record.answer()), 80) + "'");
  }
  if (ended == 0)
    return outcome("structured", Verdict::inconclusive,
                   "no answer ended by itself; allow more tokens, or prompts that lead to short ones");
  Outcome made = outcome("structured", Verdict::pass);
  made.measure("answers", static_cast<double>(ended), "answers");
  return made;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<RequestRecord> ServerFeatureChecker::post(
    const std::string& path, const std::vector<std::string>& bodies) const {
  ServerAddress root = server_;
  root.base.clear();  // these paths stand beside the base
  StreamClientOptions client;
  client.deadline = options_.deadline;
  client.key = options_.key;
  client.stop = options_.stop;
  client.keep_bodies = true;
  std::vector<PlannedRequest> requests;
  for (const std::string& body : bodies) {
    PlannedRequest planned;
    planned.path = path;
    planned.body = body;
    requests.push_back(std::move(planned));
  }
  auto records = run_requests(root, std::move(requests), client);
  return records ? std::move(records).value() : std::vector<RequestRecord>();
}

/// Text that becomes tokens becomes the same text again: by the paths of vLLM and llama.cpp, whose members differ.
ASSAY_DETAIL_HEADER_INLINE Outcome ServerFeatureChecker::tokenizer() {
  using Json = nlohmann::json;
  const std::vector<std::string> texts{"plain words, and 12345 numbers",
                                       "two  spaces\tand a tab",
                                       "line\nends\r\n",
                                       "\xc3\xa4\xc3\xb6\xc3\xbc \xe2\x82\xac \xe4\xb8\xad\xe6\x96\x87",
                                       "\xf0\x9f\x98\x80 e\xcc\x81",
                                       "def f(x):\n    return {\"a\": [x]}"};
  std::vector<std::string> bodies;
  for (const std::string& text : texts)
    bodies.push_back(Json{
        {"model", options_.request.model},
        {"content", text},
        {"prompt", text},
        {"add_special", false},
        {"add_special_tokens",
         false}}.dump());
  const auto split = post("/tokenize", bodies);
  const auto tokens_of = [](const RequestRecord& record) {
    const Json json = Json::parse(record.body, nullptr, false);
    return json.is_object() && json.contains("tokens") && json["tokens"].is_array() ? json["tokens"] : Json();
  };
  bodies.clear();
  for (const RequestRecord& record : split) {
    if (record.status != 200 || !tokens_of(record).is_array())
      return outcome("tokenizer", Verdict::unsupported,
                     "the server tells no tokens at /tokenize (status " + std::to_string(record.status) + ")");
    bodies.push_back(Json{{"model", options_.request.model}, {"tokens", tokens_of(record)}}.dump());
  }
  if (bodies.size() != texts.size()) return outcome("tokenizer", Verdict::error, "the requests could not be made");
  const auto joined = post("/detokenize", bodies);
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const Json json = Json::parse(joined[i].body, nullptr, false);
    const char* member = json.is_object() && json.contains("content") ? "content" : "prompt";
    if (joined[i].status != 200 || !json.is_object() || !json.contains(member) || !json[member].is_string())
      return outcome("tokenizer", Verdict::unsupported,
                     "the server tells no text at /detokenize (status " + std::to_string(joined[i].status) + ")");
    if (json[member].get<std::string>() != texts[i])
      return outcome("tokenizer", Verdict::fail,
                     "'" + visible(texts[i]) + "' became " + std::to_string(tokens_of(split[i]).size()) +
                         " tokens, and these '" + clipped(visible(json[member].get<std::string>()), 60) + "'");
  }
  return outcome("tokenizer", joined.size() == texts.size() ? Verdict::pass : Verdict::error,
                 joined.size() == texts.size() ? "" : "the requests could not be made");
}

}  // namespace assay::inline v0::detail
