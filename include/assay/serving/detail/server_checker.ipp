#pragma once

#include "assay/serving/detail/server_checker.hpp"

#include <map>
#include <set>

#include "assay/report/text.hpp"
#include "assay/serving/detail/told_probabilities.hpp"
#include "assay/serving/distribution_test.hpp"

namespace assay::inline v0::detail {

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

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::judged_by_golden(const std::string& name, const Records& records,
                                                                   const std::vector<AnswerFinding>& findings,
                                                                   std::size_t asked) const {
  std::size_t looked_at = 0;  // held against a golden answer, or wrong by itself
  for (std::size_t i = 0; i < records.size(); ++i)
    looked_at += golden_.count(records[i].prompt) > 0 || findings[i].fault != AnswerFault::none ? 1 : 0;
  Outcome made = judged(name, findings, looked_at);
  if (made.verdict == Verdict::pass && looked_at < asked) {
    made.verdict = Verdict::inconclusive;
    made.reason = std::to_string(looked_at) + " of " + std::to_string(asked) +
                  " answers were compared, and are right; the others did not come, or their prompts have no one answer "
                  "without load to be held against";
  }
  return made;
}

/// Whether a third pass without load, which finds the prefix cache as the second did, has its answers.
ASSAY_DETAIL_HEADER_INLINE bool ServerChecker::hot_answers_repeat() {
  Records hot = ask_all_greedy(1, 1);
  hot.insert(hot.end(), second_.begin(), second_.end());
  std::vector<std::string> unstable;
  static_cast<void>(golden_answers(hot, &unstable));
  return unstable.empty();
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::repeatable() {
  std::vector<AnswerFinding> findings;
  std::uint64_t cached = 0, cached_before = 0;
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
  for (const RequestRecord& record : first_) cached_before += record.usage.cached.value_or(0);
  Outcome made = judged("repeatable", findings, first_.size() + second_.size());
  made.derivation.push_back(!told ? "the server does not tell whether a prefix cache was used"
                            : cached > 0
                                ? "the second pass took " + std::to_string(cached) + " tokens from a prefix cache"
                                : "no token of the second pass came from a prefix cache");
  if (unstable_.empty() || made.verdict != Verdict::pass) return made;
  const std::string those = std::to_string(unstable_.size()) + " of " + std::to_string(prompts_.size());
  if (cached > cached_before && !options_.require_invariance && hot_answers_repeat()) {
    made.verdict = Verdict::inconclusive;
    made.reason = those +
                  " greedy answers differ once the prefix cache is hot, and no more then: chunks of other sizes round "
                  "otherwise, or the cache is wrong. Bitwise equality can be required";
    return made;
  }
  made.verdict = Verdict::fail;
  made.reason = those + " greedy answers differ between two passes without load, first of '" +
                clipped(visible(unstable_.front()), 60) + "'";
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
  return judged_by_golden("stream", records, findings, requests.size());
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
  Outcome made = judged_by_golden("under_load", records, findings, prompts_.size() * options_.rounds);
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
  std::size_t told = 0, beyond = 0, early = 0, complete = 0;
  for (const RequestRecord& record : ask(requests, 1)) {
    if (record.end != RequestEnd::complete) continue;
    ++complete;
    if (!record.usage.completion) continue;
    ++told;
    beyond += *record.usage.completion > most ? 1 : 0;
    early += record.user == 1 && *record.usage.completion < most ? 1 : 0;
  }
  const std::size_t failed = requests.size() - complete, untold = complete - told;
  if (complete == 0) return outcome("token_limit", Verdict::error, "no request was answered");
  if (told == 0)
    return outcome("token_limit", failed > 0 ? Verdict::error : Verdict::unsupported,
                   "the server tells no token counts" +
                       (failed > 0 ? ", and " + std::to_string(failed) + " of " + std::to_string(requests.size()) +
                                         " requests were not answered"
                                   : std::string()));
  Outcome made = outcome("token_limit", Verdict::pass);
  made.measure("answers", static_cast<double>(told), "answers");
  if (beyond > 0) {
    made.verdict = Verdict::fail;
    made.reason = std::to_string(beyond) + " of " + std::to_string(told) + " answers have more than the " +
                  std::to_string(most) + " tokens that were asked for";
  } else if (failed > 0 || untold > 0) {
    made.verdict = Verdict::inconclusive;
    made.reason = "of " + std::to_string(requests.size()) + " requests " + std::to_string(failed) +
                  " were not answered, and " + std::to_string(untold) +
                  " were answered without a token count; the other " + std::to_string(told) + " kept the limit" +
                  (early > 0 ? ", " + std::to_string(early) + " of them shorter than ignore_eos asks for" : "");
  } else if (early > 0) {
    made.verdict = Verdict::inconclusive;
    made.reason = std::to_string(early) +
                  " answers are shorter than ignore_eos asks for: the server does not know it; a "
                  "load with a fixed length of output is not what it says";
  }
  return made;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t ServerChecker::reasoning_size(const std::string& prompt) const {
  for (const RequestRecord& record : first_)
    if (record.prompt == prompt && record.end == RequestEnd::complete)
      return record.answer(0, AnswerEventKind::reasoning).size();
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE Outcome ServerChecker::stop() {
  const auto word_end = [](const std::string& text, std::size_t begin) {
    return begin == std::string::npos ? begin : text.find(' ', begin + 1);
  };
  std::vector<PlannedRequest> requests;
  std::vector<std::string> expected;
  for (const auto& [prompt, answer] : golden_) {
    // A word of the middle of the output, with the blank before it. None that begins in the reasoning and ends in the
    // text: between them the model wrote marks that the server leaves out, so it wrote no such word.
    std::size_t at = answer.find(' ', answer.size() / 2), next = word_end(answer, at);
    const std::size_t text_begin = reasoning_size(prompt);
    if (next != std::string::npos && at < text_begin && text_begin < next) at = next, next = word_end(answer, at);
    if (next == std::string::npos || next - at < 3) continue;
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
    const std::string text = record.output();
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
  request.min_p = 0;  // llama.cpp cuts tokens off by default
  request.logprobs = request.interface == ServingInterface::chat ? 20 : 5;
  if (const Records probe = ask({plan(request)}, 1); !probe.empty() && probe.front().status == 400)
    request.top_k.reset(), request.min_p.reset();  // a server that knows OpenAI's parameters alone
  std::vector<PlannedRequest> requests;
  for (std::size_t i = 0; i < options_.samples; ++i) {
    request.seed = static_cast<std::int64_t>(options_.seed * 1'000'003 + i);
    requests.push_back(plan(request));
  }
  const Records records = ask(requests, options_.users, true);
  std::vector<ToldProbabilities> drawn;
  std::string why;
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
  if (drawn.empty()) return outcome("sampling", Verdict::unsupported, why.empty() ? "no request was answered" : why);
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
  if (made.verdict == Verdict::pass && drawn.size() < options_.samples) {
    made.verdict = Verdict::inconclusive;
    made.reason = std::to_string(drawn.size()) + " of " + std::to_string(options_.samples) +
                  " tokens were drawn, and come from the distribution" + (why.empty() ? "" : "; of the others: " + why);
  }
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

}  // namespace assay::inline v0::detail
