#include "assay/serving/server_check.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "assay/serving/load_run.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "serving/stub_server.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;
using assay::Verdict;
using Json = nlohmann::json;

namespace {

/// What the server does wrong.
enum class Fault {
  none,
  no_repeat,             ///< greedy answers differ from time to time
  cross_talk,            ///< under load, now and then another user's answer
  truncated,             ///< under load, now and then half an answer
  batch_variance,        ///< under load, now and then another word
  beyond_limit,          ///< two tokens more than asked for
  forgets_stop,          ///< stop strings are not looked for
  stream_differs,        ///< streamed text lacks its first word
  wrong_sampling,        ///< tokens come from other probabilities than those that it tells
  accepts_anything,      ///< what is no JSON is answered
  one_varies,            ///< greedy answers to the first prompt differ from time to time
  refuses_ignore_eos,    ///< with status 503
  tells_some_counts,     ///< no token counts beside `ignore_eos`
  refuses_some_samples,  ///< now and then a request for probabilities, with status 503
  cache_rounds,          ///< no fault: what was asked before ends in another word, from then on
  cache_mixes,           ///< what was asked before gets an answer of another, from the cache
  one_choice,            ///< to a request for several
  ignores_bias,          ///< of logits
  ignores_min_p,         ///< and draws from all tokens
  breaks_json,           ///< one answer is cut within its object, which it does not tell
  loses_blanks,          ///< its tokenizer makes one blank of two
  reasons                ///< no fault: the first half of an answer is reasoning
};

/// A model of words that are drawn by the hash of the prompt; it repeats numbers that it is asked to.
class StubModel {
 public:
  explicit StubModel(Fault fault, bool strict = false) : fault_(fault), strict_(strict) {}

