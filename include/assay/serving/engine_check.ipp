#pragma once

#include "assay/serving/engine_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/report/text.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {
namespace detail {

/// Makes requests and compares what comes of them.
class EngineChecker {
 public:
  EngineChecker(const DecodeAll& engine, const DecodeRight& right, const EngineCheckOptions& options)
      : engine_(engine), right_(right), options_(options), random_(options.seed) {}

  [[nodiscard]] std::vector<std::size_t> prompt(std::size_t length) {
    std::vector<std::size_t> tokens(length);
    for (std::size_t& token : tokens) token = random_.below(options_.vocabulary);
    return tokens;
  }
  /// The conversation's next turn: prompt, right answer, and what is said then.
  [[nodiscard]] DecodeRequest after(const DecodeRequest& request) {
    DecodeRequest next = request;
    next.answers = 1;
    const auto answer = right_(request).front().tokens;
    next.prompt.insert(next.prompt.end(), answer.begin(), answer.end());
    const auto said = prompt(3);
    next.prompt.insert(next.prompt.end(), said.begin(), said.end());
    return next;
  }
  [[nodiscard]] Outcome check(const std::string& name, const std::vector<DecodeRequest>& requests) {
    Outcome outcome;
    outcome.id = "serving/engine/" + name;
    outcome.seed = options_.seed;
    outcome.labels = {{"operation", "serving"}, {"check", name}};
    outcome.measure("requests", static_cast<double>(requests.size()), "requests");
    const DecodedAnswers answers = engine_(requests);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const std::string finding =
          i < answers.size() ? difference(answers[i], right_(requests[i])) : std::string("it has no answer");
      if (finding.empty()) continue;
      if (++wrong == 1)
        outcome.diagnosis.push_back("request " + std::to_string(i) + " (prompt of " +
                                    std::to_string(requests[i].prompt.size()) + " tokens, adapter " +
                                    std::to_string(requests[i].adapter) + "): " + finding);
    }
    outcome.measure("wrong", static_cast<double>(wrong), "requests");
    outcome.verdict = wrong == 0 ? Verdict::pass : Verdict::fail;
    if (wrong > 0)
      outcome.reason = std::to_string(wrong) + " of " + std::to_string(requests.size()) +
                       " requests are answered otherwise than alone; " + outcome.diagnosis.front();
    return outcome;
  }
  [[nodiscard]] Outcome skipped(const std::string& name, std::string reason) const {
    Outcome outcome;
    outcome.id = "serving/engine/" + name;
    outcome.labels = {{"operation", "serving"}, {"check", name}};
    outcome.verdict = Verdict::skipped;
    outcome.reason = std::move(reason);
    return outcome;
  }

 private:
  [[nodiscard]] std::string difference(const std::vector<DecodedAnswer>& got,
                                       const std::vector<DecodedAnswer>& right) const {
    if (got.size() != right.size())
      return std::to_string(got.size()) + " answers; " + std::to_string(right.size()) + " were asked for";
    for (std::size_t choice = 0; choice < right.size(); ++choice) {
      const std::string place = "answer " + std::to_string(choice) + ", ";
      for (std::size_t i = 0; i < right[choice].tokens.size(); ++i) {
        if (i < got[choice].logits.size() && i < right[choice].logits.size()) {
          const double apart = distance(got[choice].logits[i], right[choice].logits[i]);
          if (!(apart <= options_.most_difference))
            return place + "before token " + std::to_string(i) + " logits differ by " + number_text(apart, 3);
        }
        if (i >= got[choice].tokens.size()) return place + "ends after " + std::to_string(i) + " tokens";
        if (got[choice].tokens[i] != right[choice].tokens[i])
          return place + "token " + std::to_string(i) + " is " + std::to_string(got[choice].tokens[i]) + ", not " +
                 std::to_string(right[choice].tokens[i]);
      }
      if (got[choice].tokens.size() > right[choice].tokens.size()) return place + "goes on behind its end";
    }
    return {};
  }
  /// The largest distance; infinite where sizes differ, NaN where a logit is.
  [[nodiscard]] static double distance(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double apart = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
      if (std::isnan(apart)) return apart;
      most = std::max(most, apart);
    }
    return most;
  }

  const DecodeAll& engine_;
  const DecodeRight& right_;
  const EngineCheckOptions& options_;
  RandomSequence random_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> check_engine(const DecodeAll& engine, const DecodeRight& right,
                                                             const EngineCheckOptions& options) {
  detail::EngineChecker checker(engine, right, options);
  std::vector<Outcome> outcomes;
  std::vector<DecodeRequest> requests;
  const auto add = [&](std::vector<std::size_t> prompt, std::size_t adapter, std::size_t tokens, std::size_t answers) {
    requests.push_back({std::move(prompt), adapter, tokens, answers});
  };
  const auto finish = [&](const std::string& name) {
    outcomes.push_back(checker.check(name, requests));
    requests.clear();
  };
  for (std::size_t length = 1; length <= 40; ++length) add(checker.prompt(length), 0, 6, 1);
  finish("lengths");
  for (std::size_t i = 0; i < 12; ++i) add(checker.prompt(3 + 5 * i % 29), 0, 4 + 3 * i % 11, 1);
  finish("batch");
  for (const std::size_t length : {3u, 5u, 6u, 8u, 11u, 14u}) add(checker.prompt(length), 0, 9, options.answers);
  if (options.answers > 1) {
    finish("branches");
  } else {
    outcomes.push_back(checker.skipped("branches", "the options give a request one answer"));
    requests.clear();
  }
  // One beginning for many; the same middle behind other beginnings; conversations that go on; all of it once more.
  const auto shared = checker.prompt(16), middle = checker.prompt(16);
  const auto joined = [](std::vector<std::size_t> first, const std::vector<std::size_t>& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
  };
  std::vector<std::vector<std::size_t>> others;
  for (std::size_t i = 0; i < 3; ++i) others.push_back(checker.prompt(17));
  for (const auto& other : others) add(other, 0, 3, 1);
  add(joined(shared, middle), 0, 5, 1);
  // Answers that end with a block, as such a one may be taken for full before its last slot is.
  for (std::size_t i = 0; i < 6; ++i) add(joined(shared, checker.prompt(1 + 3 * i)), 0, 7 + i, 1);
  for (auto& other : others) {
    other.pop_back();
    add(joined(joined(other, middle), {1}), 0, 5, 1);
  }
  for (std::size_t i = 0, first = requests.size(); i < first; ++i) requests.push_back(checker.after(requests[i]));
  const auto once = requests;
  requests.insert(requests.end(), once.begin(), once.end());
  finish("prefix");
  for (std::size_t i = 0; i < 16; ++i) add(i % 3 == 0 ? shared : checker.prompt(30 + i), 0, 40, 1);
  finish("memory");
  if (options.adapters == 0) {
    outcomes.push_back(checker.skipped("adapters", "the options give the engine none"));
    return outcomes;
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const auto prompt = checker.prompt(9 + i);
    for (std::size_t adapter = 0; adapter <= options.adapters; ++adapter)
      add(prompt, (adapter + i) % (options.adapters + 1), 6, 1);
  }
  finish("adapters");
  return outcomes;
}

}  // namespace assay::inline v0
