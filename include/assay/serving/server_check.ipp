#include "assay/serving/server_check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "assay/core/nearest_name.hpp"
#include "assay/report/text.hpp"
#include "assay/serving/answer_check.hpp"
#include "assay/serving/detail/stream_loop.hpp"
#include "assay/serving/detail/told_probabilities.hpp"
#include "assay/serving/distribution_test.hpp"
#include "assay/serving/workload.hpp"

namespace assay::inline v0 {
namespace detail {

/// A server and what was learned of it so far.
class ServerChecker {
 public:
  ServerChecker(const ServerAddress& server, const ServerCheckOptions& options) : server_(server), options_(options) {
    for (std::size_t i = 0; i < (options.prompts.empty() ? options.distinct : options.prompts.size()); ++i)
      prompts_.push_back(options.prompts.empty() ? workload_prompt({options.words, 0, 0, true, options.seed}, i)
                                                 : options.prompts[i]);
  }

  Outcome repeatable();
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

 private:
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

  const ServerAddress& server_;
  const ServerCheckOptions& options_;
  std::vector<std::string> prompts_;
  Records first_, second_;
  GoldenAnswers golden_;
  std::vector<std::string> unstable_;
};

ASSAY_DETAIL_HEADER_INLINE Result<void> ServerChecker::learn() {
  first_ = ask_all_greedy(1, 1);
  second_ = ask_all_greedy(1, 1);
  Records both = first_;
  both.insert(both.end(), second_.begin(), second_.end());
  golden_ = golden_answers(both, &unstable_);
  for (const RequestRecord& record : both)
    if (record.end == RequestEnd::complete) return {};
  return failure(ErrorKind::io, "no request was answered" + (both.empty() ? "" : ": " + both.front().reason));
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::repeatable() {
  std::vector<AnswerFinding> findings;
  std::uint64_t cached = 0;
  bool told = false;
  for (const Records* pass : {&first_, &second_})
    for (const RequestRecord& record : *pass) {
      findings.push_back(compare_answer(record, golden_));
      if (findings.back().fault == AnswerFault::none && record.output().empty())
        findings.back().fault = AnswerFault::empty, findings.back().evidence = "no output";
    }
  for (const RequestRecord& record : second_) {
    told = told || record.usage.cached.has_value();
    cached += record.usage.cached.value_or(0);
  }
  Outcome made = judged("repeatable", findings, first_.size() + second_.size());
  made.derivation.push_back(!told ? "the server does not tell whether a prefix cache was used"
                            : cached > 0
                                ? "the second pass took " + std::to_string(cached) + " tokens from a prefix cache"
                                : "no token of the second pass came from a prefix cache");
  if (!unstable_.empty() && made.verdict == Verdict::pass) {
    made.verdict = Verdict::fail;
    made.reason = std::to_string(unstable_.size()) + " of " + std::to_string(prompts_.size()) +
                  " greedy answers differ between two passes without load, first of '" +
                  clipped(visible(unstable_.front()), 60) + "'";
  }
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::stream() {
  std::vector<PlannedRequest> requests;
  for (const std::string& prompt : prompts_) {
    GenerationRequest request = greedy(prompt);
    request.stream = !options_.request.stream;
    requests.push_back(plan(request));
  }
  const Records records = ask(requests, 1);
  std::vector<AnswerFinding> findings;
  for (const RequestRecord& record : records) findings.push_back(compare_answer(record, golden_));
  return judged("stream", findings, golden_.empty() ? 0 : records.size());
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::under_load() {
  const Records records = ask_all_greedy(options_.users, options_.rounds);
  std::vector<AnswerFinding> findings;
  std::size_t variant = 0, other = 0;
  for (const RequestRecord& record : records) {
    findings.push_back(compare_answer(record, golden_));
    if (findings.back().fault == AnswerFault::other)
      ++variant;
    else if (findings.back().fault != AnswerFault::none)
      ++other;
  }
  Outcome made = judged("under_load", findings, golden_.empty() ? 0 : records.size());
  made.measure("users", static_cast<double>(options_.users), "users");
  if (variant > 0 && other == 0 && !options_.require_invariance) {
    made.verdict = Verdict::inconclusive;
    made.reason = std::to_string(variant) + " of " + std::to_string(records.size()) +
                  " greedy answers differ from those without load: the batch changes rounding, or answers; nothing is "
                  "truncated, repeated or swapped. Bitwise equality can be required";
  }
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::cross_talk() {
  std::vector<PlannedRequest> requests;
  std::map<std::string, std::string> needles;
  for (std::uint64_t user = 0; user < std::max<std::size_t>(options_.users, 2); ++user) {
    const NeedlePrompt made = needle_prompt(user, options_.words, options_.seed);
    needles[made.prompt] = made.needle;
    requests.push_back(plan(greedy(made.prompt), user));
  }
  std::set<std::string> able;
  for (const RequestRecord& record : ask(requests, 1))
    if (find_needles(record, needles).fault == AnswerFault::none) able.insert(record.prompt);
  std::vector<PlannedRequest> load;
  for (std::size_t round = 0; round < options_.rounds; ++round)
    load.insert(load.end(), requests.begin(), requests.end());
  const Records records = ask(load, options_.users);
  std::vector<AnswerFinding> findings;
  for (const RequestRecord& record : records) {
    findings.push_back(find_needles(record, needles));
    // Who could not do it alone need not be able to in company.
    if (findings.back().fault == AnswerFault::lost_needle && able.count(record.prompt) == 0)
      findings.back().fault = AnswerFault::none;
  }
  Outcome made = judged("cross_talk", findings, records.size());
  made.measure("needles_repeated_alone", static_cast<double>(able.size()), "needles");
  if (made.verdict == Verdict::pass && able.empty()) {
    made.verdict = Verdict::inconclusive;
    made.reason = "the model repeats no secret that it was told, so none could appear elsewhere";
  }
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::token_limit() {
  std::vector<PlannedRequest> requests;
  const std::uint64_t most = std::max<std::uint64_t>(2, options_.tokens / 2);
  for (const std::string& prompt : prompts_) {
    GenerationRequest request = greedy(prompt);
    request.max_tokens = most;
    requests.push_back(plan(request));
    request.ignore_eos = true;
    requests.push_back(plan(request, 1));
  }
  std::size_t told = 0, beyond = 0, early = 0, refused = 0;
  for (const RequestRecord& record : ask(requests, 1)) {
    refused += record.end != RequestEnd::complete ? 1 : 0;
    if (record.end != RequestEnd::complete || !record.usage.completion) continue;
    ++told;
    beyond += *record.usage.completion > most ? 1 : 0;
    early += record.user == 1 && *record.usage.completion < most ? 1 : 0;
  }
  if (told == 0)
    return outcome("token_limit", refused > 0 ? Verdict::error : Verdict::unsupported,
                   refused > 0 ? "no request was answered" : "the server tells no token counts");
  Outcome made = outcome("token_limit", Verdict::pass);
  made.measure("answers", static_cast<double>(told), "answers");
  if (beyond > 0) {
    made.verdict = Verdict::fail;
    made.reason = std::to_string(beyond) + " of " + std::to_string(told) + " answers have more than the " +
                  std::to_string(most) + " tokens that were asked for";
  } else if (early > 0) {
    made.verdict = Verdict::inconclusive;
    made.reason = std::to_string(early) +
                  " answers are shorter than ignore_eos asks for: the server does not know it; a "
                  "load with a fixed length of output is not what it says";
  }
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::stop() {
  std::vector<PlannedRequest> requests;
  std::vector<std::string> expected;
  for (const auto& [prompt, answer] : golden_) {
    // A word of the middle of the answer, with the blank before it.
    const std::size_t at = answer.find(' ', answer.size() / 2),
                      next = at == std::string::npos ? at : answer.find(' ', at + 1);
    if (at == std::string::npos || next == std::string::npos || next - at < 3) continue;
    GenerationRequest request = greedy(prompt);
    request.stop = {answer.substr(at, next - at)};
    if (!is_utf8(request.stop.front())) continue;
    expected.push_back(answer.substr(0, answer.find(request.stop.front())));
    requests.push_back(plan(request, expected.size() - 1));
  }
  if (requests.empty()) return outcome("stop", Verdict::inconclusive, "no answer has words to stop at");
  std::vector<AnswerFinding> findings;
  const Records records = ask(requests, 1);
  for (const RequestRecord& record : records) {
    const std::string text = record.answer();
    AnswerFinding finding{record.id, record.prompt, AnswerFault::none, ""};
    if (record.end != RequestEnd::complete)
      finding.fault = AnswerFault::not_complete, finding.evidence = record.reason;
    else if (text != expected[record.user])
      finding.fault = AnswerFault::other,
      finding.evidence = "it ends in '" + visible(text.size() > 30 ? text.substr(text.size() - 30) : text) +
                         "', not before its stop string";
    findings.push_back(std::move(finding));
  }
  return judged("stop", findings, records.size());
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::seed() {
  std::vector<PlannedRequest> requests;
  for (const std::int64_t seed : {11, 11, 12, 13, 14}) {
    GenerationRequest request = greedy(prompts_.front());
    request.temperature = 1;
    request.seed = seed;
    requests.push_back(plan(request));
  }
  const Records records = ask(requests, 1);
  std::vector<std::string> texts;
  for (const RequestRecord& record : records)
    if (record.end == RequestEnd::complete) texts.push_back(record.output());
  if (texts.size() < requests.size())
    return outcome("seed", Verdict::error,
                   "a request was not answered: " + (records.empty() ? "" : records.back().reason));
  if (texts[0] != texts[1])
    return outcome("seed", Verdict::inconclusive,
                   "the same seed gave different answers: the server does not take it, or "
                   "makes its best effort alone");
  if (std::set<std::string>(texts.begin(), texts.end()).size() == 1)
    return outcome(
        "seed", Verdict::inconclusive,
        "different seeds gave the same answer at temperature 1: the model is sure of it, or nothing is drawn");
  return outcome("seed", Verdict::pass);
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::sampling() {
  GenerationRequest request = greedy(prompts_.front());
  request.stream = false;
  request.max_tokens = 1;
  request.temperature = 1;
  request.top_p = 1;
  request.top_k = 0;
  request.logprobs = request.interface == ServingInterface::chat ? 20 : 5;
  std::vector<PlannedRequest> requests;
  for (std::size_t i = 0; i < options_.samples; ++i) {
    request.seed = static_cast<std::int64_t>(options_.seed * 1'000'003 + i);
    requests.push_back(plan(request));
  }
  const Records records = ask(requests, options_.users, true);
  std::vector<ToldProbabilities> drawn;
  std::string why = "no request was answered";
  for (const RequestRecord& record : records) {
    if (record.end != RequestEnd::complete) {
      if (!record.reason.empty()) why = record.reason;
      continue;
    }
    auto told = told_probabilities(record.body);
    if (told)
      drawn.push_back(std::move(told).value());
    else if (told.error().kind == ErrorKind::malformed)
      return outcome("sampling", Verdict::fail, told.error().message);
    else
      why = told.error().message;
  }
  if (drawn.empty()) return outcome("sampling", Verdict::unsupported, why);
  // The mean of what was told: the same in all answers, but for what the batch does to rounding.
  std::map<std::string, double> mean;
  for (const ToldProbabilities& one : drawn)
    for (const auto& [token, probability] : one.probabilities)
      mean[token] += probability / static_cast<double>(drawn.size());
  std::map<std::string, std::uint64_t> counted;
  for (const ToldProbabilities& one : drawn) ++counted[mean.count(one.token) > 0 ? one.token : ""];
  std::vector<double> probabilities;
  std::vector<std::uint64_t> counts;
  double rest = 1;
  for (const auto& [token, probability] : mean) {
    probabilities.push_back(probability);
    counts.push_back(counted[token]);
    rest -= probability;
  }
  probabilities.push_back(std::max(rest, 1e-9));
  counts.push_back(mean.count("") > 0 ? 0 : counted[""]);
  double sum = 0;
  for (const double probability : probabilities) sum += probability;
  for (double& probability : probabilities) probability /= sum;
  Outcome made = distribution_outcome(test_distribution(counts, probabilities), "check/sampling");
  made.seed = options_.seed;
  made.labels["check"] = "sampling";
  made.derivation.push_back("first tokens at temperature 1 against the probabilities that the server tells of them");
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::errors() {
  PlannedRequest broken = plan(greedy(prompts_.front()));
  broken.body = "{\"messages\": [";
  const Records records = ask({broken, plan(greedy(prompts_.front()))}, 1);
  if (records.size() < 2) return outcome("errors", Verdict::error, "the requests could not be made");
  if (records[0].status < 400 || records[0].status >= 500)
    return outcome("errors", Verdict::fail,
                   "a request that is no JSON was answered with status " + std::to_string(records[0].status) + " (" +
                       std::string(name_of(records[0].end)) + "); 400 was to come");
  if (records[1].end != RequestEnd::complete)
    return outcome("errors", Verdict::fail,
                   "after a request that was no JSON the server answers no more: " + records[1].reason);
  return outcome("errors", Verdict::pass);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE const std::vector<std::string>& server_check_names() {
  static const std::vector<std::string> names{"repeatable", "stream", "under_load", "cross_talk", "token_limit",
                                              "stop",       "seed",   "sampling",   "errors"};
  return names;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<Outcome>> check_server(const ServerAddress& server,
                                                                     const ServerCheckOptions& options) {
  using Checker = detail::ServerChecker;
  static const std::map<std::string, Outcome (Checker::*)()> checks{{"repeatable", &Checker::repeatable},
                                                                    {"stream", &Checker::stream},
                                                                    {"under_load", &Checker::under_load},
                                                                    {"cross_talk", &Checker::cross_talk},
                                                                    {"token_limit", &Checker::token_limit},
                                                                    {"stop", &Checker::stop},
                                                                    {"seed", &Checker::seed},
                                                                    {"sampling", &Checker::sampling},
                                                                    {"errors", &Checker::errors}};
  for (const std::string& name : options.only)
    if (checks.count(name) == 0)
      return failure(ErrorKind::not_found, unknown_name("check", name, server_check_names()));
  if ((options.prompts.empty() && options.distinct == 0) || options.users == 0 || options.rounds == 0 ||
      options.tokens == 0)
    return failure(ErrorKind::invalid, "a check of a server needs a prompt, a user, a round and a token at least");
  Checker checker(server, options);
  if (options.begins) options.begins("answers without load");
  if (auto learned = checker.learn(); !learned) return learned.propagate();
  std::vector<Outcome> outcomes;
  for (const std::string& name : server_check_names()) {
    if (!options.only.empty() && std::find(options.only.begin(), options.only.end(), name) == options.only.end())
      continue;
    if (options.stop != nullptr && *options.stop) break;
    if (options.begins) options.begins(name);
    const std::int64_t start = detail::monotonic_ns();
    outcomes.push_back((checker.*checks.at(name))());
    outcomes.back().duration_seconds = static_cast<double>(detail::monotonic_ns() - start) * 1e-9;
    // What was cut short proves nothing.
    if (options.stop != nullptr && *options.stop) outcomes.pop_back();
  }
  return outcomes;
}

}  // namespace assay::inline v0
