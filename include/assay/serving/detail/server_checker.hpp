#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/answer_check.hpp"
#include "assay/serving/server_check_options.hpp"
#include "assay/serving/stream_client.hpp"
#include "assay/serving/workload.hpp"

namespace assay::inline v0::detail {

/// A server and what was learned of it so far.
class ServerChecker {
 public:
  ServerChecker(const ServerAddress& server, const ServerCheckOptions& options) : server_(server), options_(options) {
    for (std::size_t i = 0; i < (options.prompts.empty() ? options.distinct : options.prompts.size()); ++i)
      prompts_.push_back(options.prompts.empty() ? workload_prompt({options.words, 0, 0, true, options.seed}, i)
                                                 : options.prompts[i]);
  }

  Outcome repeatable();
  bool hot_answers_repeat();
  Outcome stream();
  Outcome under_load();
  Outcome cross_talk();
  Outcome token_limit();
  Outcome stop();
  Outcome seed();
  Outcome sampling();
  Outcome errors();
  /// Requests without load, whose answers are the golden ones of later checks. Error: none was answered.
  Result<void> learn();

 protected:
  using Records = std::vector<RequestRecord>;

  [[nodiscard]] GenerationRequest greedy(const std::string& prompt) const {
    GenerationRequest request = options_.request;
    request.prompt = prompt;
    request.temperature = 0;
    request.max_tokens = options_.tokens;
    return request;
  }
  /// A body that could not be made leaves a request that the server refuses, with the reason in its place.
  [[nodiscard]] static PlannedRequest plan(const GenerationRequest& request, std::uint64_t user = 0) {
    PlannedRequest planned;
    const auto body = request_body(request);
    planned.body = body ? body.value() : "{}";
    planned.user = user;
    planned.prompt = request.prompt;
    planned.path = request_path(request.interface);
    planned.most_tokens = request.max_tokens;
    return planned;
  }
  /// By so many users at once, each of whom takes the next request when its own is answered.
  [[nodiscard]] Records ask(std::vector<PlannedRequest> requests, std::size_t users, bool keep_bodies = false) const {
    StreamClientOptions client;
    client.deadline = options_.deadline;
    client.key = options_.key;
    client.stop = options_.stop;
    client.ended = options_.ended;
    client.keep_bodies = keep_bodies;
    std::size_t next = std::min(users, requests.size());
    client.next = [&](const RequestRecord&) -> std::optional<PlannedRequest> {
      if (next >= requests.size()) return std::nullopt;
      return requests[next++];
    };
    auto records =
        run_requests(server_, {requests.begin(), requests.begin() + static_cast<std::ptrdiff_t>(next)}, client);
    return records ? std::move(records).value() : Records();
  }
  [[nodiscard]] Records ask_all_greedy(std::size_t users, std::size_t rounds) const {
    std::vector<PlannedRequest> requests;
    for (std::size_t round = 0; round < rounds; ++round)
      for (const std::string& prompt : prompts_) requests.push_back(plan(greedy(prompt), requests.size()));
    return ask(std::move(requests), users);
  }
  [[nodiscard]] Outcome outcome(const std::string& name, Verdict verdict, std::string reason = "") const {
    Outcome made;
    made.id = "serving/check/" + name;
    made.verdict = verdict;
    made.reason = std::move(reason);
    made.seed = options_.seed;
    made.labels = {{"operation", "serving"}, {"check", name}};
    return made;
  }
  [[nodiscard]] Outcome judged(const std::string& name, const std::vector<AnswerFinding>& findings,
                               std::size_t answers) const {
    Outcome made = answer_outcome(findings, answers, "check/" + name);
    made.seed = options_.seed;
    made.labels["check"] = name;
    return made;
  }
  /// As `judged`, of answers to so many requests that are held against the golden ones: what had none was not compared,
  /// and no pass says that it was.
  [[nodiscard]] Outcome judged_by_golden(const std::string& name, const Records& records,
                                         const std::vector<AnswerFinding>& findings, std::size_t asked) const;
  /// Bytes of reasoning that the output to a prompt without load begins with.
  [[nodiscard]] std::size_t reasoning_size(const std::string& prompt) const;

  const ServerAddress& server_;
  const ServerCheckOptions& options_;
  std::vector<std::string> prompts_;
  Records first_, second_;
  GoldenAnswers golden_;
  std::vector<std::string> unstable_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/serving/detail/server_checker.ipp"
#endif
