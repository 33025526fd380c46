#pragma once

#include "assay/pipeline/split_pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "assay/accuracy/accuracy_outcome.hpp"
#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/statistics/order_statistics.hpp"
#include "assay/statistics/rate_interval.hpp"

namespace assay::inline v0 {

namespace detail {

constexpr const char* between_stages = "between stages";

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome split_outcome(const std::string& name, const std::string& check) {
  Outcome outcome;
  outcome.id = "pipeline/" + name + "/" + check;
  outcome.labels = {{"pipeline", name}, {"check", check}};
  return outcome;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string milliseconds_text(double seconds) {
  return printed_number(1e3 * seconds, 4) + " ms";
}

/// What is wrong with the way of a request; empty if nothing is. `seen` has the ids before.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string trouble_of(const SplitRequest& request,
                                                                const SplitPromise& promise,
                                                                std::set<std::string>& seen) {
  if (!seen.insert(request.id).second) return "was recorded twice";
  if (!std::isfinite(request.begin) || !std::isfinite(request.end) || request.end < request.begin)
    return "ends before it begins, or has a time that is no number";
  std::map<std::string, std::size_t> passed;
  for (const StageSpan& span : request.spans) {
    if (!std::isfinite(span.begin) || !std::isfinite(span.end) || span.end < span.begin)
      return "has a span of " + span.stage + " that ends before it begins, or whose time is no number";
    if (span.end - span.begin > request.end - request.begin + 1e-3)
      return "was longer in " + span.stage + " than it took in all: " + milliseconds_text(span.end - span.begin) +
             " of " + milliseconds_text(request.end - request.begin);
    ++passed[span.stage];
  }
  const std::vector<std::string>& way = request.fell_back ? promise.fallback : promise.stages;
  for (const std::string& stage : way)  // a request that was given up, and not answered, counts as late
    if (passed[stage] > 1 || (passed[stage] == 0 && request.answer))
      return passed[stage] == 0 ? "did not pass " + stage : "passed " + stage + " more than once";
  for (const auto& [stage, count] : passed) {
    const bool known = std::count(promise.stages.begin(), promise.stages.end(), stage) > 0 ||
                       std::count(promise.fallback.begin(), promise.fallback.end(), stage) > 0;
    const bool own = std::count(way.begin(), way.end(), stage) > 0;
    if (count > 0 && (!known || (!own && !request.fell_back)))
      return "passed " + stage + ", which is not on its way";  // a fallback may come after stages of the other way
  }
  return {};
}

/// Durations of a request by stage, and what lies between.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::map<std::string, double> split_durations(const SplitRequest& request) {
  std::map<std::string, double> durations;
  double sum = 0;
  for (const StageSpan& span : request.spans) {
    durations[span.stage] += span.end - span.begin;
    sum += span.end - span.begin;
  }
  durations[between_stages] = std::max(0.0, request.end - request.begin - sum);
  return durations;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome check_way(const std::string& name, const SplitPromise& promise,
                                                           const std::vector<SplitRequest>& requests,
                                                           std::vector<const SplitRequest*>& sound) {
  Outcome outcome = split_outcome(name, "way");
  std::set<std::string> seen;
  std::vector<std::string> broken;
  for (const SplitRequest& request : requests) {
    const std::string trouble = trouble_of(request, promise, seen);
    if (trouble.empty())
      sound.push_back(&request);
    else
      broken.push_back("'" + request.id + "' " + trouble);
  }
  outcome.verdict = requests.empty() ? Verdict::inconclusive : broken.empty() ? Verdict::pass : Verdict::fail;
  if (requests.empty()) outcome.reason = "no request was recorded";
  if (!broken.empty())
    outcome.reason = std::to_string(broken.size()) + " of " + std::to_string(requests.size()) +
                     " requests did not go the way that they should: " + listed_names(broken);
  outcome.measure("requests", static_cast<double>(requests.size()), "requests");
  outcome.measure("broken", static_cast<double>(broken.size()), "requests");
  return outcome;
}

/// The rate of what is wrong against what is allowed: fail, pass, or too few to tell.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Verdict verdict_of_rate(std::size_t wrong, std::size_t all, double allowed) {
  if (all == 0) return Verdict::inconclusive;
  if (allowed == 0) return wrong > 0 ? Verdict::fail : Verdict::pass;
  const RateInterval rate = rate_interval(wrong, all);
  return rate.lower > allowed ? Verdict::fail : rate.upper <= allowed ? Verdict::pass : Verdict::inconclusive;
}

/// Of late requests the stage that took the most beyond its median, over all of them.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::string, double> slowest_stage(
    const std::vector<const SplitRequest*>& late, const std::map<std::string, std::vector<double>>& all) {
  std::map<std::string, double> excess;
  for (const SplitRequest* request : late)
    for (const auto& [stage, seconds] : split_durations(*request)) excess[stage] += seconds - median(all.at(stage));
  const auto worst = std::max_element(excess.begin(), excess.end(),
                                      [](const auto& left, const auto& right) { return left.second < right.second; });
  return {worst->first, worst->second / static_cast<double>(late.size())};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome
check_deadline(const std::string& name, const SplitPromise& promise, const std::vector<const SplitRequest*>& requests,
               const std::map<std::string, std::vector<double>>& durations) {
  Outcome outcome = split_outcome(name, "deadline");
  std::vector<const SplitRequest*> late;
  std::vector<double> times;
  std::size_t silent = 0;
  for (const SplitRequest* request : requests) {
    times.push_back(request->end - request->begin);
    silent += request->answer ? 0 : 1;
    if (!request->answer || times.back() > promise.deadline) late.push_back(request);
  }
  outcome.verdict = verdict_of_rate(late.size(), times.size(), promise.late_share);
  if (times.empty()) {
    outcome.reason = "no request could be judged";
    return outcome;
  }
  const RateInterval rate = rate_interval(late.size(), times.size());
  const std::string counts = std::to_string(late.size()) + " of " + std::to_string(times.size()) +
                             " requests took more than " + milliseconds_text(promise.deadline) +
                             (silent > 0 ? ", or were not answered (" + std::to_string(silent) + ")" : "");
  if (!late.empty()) {
    const auto worst = *std::max_element(late.begin(), late.end(), [](const auto* left, const auto* right) {
      return left->end - left->begin < right->end - right->begin;
    });
    const auto [stage, excess] = slowest_stage(late, durations);
    outcome.diagnosis.push_back("in those, " + stage + " took " + milliseconds_text(excess) +
                                " more than its median, on average");
    outcome.labels["slowest"] = stage;
    outcome.reason = counts + "; most of it in " + stage + "; '" + worst->id + "' took " +
                     milliseconds_text(worst->end - worst->begin);
    if (outcome.verdict == Verdict::pass) outcome.reason.clear();
  }
  if (outcome.verdict == Verdict::inconclusive)
    outcome.reason = counts + ": between " + printed_number(100 * rate.lower, 3) + " and " +
                     printed_number(100 * rate.upper, 3) + " %, and " + printed_number(100 * promise.late_share, 3) +
                     " % may; record more requests";
  outcome.derivation.push_back("95 % interval of the share that is late: " + printed_number(rate.lower, 4) + " to " +
                               printed_number(rate.upper, 4));
  outcome.measure("late", static_cast<double>(late.size()), "requests");
  outcome.measure("late_upper", rate.upper);
  outcome.measure("median", median(times), "s");
  outcome.measure("p99", quantile(times, 0.99), "s");
  outcome.measure("deadline", promise.deadline, "s");
  return outcome;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome stage_time_outcome(const std::string& name, const std::string& stage,
                                                                    const SplitPromise& promise,
                                                                    const std::vector<double>& times, double all,
                                                                    std::optional<double> cost) {
  Outcome outcome = split_outcome(name, stage == between_stages ? "between" : "stage/" + stage);
  outcome.labels["stage"] = stage;
  double sum = 0;
  for (const double seconds : times) sum += seconds;
  outcome.measure("median", median(times), "s");
  outcome.measure("p99", quantile(times, 0.99), "s");
  if (all > 0) outcome.measure("share", sum / all);
  if (cost) outcome.measure("cost", *cost / static_cast<double>(times.size()), "currency/request");
  outcome.verdict = Verdict::new_baseline;
  outcome.reason = "the stage was timed, and promises nothing";
  const auto deadline = promise.stage_deadlines.find(stage);
  if (deadline == promise.stage_deadlines.end()) return outcome;
  const auto late = static_cast<std::size_t>(
      std::count_if(times.begin(), times.end(), [&](double seconds) { return seconds > deadline->second; }));
  outcome.verdict = verdict_of_rate(late, times.size(), promise.late_share);
  outcome.measure("late", static_cast<double>(late), "requests");
  outcome.reason = outcome.verdict == Verdict::pass
                       ? ""
                       : std::to_string(late) + " of " + std::to_string(times.size()) + " times it took more than " +
                             milliseconds_text(deadline->second) + ", at most " +
                             milliseconds_text(*std::max_element(times.begin(), times.end()));
  return outcome;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome check_fallback(const std::string& name, const SplitPromise& promise,
                                                                const std::vector<SplitRequest>& requests) {
  Outcome outcome = split_outcome(name, "fallback");
  std::vector<std::string> stayed, needless;
  std::size_t cut = 0;
  for (const SplitRequest& request : requests) {
    cut += request.cut ? 1 : 0;
    if (request.cut && !(request.fell_back && request.answer)) stayed.push_back("'" + request.id + "'");
    if (!request.cut && request.fell_back) needless.push_back("'" + request.id + "'");
  }
  outcome.measure("cut", static_cast<double>(cut), "requests");
  outcome.measure("fallbacks", static_cast<double>(cut - stayed.size() + needless.size()), "requests");
  if (promise.fallback.empty() && cut == 0 && needless.empty()) {
    outcome.verdict = Verdict::skipped;
    outcome.reason = "no fallback is promised";
    return outcome;
  }
  const std::size_t uncut = requests.size() - cut;
  const Verdict spared = uncut == 0 ? Verdict::pass : verdict_of_rate(needless.size(), uncut, promise.late_share);
  outcome.verdict = !stayed.empty() || spared == Verdict::fail ? Verdict::fail
                    : cut == 0                                 ? Verdict::inconclusive
                                                               : spared;
  if (cut == 0) outcome.reason = "the fallback was never needed; cut the way of some requests";
  if (!stayed.empty())
    outcome.reason = std::to_string(stayed.size()) + " of " + std::to_string(cut) +
                     " requests whose way was cut were not answered by the fallback: " + listed_names(stayed);
  if (!needless.empty() && outcome.verdict != Verdict::pass)
    outcome.reason = (stayed.empty() ? "" : outcome.reason + "; ") + std::to_string(needless.size()) + " of " +
                     std::to_string(uncut) +
                     " requests were answered by the fallback though nothing was cut: " + listed_names(needless);
  if (outcome.verdict == Verdict::inconclusive && outcome.reason.empty())
    outcome.reason = std::to_string(uncut) + " requests do not tell whether the fallback is spared often enough";
  return outcome;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome check_answers(const std::string& name, const SplitPromise& promise,
                                                               const std::vector<SplitRequest>& requests,
                                                               bool of_fallback) {
  Outcome outcome = split_outcome(name, of_fallback ? "fallback_answers" : "answers");
  const StageBound& bound = of_fallback ? promise.fallback_answers : promise.answers;
  std::size_t compared = 0, unknown = 0, wrong = 0;
  double worst = 0;
  std::string detail;
  for (const SplitRequest& request : requests) {
    if (request.fell_back != of_fallback || !request.answer) continue;
    if (!request.reference) {
      ++unknown;
      continue;
    }
    ++compared;
    const StageComparison comparison = compare_stage(*request.answer, *request.reference, bound);
    worst = std::max(worst, comparison.error_ratio);
    if (!comparison.within && wrong++ == 0) detail = "'" + request.id + "': " + comparison.detail;
  }
  outcome.derivation.push_back("bound, " + bound.origin + ": " + printed_number(bound.absolute) + " + " +
                               printed_number(bound.relative) + " x |reference|");
  outcome.measure("compared", static_cast<double>(compared), "requests");
  outcome.measure("without_reference", static_cast<double>(unknown), "requests");
  outcome.measure("wrong", static_cast<double>(wrong), "requests");
  if (std::isfinite(worst)) outcome.measure("error_ratio", worst);
  if (of_fallback && promise.fallback.empty() && compared + unknown == 0) {
    outcome.verdict = Verdict::skipped;
    outcome.reason = "no fallback is promised";
    return outcome;
  }
  outcome.verdict = wrong > 0 ? Verdict::fail : compared == 0 || unknown > 0 ? Verdict::inconclusive : Verdict::pass;
  if (compared == 0)
    outcome.reason = unknown > 0 ? "no request has a reference to compare its answer with" : "nothing was answered";
  else if (wrong > 0)
    outcome.reason = std::to_string(wrong) + " of " + std::to_string(compared) +
                     " answers are beyond their bound; the first is " + detail;
  else if (unknown > 0)
    outcome.reason = std::to_string(unknown) + " of " + std::to_string(compared + unknown) +
                     " answers have no reference to be compared with";
  return outcome;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> check_split_pipeline(const std::string& name,
                                                                     const SplitPromise& promise,
                                                                     const std::vector<SplitRequest>& requests) {
  expect(!promise.stages.empty(), [] { return "SplitPromise::stages is empty; name the stages that requests pass"; });
  expect(promise.deadline > 0 && std::isfinite(promise.deadline), [&] {
    return "SplitPromise::deadline is " + detail::printed_number(promise.deadline) + "; seconds above 0 were expected";
  });
  expect(promise.late_share >= 0 && promise.late_share < 1, [&] {
    return "SplitPromise::late_share is " + detail::printed_number(promise.late_share) +
           "; a share from 0 to below 1 was expected";
  });
  std::vector<const SplitRequest*> sound;
  std::vector<Outcome> outcomes{detail::check_way(name, promise, requests, sound)};
  std::map<std::string, std::vector<double>> durations;
  std::map<std::string, double> costs;
  double all = 0;
  for (const SplitRequest* request : sound) {
    all += request->end - request->begin;
    for (const auto& [stage, seconds] : detail::split_durations(*request)) durations[stage].push_back(seconds);
    for (const StageSpan& span : request->spans)
      if (const auto price = promise.cost_per_second.find(span.place); price != promise.cost_per_second.end())
        costs[span.stage] += price->second * (span.end - span.begin);
  }
  outcomes.push_back(detail::check_deadline(name, promise, sound, durations));
  std::vector<std::string> stages = promise.stages;
  for (const std::string& stage : promise.fallback)
    if (std::find(stages.begin(), stages.end(), stage) == stages.end()) stages.push_back(stage);
  stages.push_back(detail::between_stages);
  Table table{"Where the time goes", {"stage", "requests", "median, ms", "p99, ms", "share, %", "cost a request"}, {}};
  for (const std::string& stage : stages) {
    const auto times = durations.find(stage);
    if (times == durations.end()) continue;
    const auto cost = costs.find(stage);
    outcomes.push_back(
        detail::stage_time_outcome(name, stage, promise, times->second, all,
                                   cost == costs.end() ? std::nullopt : std::optional<double>(cost->second)));
    const Outcome& own = outcomes.back();
    const auto cell = [&](const char* measured, double scale) {
      const auto value = own.measurement(measured);
      return value ? detail::printed_number(scale * *value, 4) : std::string("-");
    };
    table.rows.push_back({stage, std::to_string(times->second.size()), cell("median", 1e3), cell("p99", 1e3),
                          cell("share", 100), cell("cost", 1)});
  }
  outcomes[1].tables.push_back(std::move(table));
  outcomes.push_back(detail::check_fallback(name, promise, requests));
  outcomes.push_back(detail::check_answers(name, promise, requests, false));
  outcomes.push_back(detail::check_answers(name, promise, requests, true));
  return outcomes;
}

}  // namespace assay::inline v0