  StubScript answer(const std::string& head, const std::string& body) {
    if (head.find("GET /v1/models") != std::string::npos) return {{0, whole(R"({"data":[{"id":"stub"}]})")}};
    const Json request = Json::parse(body, nullptr, false);
    if (!request.is_object() && fault_ != Fault::accepts_anything)
      return {{0, whole(R"({"error":"no JSON"})", "400 Bad Request")}};
    if (!request.is_object()) return {{0, whole("{\"choices\":[]}")}};
    if (strict_ && (request.contains("min_p") || request.contains("top_k")))
      return {{0, whole(R"({"error":"unknown parameter"})", "400 Bad Request")}};
    if (head.find("tokenize") != std::string::npos) return tokens(head, request);
    const bool loaded = busy();
    ++requests_;
    const std::string prompt = request["messages"].back()["content"];
    const auto most = request.value("max_tokens", std::size_t{16});
    const bool one_left = request.value("top_k", 0) == 1 || request.value("top_p", 1.0) < 1e-3 ||
                          (request.value("min_p", 0.0) == 1 && fault_ != Fault::ignores_min_p);
    const bool greedy = request.value("temperature", 1.0) == 0 || one_left;
    std::uint64_t seed =
        std::hash<std::string>()(prompt) ^ (greedy ? 0 : request.value("seed", std::uint64_t{requests_}) * 7919);
    if (first_.empty()) first_ = prompt;
    if (fault_ == Fault::no_repeat || (fault_ == Fault::one_varies && prompt == first_)) seed += requests_;
    if ((fault_ == Fault::refuses_ignore_eos && request.contains("ignore_eos")) ||
        (fault_ == Fault::refuses_some_samples && request.value("logprobs", false) && requests_ % 5 == 0))
      return {{0, whole(R"({"error":"overloaded"})", "503 Service Unavailable")}};
    std::vector<std::string> words = words_of(prompt, seed, most);
    const bool now = loaded && requests_ % 3 == 0;
    if (fault_ == Fault::cross_talk && now && !last_.empty()) words = last_;
    if (fault_ == Fault::truncated && now) words.resize(words.size() / 2);
    if (fault_ == Fault::batch_variance && now) words.back() = " other";
    if (fault_ == Fault::beyond_limit) words.insert(words.end(), {" more", " yet"});
    last_ = words;
    const bool cached = !seen_.insert(prompt).second;
    if (fault_ == Fault::cache_rounds && cached) words.back() = " rounded";
    if (fault_ == Fault::cache_mixes && cached && prompt.size() > 300) words = {" of", " another"};
    if (request.contains("logit_bias") && fault_ != Fault::ignores_bias)
      words.assign(most, " t" + request["logit_bias"].begin().key());
    if (request.contains("response_format")) {
      const bool broken = fault_ == Fault::breaks_json && requests_ % 3 == 0;
      return plain_answer(R"({\"kind\": \"a\", \"right\": tr)" + std::string(broken ? "" : "ue}"));
    }
    if (request.contains("n") && fault_ != Fault::one_choice) return several(words, request["n"]);
    if (request.value("logprobs", false)) return sampled(seed);
    if (fault_ == Fault::reasons)
      return reasoned(words, request.contains("stop") ? request["stop"][0].get<std::string>() : "",
                      request.value("stream", false), cached);
    if (request.contains("stop") && fault_ != Fault::forgets_stop) cut(words, request["stop"][0]);
    if (fault_ == Fault::stream_differs && request.value("stream", false)) words.erase(words.begin());
    if (fault_ == Fault::tells_some_counts && request.contains("ignore_eos"))
      return stream_of({sse(content(words.front())), sse(delta("", "\"stop\"")), sse("[DONE]")});
    return request.value("stream", false) ? streamed(words, cached) : at_once(words, cached);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Whether other answers are under way, which take 4 ms each.
  bool busy() {
    const auto now = Clock::now();
    std::erase_if(under_way_, [&](Clock::time_point end) { return end < now; });
    under_way_.push_back(now + std::chrono::milliseconds(4));
    return under_way_.size() > 1;
  }
  static std::vector<std::string> words_of(const std::string& prompt, std::uint64_t seed, std::size_t most) {
    const std::string question = "Repeat the number ";
    if (const std::size_t at = prompt.find(question); at != std::string::npos)
      return {" It", " is", " " + prompt.substr(at + question.size(), 7)};
    assay::detail::RandomSequence random(seed);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < most; ++i) words.push_back(" w" + std::to_string(random.below(1000)));
    return words;
  }
  static void cut(std::vector<std::string>& words, const std::string& stop) {
    std::string text;
    for (const std::string& word : words) text += word;
    words = {text.substr(0, text.find(stop))};
  }
  StubScript sampled(std::uint64_t seed) const {
    const std::vector<double> told{0.4, 0.3, 0.2, 0.1}, actual{0.55, 0.25, 0.15, 0.05};
    const std::vector<double>& drawn = fault_ == Fault::wrong_sampling ? actual : told;
    assay::detail::RandomSequence random(seed);
    double left = static_cast<double>(random.next() >> 11) * 0x1p-53;
    std::size_t token = 0;
    while (token + 1 < drawn.size() && left >= drawn[token]) left -= drawn[token++];
    Json top = Json::array();
    for (std::size_t i = 0; i < told.size(); ++i)
      top.push_back({{"token", std::string(1, static_cast<char>('a' + i))}, {"logprob", std::log(told[i])}});
    const std::string text(1, static_cast<char>('a' + token));
    const Json answer{{"choices",
                       {{{"index", 0},
                         {"message", {{"role", "assistant"}, {"content", text}}},
                         {"finish_reason", "length"},
                         {"logprobs", {{"content", {{{"token", text}, {"top_logprobs", top}}}}}}}}}};
    return {{1, whole(answer.dump())}};
  }
  /// The first half as reasoning; behind it the text, which begins without a blank. A stop string is found in either.
  static StubScript reasoned(const std::vector<std::string>& words, const std::string& stop, bool stream, bool cached) {
    std::string thought, text;
    for (std::size_t i = 0; i < words.size(); ++i)
      (i < words.size() / 2 ? thought : text) += words[i].substr(i == words.size() / 2 ? 1 : 0);
    if (!stop.empty() && thought.find(stop) != std::string::npos)
      thought.resize(thought.find(stop)), text.clear();
    else if (!stop.empty())
      text = text.substr(0, text.find(stop));
    const std::string thinks = R"("reasoning_content":")" + thought + "\"", usage = usage_of(words.size(), cached);
    if (!stream)
      return {{4, whole(R"({"choices":[{"index":0,"message":{)" + thinks + R"(,"content":")" + text +
                        R"("},"finish_reason":"stop"}],)" + usage + "}")}};
    return {{0, http_head()},
            {4, chunk(sse(delta(thinks))) + chunk(sse(content(text))) + chunk(sse(delta("", "\"stop\""))) +
                    chunk(sse(R"({"choices":[],)" + usage + "}")) + chunk(sse("[DONE]")) + last_chunk()}};
  }
  /// Answers one after the other in a stream.
  static StubScript several(const std::vector<std::string>& words, std::size_t count) {
    std::string bytes;
    for (std::size_t choice = 0; choice < count; ++choice)
      for (const std::string& word : words)
        bytes += chunk(sse(R"({"choices":[{"index":)" + std::to_string(choice) + R"(,"delta":{"content":")" + word +
                           R"("},"finish_reason":null}]})"));
    for (std::size_t choice = 0; choice < count; ++choice)
      bytes +=
          chunk(sse(R"({"choices":[{"index":)" + std::to_string(choice) + R"(,"delta":{},"finish_reason":"stop"}]})"));
    return {{0, http_head()}, {4, bytes + chunk(sse("[DONE]")) + last_chunk()}};
  }
  /// A byte a token.
  StubScript tokens(const std::string& head, const Json& request) const {
    if (head.find("POST /tokenize") != std::string::npos) {
      const std::string text = request["content"];
      Json list = Json::array();
      for (std::size_t i = 0; i < text.size(); ++i)
        if (fault_ != Fault::loses_blanks || text.compare(i, 2, "  ") != 0)
          list.push_back(static_cast<unsigned char>(text[i]));
      return {{0, whole(Json{{"tokens", list}}.dump())}};
    }
    std::string text;
    for (const auto& token : request["tokens"]) text += static_cast<char>(token.get<int>());
    return {{0, whole(Json{{"content", text}}.dump())}};
  }
  static std::string usage_of(std::size_t count, bool cached) {
    return R"("usage":{"completion_tokens":)" + std::to_string(count) +
           R"(,"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":)" + (cached ? "8" : "0") + "}}";
  }
  static StubScript at_once(const std::vector<std::string>& words, bool cached) {
    std::string text;
    for (const std::string& word : words) text += word;
    return {{4, whole(R"({"choices":[{"index":0,"message":{"content":")" + text + R"("},"finish_reason":"stop"}],)" +
                      usage_of(words.size(), cached) + "}")}};
  }
  static StubScript streamed(const std::vector<std::string>& words, bool cached) {
    std::string bytes;
    for (const std::string& word : words) bytes += chunk(sse(content(word)));
    bytes += chunk(sse(delta("", "\"stop\"")));
    bytes += chunk(sse(R"({"choices":[],)" + usage_of(words.size(), cached) + "}"));
    return {{0, http_head()}, {4, bytes + chunk(sse("[DONE]")) + last_chunk()}};
  }

  Fault fault_;
  bool strict_;  ///< refuses parameters that OpenAI does not have
  std::uint64_t requests_ = 0;
  std::vector<std::string> last_;
  std::string first_;  ///< prompt
  std::set<std::string> seen_;
  std::vector<Clock::time_point> under_way_;
};

