#pragma once

#include "assay/hardware/soak/soak.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include "assay/core/config.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/e_divisive.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<SoakResult> run_soak(std::span<const SoakStep> steps, const SoakOptions& options,
                                                       std::vector<SoakRecord> earlier) {
  const auto place_of = [&](const std::string& name) {
    return static_cast<std::size_t>(
        std::find_if(steps.begin(), steps.end(), [&](const SoakStep& step) { return step.name == name; }) -
        steps.begin());
  };
  if (steps.empty() || !(options.seconds > 0))
    return failure(ErrorKind::invalid, "a soak takes at least one step, and a time above 0 s");
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (place_of(steps[i].name) != i)
      return failure(ErrorKind::invalid, "two steps of the soak are named '" + steps[i].name + "'");
  SoakResult result;
  result.records = std::move(earlier);
  result.earlier = result.records.size();
  for (const SoakRecord& record : result.records) {
    if (place_of(record.step) == steps.size())
      return failure(ErrorKind::invalid,
                     "a session before ran the step '" + record.step +
                         "', which this soak does not have; go on with the same steps, or begin anew");
    result.seconds = std::max(result.seconds, record.begin + record.seconds);
  }
  std::size_t next = 0;
  std::uint64_t round = 0;
  if (!result.records.empty()) {
    next = place_of(result.records.back().step) + 1;
    round = result.records.back().round + next / steps.size();
    next %= steps.size();
  }
  const double before = result.seconds;
  const auto start = std::chrono::steady_clock::now();
  const auto now = [&] {
    return before + std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  while ((now() < options.seconds || result.records.size() < steps.size()) && !(options.stop && options.stop())) {
    SoakRecord record{round, steps[next].name, now(), 0, std::nullopt, Verdict::error, ""};
    try {
      const Outcome outcome = steps[next].run(options.step_seconds, round);
      record.verdict = outcome.verdict;
      record.reason = outcome.reason;
      record.rate = outcome.measurement("rate");
    } catch (const std::exception& exception) {
      record.reason = exception.what();
    }
    record.seconds = now() - record.begin;
    if (options.keep)
      if (auto kept = options.keep(record); !kept) return kept.propagate();
    result.records.push_back(std::move(record));
    if (++next == steps.size()) next = 0, ++round;
  }
  result.seconds = std::max(now(), before);
  result.complete = result.seconds >= options.seconds && result.records.size() >= steps.size();
  return result;
}

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double middle(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
  return sorted[sorted.size() / 2];
}

/// Tells how the level of a rate moved; a fall beyond what is allowed fails.
ASSAY_DETAIL_HEADER_INLINE void judge_drift(Outcome& outcome, const std::vector<double>& rates,
                                            const std::vector<double>& times, double allowed) {
  if (rates.size() < 6) {
    outcome.derivation.push_back("drift is not judged: " + std::to_string(rates.size()) +
                                 " rates are too few, it takes six");
    return;
  }
  if (!std::all_of(rates.begin(), rates.end(), [](double rate) { return std::isfinite(rate) && rate > 0; })) {
    outcome.verdict = Verdict::fail;
    outcome.reason = "a rate of the step is 0 or no number";
    return;
  }
  const std::vector<ChangePoint> changes = e_divisive(rates);
  outcome.measure("change_points", static_cast<double>(changes.size()));
  if (changes.empty()) {
    outcome.derivation.push_back("no change of the rate's level, by E-divisive, of " + std::to_string(rates.size()) +
                                 " rates");
    return;
  }
  const double first = middle(std::span(rates).first(changes.front().position));
  const double last = middle(std::span(rates).subspan(changes.back().position));
  const double change = last / first - 1;
  outcome.measure("drift", change);
  const std::string text = "the level of the rate went from " + number_text(first) + " to " + number_text(last) + " (" +
                           number_text(100 * change) + " %), first at " +
                           duration_text(times[changes.front().position]);
  outcome.diagnosis.push_back(text);
  if (change < -allowed && outcome.verdict == Verdict::pass) {
    outcome.verdict = Verdict::fail;
    outcome.reason = text + "; " + number_text(100 * allowed) + " % are allowed";
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> judge_soak(std::span<const SoakStep> steps, const SoakResult& result,
                                                           const SoakOptions& options) {
  std::vector<Outcome> outcomes;
  for (const SoakStep& step : steps) {
    Outcome outcome;
    outcome.id = "hardware/soak/" + step.name;
    outcome.labels = {{"operation", "soak"}, {"backend", "host"}, {"test", step.name}};
    outcome.reproduce = "assay hardware soak";
    std::vector<double> rates, times;
    std::size_t runs = 0, counts[7] = {};
    const SoakRecord* worst = nullptr;
    Series series{"rate of " + step.name, "time, s", "rate", {}};
    for (const SoakRecord& record : result.records) {
      if (record.step != step.name) continue;
      ++runs;
      ++counts[static_cast<std::size_t>(record.verdict)];
      outcome.duration_seconds += record.seconds;
      if (record.rate) {
        rates.push_back(*record.rate);
        times.push_back(record.begin);
        series.points.emplace_back(record.begin, *record.rate);
      }
      const auto rank = [](Verdict verdict) {
        return verdict == Verdict::fail ? 2 : verdict == Verdict::error ? 1 : 0;
      };
      if (rank(record.verdict) > (worst == nullptr ? 0 : rank(worst->verdict))) worst = &record;
    }
    const auto count = [&](Verdict verdict) { return counts[static_cast<std::size_t>(verdict)]; };
    outcome.measure("runs", static_cast<double>(runs));
    outcome.measure("failed_runs", static_cast<double>(count(Verdict::fail)));
    if (series.points.size() > 1) outcome.series.push_back(std::move(series));
    if (worst != nullptr) {
      outcome.verdict = worst->verdict;
      outcome.reason = std::to_string(count(worst->verdict)) + " of " + std::to_string(runs) + " runs " +
                       (worst->verdict == Verdict::fail ? "failed" : "erred") + ", the first in round " +
                       std::to_string(worst->round + 1) + " after " + duration_text(worst->begin) + ": " +
                       worst->reason;
    } else if (runs > 0 && count(Verdict::unsupported) == runs) {
      outcome.verdict = Verdict::unsupported;
      for (const SoakRecord& record : result.records)
        if (record.step == step.name) outcome.reason = record.reason;
    } else if (count(Verdict::pass) < runs || runs == 0) {
      outcome.reason =
          std::to_string(runs - count(Verdict::pass)) + " of " + std::to_string(runs) + " runs decided nothing";
      for (const SoakRecord& record : result.records)
        if (record.step == step.name && record.verdict != Verdict::pass) outcome.reason += ": " + record.reason;
      outcome.reason = clipped(outcome.reason, 300);
    } else {
      outcome.verdict = Verdict::pass;
    }
    detail::judge_drift(outcome, rates, times, options.allowed_drift);
    if (!result.complete && outcome.verdict == Verdict::pass) {
      outcome.verdict = Verdict::inconclusive;
      outcome.reason = "the soak lasted " + duration_text(result.seconds) + " of " + duration_text(options.seconds);
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace assay::inline v0
