#pragma once

#include "assay/serving/scenario.hpp"

#include <algorithm>
#include <utility>

#include "assay/core/misuse.hpp"
#include "assay/report/text.hpp"
#include "assay/serving/early_stopping.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0 {
namespace detail {

/// A percentile against its limit, and whether so many queries show it.
inline void judge_limit(ScenarioVerdict& verdict, const std::vector<double>& values, const std::optional<double>& most,
                        const char* what, const ScenarioRules& rules) {
  if (!most) return;
  if (values.empty()) {
    verdict.performance = verdict.early_stopping = false;
    verdict.reasons.push_back(std::string("the ") + what + " is limited, and no query had one");
    return;
  }
  const double value = quantile(values, rules.percentile, QuantileDefinition::loadgen);
  if (value > *most) {
    verdict.performance = false;
    verdict.reasons.push_back("the " + number_text(rules.percentile * 100) + "th percentile of " + what + " is " +
                              number_text(value * 1e3, 5) + " ms; at most " + number_text(*most * 1e3, 5) + " ms");
  }
  const auto over = static_cast<std::uint64_t>(
      std::count_if(values.begin(), values.end(), [&](double latency) { return latency > *most; }));
  const EarlyStoppingOptions options{rules.percentile, rules.confidence, 0};
  if (early_stopping_met(values.size(), over, options)) return;
  verdict.early_stopping = false;
  verdict.reasons.push_back(std::to_string(over) + " of " + std::to_string(values.size()) + " queries exceed the " +
                            what + "; to show the percentile, " +
                            std::to_string(queries_within_latency(over, options) + over) +
                            " queries with as few of them are needed");
}

inline void judge_estimate(ScenarioVerdict& verdict, std::vector<double> sorted, const ScenarioRules& rules) {
  const EarlyStoppingOptions options{rules.percentile, rules.confidence, 0};
  std::sort(sorted.begin(), sorted.end());
  verdict.estimate = early_stopping_estimate(sorted, options);
  verdict.early_stopping = verdict.estimate.has_value();
  verdict.metric = verdict.estimate.value_or(0);
  if (!verdict.estimate)
    verdict.reasons.push_back(std::to_string(sorted.size()) + " queries bound no percentile; " +
                              std::to_string(queries_within_latency(1, options) + 1) + " do at least");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE ScenarioRules rules_of(Scenario scenario) {
  ScenarioRules rules;
  rules.scenario = scenario;
  if (scenario == Scenario::single_stream) rules.percentile = 0.9;
  if (scenario == Scenario::offline) rules.least_queries = 1;
  return rules;
}

ASSAY_DETAIL_HEADER_INLINE ScenarioVerdict judge_scenario(const ScenarioRun& run, const ScenarioRules& rules) {
  ScenarioVerdict verdict;
  verdict.performance = verdict.early_stopping = true;
  verdict.duration = run.seconds >= rules.least_seconds;
  if (!verdict.duration)
    verdict.reasons.push_back("it ran for " + number_text(run.seconds, 4) + " s; at least " +
                              number_text(rules.least_seconds) + " s");
  const bool offline = rules.scenario == Scenario::offline;
  verdict.queries = run.latencies.size() >= rules.least_queries && (!offline || run.samples >= rules.least_samples);
  if (!verdict.queries)
    verdict.reasons.push_back("it had " + std::to_string(offline ? run.samples : run.latencies.size()) +
                              (offline ? " samples; at least " : " queries; at least ") +
                              std::to_string(offline ? rules.least_samples : rules.least_queries));
  if (run.failed > 0) verdict.reasons.push_back(std::to_string(run.failed) + " queries had no right answer; none may");
  if (!run.latencies.empty())
    verdict.percentile_latency = quantile(run.latencies, rules.percentile, QuantileDefinition::loadgen);
  const double rate = run.seconds > 0 ? 1 / run.seconds : 0;
  switch (rules.scenario) {
    case Scenario::offline: verdict.metric = static_cast<double>(run.samples) * rate; break;
    case Scenario::server:
      verdict.metric = static_cast<double>(run.latencies.size()) * rate;
      detail::judge_limit(verdict, run.latencies, rules.most_latency, "latency", rules);
      detail::judge_limit(verdict, run.first_tokens, rules.most_first_token, "time to first token", rules);
      detail::judge_limit(verdict, run.per_token, rules.most_per_token, "time per output token", rules);
      if (!rules.most_latency && !rules.most_first_token && !rules.most_per_token) {
        verdict.performance = false;
        verdict.reasons.emplace_back("Server needs a limit of latency; the rules give none");
      }
      break;
    default: detail::judge_estimate(verdict, run.latencies, rules);
  }
  verdict.valid = verdict.reasons.empty();
  return verdict;
}

ASSAY_DETAIL_HEADER_INLINE Outcome scenario_outcome(const ScenarioVerdict& verdict, const ScenarioRules& rules,
                                                    const std::string& id) {
  Outcome outcome;
  outcome.id = "serving/" + std::string(name_of(rules.scenario)) + "/" + id;
  outcome.labels = {{"operation", "serving"}, {"scenario", std::string(name_of(rules.scenario))}};
  outcome.verdict = verdict.valid ? Verdict::pass : Verdict::fail;
  for (const std::string& reason : verdict.reasons) outcome.reason += (outcome.reason.empty() ? "" : "; ") + reason;
  if (verdict.percentile_latency)
    outcome.measure("latency_p" + number_text(rules.percentile * 100), *verdict.percentile_latency, "s");
  const bool latency = rules.scenario == Scenario::single_stream || rules.scenario == Scenario::multi_stream;
  outcome.measure(latency                              ? "early_stopping_latency"
                  : rules.scenario == Scenario::server ? "queries_per_second"
                                                       : "samples_per_second",
                  verdict.metric, latency ? "s" : "1/s");
  outcome.derivation.push_back("valid: at least " + number_text(rules.least_seconds) +
                               " s, enough queries, percentile " + number_text(rules.percentile) +
                               " as x[⌊np⌋] within its limits, and early stopping at " + number_text(rules.confidence) +
                               " confidence");
  return outcome;
}

}  // namespace assay::inline v0