std::map<std::string, assay::Outcome> check_with(Fault fault, bool require_invariance = false, bool strict = false) {
  StubModel model(fault, strict);
  StubServer server([&](const std::string& head, const std::string& body) { return model.answer(head, body); });
  const auto address = assay::parse_server_url(server.url()).value();
  assay::ServerCheckOptions options;
  options.request.model = assay::first_model(address).value();
  options.distinct = 4;
  options.tokens = 12;
  options.samples = 400;
  options.require_invariance = require_invariance;
  std::map<std::string, assay::Outcome> outcomes;
  for (assay::Outcome& outcome : assay::check_server(address, options).value())
    outcomes[outcome.id.substr(std::string("serving/check/").size())] = outcome;
  return outcomes;
}

}  // namespace

TEST_CASE("a right server is accused of nothing", "[serving]") {
  for (const Fault right : {Fault::none, Fault::reasons}) {
    const auto outcomes = check_with(right, true);
    CHECK(outcomes.size() == assay::server_check_names().size());
    for (const auto& [name, outcome] : outcomes) {
      INFO(name << ": " << outcome.reason);
      CHECK(outcome.verdict == Verdict::pass);
    }
  }
}

TEST_CASE("a server that refuses what OpenAI does not have is asked without", "[serving]") {
  const auto outcomes = check_with(Fault::none, true, true);
  CHECK(outcomes.at("sampling").verdict == Verdict::pass);
  CHECK(outcomes.at("sampling_limits").verdict == Verdict::pass);  // by top_p alone
  CHECK_THAT(outcomes.at("sampling_limits").derivation.back(), contains("refuses top_k, min_p"));
}

TEST_CASE("each fault is found by its check", "[serving]") {
  const std::vector<std::tuple<Fault, std::string, std::string>> cases{
      {Fault::no_repeat, "repeatable", "differ between two passes"},
      {Fault::cross_talk, "under_load", "swapped"},
      {Fault::cross_talk, "cross_talk", "mixed"},
      {Fault::truncated, "under_load", "truncated"},
      {Fault::beyond_limit, "token_limit", "more than the"},
      {Fault::forgets_stop, "stop", "answers are wrong"},
      {Fault::stream_differs, "stream", "answers are wrong"},
      {Fault::wrong_sampling, "sampling", "do not come from the distribution"},
      {Fault::accepts_anything, "errors", "400 was to come"},
      {Fault::one_choice, "choices", "1 answers came to a request for three"},
      {Fault::ignores_bias, "logit_bias", "the bias is not applied"},
      {Fault::ignores_min_p, "sampling_limits", "min_p that leaves the likeliest token alone"},
      {Fault::breaks_json, "structured", "to follow a schema of JSON does not"},
      {Fault::loses_blanks, "tokenizer", "'two  spaces"}};
  for (const auto& [fault, check, reason] : cases) {
    const auto outcomes = check_with(fault);
    const assay::Outcome& outcome = outcomes.at(check);
    INFO(check << ": " << outcome.reason);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK_THAT(outcome.reason, contains(reason));
  }
}

TEST_CASE("batch variance is told, and fails where invariance is required", "[serving]") {
  CHECK(check_with(Fault::batch_variance).at("under_load").verdict == Verdict::inconclusive);
  CHECK(check_with(Fault::batch_variance, true).at("under_load").verdict == Verdict::fail);
}

TEST_CASE("a prefix cache that changes answers is told, and fails where invariance is required", "[serving]") {
  CHECK(check_with(Fault::cache_mixes).at("prefix_cache").verdict == Verdict::inconclusive);
  CHECK(check_with(Fault::cache_mixes, true).at("prefix_cache").verdict == Verdict::fail);
}

TEST_CASE("checks are chosen by name, and a server that is not there is an error", "[serving]") {
  StubServer server([](const std::string&, const std::string&) { return plain_answer("x"); });
  const auto address = assay::parse_server_url(server.url()).value();
  assay::ServerCheckOptions options;
  options.distinct = 1;
  options.only = {"stream"};
  CHECK(assay::check_server(address, options).value().size() == 1);
  options.only = {"strem"};
  CHECK(assay::check_server(address, options).error().kind == assay::ErrorKind::not_found);
  options.only = {};
  options.users = 0;
  CHECK(assay::check_server(address, options).error().kind == assay::ErrorKind::invalid);
  options.users = 1;
  CHECK_THAT(assay::check_server({"127.0.0.1", 1, "/v1"}, options).error().message, contains("no connection"));
  CHECK_FALSE(assay::first_model({"127.0.0.1", 1, "/v1"}));
}

TEST_CASE("what a server does not tell is unsupported, never a pass", "[serving]") {
  StubServer server([](const std::string&, const std::string&) {
    return stream_of({sse(content("one two three four five six")), sse(delta("", "\"stop\""))});
  });
  assay::ServerCheckOptions options;
  options.distinct = 1;
  options.samples = 5;
  std::map<std::string, Verdict> verdicts;
  for (const auto& outcome : assay::check_server(assay::parse_server_url(server.url()).value(), options).value())
    verdicts[outcome.label("check")] = outcome.verdict;
  CHECK(verdicts.at("token_limit") == Verdict::unsupported);
  CHECK(verdicts.at("sampling") == Verdict::unsupported);
  CHECK(verdicts.at("cross_talk") == Verdict::inconclusive);
  CHECK(verdicts.at("seed") == Verdict::inconclusive);
  CHECK(verdicts.at("errors") == Verdict::fail);
}

TEST_CASE("answers that differ once the prefix cache is hot are told, and are no failure unless that is asked for",
          "[serving]") {
  const assay::Outcome told = check_with(Fault::cache_rounds).at("repeatable");
  CHECK(told.verdict == Verdict::inconclusive);
  CHECK_THAT(told.reason, contains("4 of 4 greedy answers differ once the prefix cache is hot"));
  CHECK(check_with(Fault::cache_rounds, true).at("repeatable").verdict == Verdict::fail);
}

TEST_CASE("answers that were not compared are no pass", "[serving]") {
  const auto outcomes = check_with(Fault::one_varies);
  CHECK(outcomes.at("repeatable").verdict == Verdict::fail);
  CHECK(outcomes.at("stream").verdict == Verdict::inconclusive);
  CHECK_THAT(outcomes.at("stream").reason, contains("3 of 4 answers were compared"));
  CHECK(outcomes.at("under_load").verdict == Verdict::inconclusive);
  CHECK_THAT(outcomes.at("under_load").reason, contains("9 of 12 answers were compared"));
}

TEST_CASE("requests that failed or told no counts leave a limit undecided", "[serving]") {
  const assay::Outcome failed = check_with(Fault::refuses_ignore_eos).at("token_limit");
  CHECK(failed.verdict == Verdict::inconclusive);
  CHECK_THAT(failed.reason, contains("of 8 requests 4 were not answered, and 0 were answered without a token count"));
  const assay::Outcome untold = check_with(Fault::tells_some_counts).at("token_limit");
  CHECK(untold.verdict == Verdict::inconclusive);
  CHECK_THAT(untold.reason, contains("of 8 requests 0 were not answered, and 4 were answered without a token count"));
}

TEST_CASE("fewer tokens than were to be drawn are no pass of sampling", "[serving]") {
  const assay::Outcome outcome = check_with(Fault::refuses_some_samples).at("sampling");
  INFO(outcome.reason);
  CHECK(outcome.verdict == Verdict::inconclusive);
  CHECK_THAT(outcome.reason, contains("of 400 tokens were drawn"));
}
