#pragma once

#include "assay/serving/throughput_ladder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/core/misuse.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {
namespace detail {

/// Student's t by Cornish and Fisher's expansion about the normal quantile: within 0.1 % from 10 degrees of freedom on.
inline double student_t_about(double probability, double freedom) {
  const double z = normal_quantile_of(probability), cube = z * z * z;
  return z + (cube + z) / (4 * freedom) + (5 * cube * z * z + 16 * cube + 3 * z) / (96 * freedom * freedom);
}

inline std::string tokens_text(double rate) {
  return number_text(rate, 4) + " tokens/s";
}

/// Who is better with confidence, or nothing of these.
inline const LadderPhase* phase_with(std::span<const LadderPhase> phases, std::size_t users) {
  for (const LadderPhase& phase : phases)
    if (phase.users == users) return &phase;
  return nullptr;
}

inline const LadderPhase* best_phase(std::span<const LadderPhase> phases) {
  const LadderPhase* best = nullptr;
  for (const LadderPhase& phase : phases)
    if (best == nullptr || phase.tokens_per_second > best->tokens_per_second) best = &phase;
  return best;
}

inline void show_phases(Outcome& outcome, std::span<const LadderPhase> phases, const LadderRules& rules) {
  Table table{"Phases of rising concurrency",
              {"users", "s", "output tokens/s", "± 95 %", "gain", "tokens/s of a user", "TTFT p95 ms", "served"},
              {}};
  Series throughput{"Output by users", "users", "output tokens/s", {}};
  Series speed{"Speed of a user by users", "users", "tokens/s of a user, median", {}};
  Series frontier{"Throughput against speed of a user", "tokens/s of a user, median", "output tokens/s", {}};
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const LadderPhase& phase = phases[i];
    const double t = phase.batches > 1 ? student_t_about(0.975, static_cast<double>(phase.batches - 1)) : 0;
    const LadderPhase* before = best_phase(phases.first(i));
    const auto number = [](const std::optional<double>& value, double scale) {
      return value ? number_text(*value * scale, 4) : std::string("-");
    };
    table.rows.push_back(
        {std::to_string(phase.users), number_text(phase.seconds, 3), number_text(phase.tokens_per_second, 4),
         number_text(t * phase.error, 2),
         before == nullptr ? "-" : number_text(100 * ladder_gain(*before, phase, rules.confidence).gain, 3) + " %",
         number(phase.user_speed, 1), number(phase.first_token, 1e3),
         std::to_string(phase.served) + " of " + std::to_string(phase.requests)});
    const double users = static_cast<double>(phase.users);
    throughput.points.emplace_back(users, phase.tokens_per_second);
    if (!phase.user_speed) continue;
    speed.points.emplace_back(users, *phase.user_speed);
    frontier.points.emplace_back(*phase.user_speed, phase.tokens_per_second);
  }
  outcome.tables.push_back(std::move(table));
  for (Series* series : {&throughput, &speed, &frontier}) outcome.series.push_back(std::move(*series));
  outcome.derivation.push_back("rules: " + std::string(rules.name) + " (" + std::string(rules.source) +
                               "): users are doubled up to " + std::to_string(rules.doubled_until) + ", then " +
                               std::to_string(rules.step) + " are added");
  outcome.derivation.push_back(
      "a phase is flat where its gain over the best before is below " + number_text(100 * rules.least_gain, 3) +
      " % at " + number_text(100 * rules.confidence, 3) + " % confidence; " + std::to_string(rules.flat_phases) +
      " in a row are a plateau. The test's owner publishes "
      "no such bound: it is Assay's");
  double shortest = std::numeric_limits<double>::infinity();
  for (const LadderPhase& phase : phases) shortest = std::min(shortest, phase.seconds);
  if (shortest < rules.phase_seconds)
    outcome.derivation.push_back("the shortest phase was steady for " + number_text(shortest, 3) +
                                 " s; the rules ask for " + number_text(rules.phase_seconds, 3) +
                                 " s, so this is no run by the rules");
  TokenSource weakest = TokenSource::server_per_event;
  for (const LadderPhase& phase : phases) weakest = std::max(weakest, phase.tokens);
  outcome.derivation.push_back("tokens are counted by: " + std::string(name_of(weakest)));
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE LadderPhase ladder_phase(std::span<const RequestRecord> records, std::size_t users,
                                                    const TokenCounter& counter, std::size_t batches) {
  expect(batches >= 2, [] { return "ladder_phase() was given fewer than two batches"; });
  LoadSummaryOptions options;
  options.counter = counter;
  const LoadSummary summary = summarize_load(records, options);
  LadderPhase phase;
  phase.users = users;
  phase.seconds = summary.window.seconds();
  phase.tokens_per_second = summary.output_tokens_per_second;
  phase.batches = batches;
  phase.requests = summary.requests;
  phase.served = summary.served;
  phase.tokens = summary.tokens;
  phase.void_reason = summary.void_reason;
  if (const MetricSummary* speed = summary.metric("output_speed")) phase.user_speed = speed->percentiles[1].value;
  if (const MetricSummary* first = summary.metric("ttft")) phase.first_token = first->percentiles[3].value;
  if (!(phase.seconds > 0)) return phase;
  std::vector<double> parts(batches);
  const double length = static_cast<double>(summary.window.end_ns - summary.window.begin_ns);
  for (const RequestRecord& record : records) {
    const TokenCount counted = count_tokens(record, counter);
    std::size_t output = 0;
    for (const AnswerEvent& event : record.events) {
      if (!is_output(event.kind)) continue;
      const double tokens = counted.per_event[output++];
      if (event.time_ns < summary.window.begin_ns || event.time_ns > summary.window.end_ns) continue;
      const double place = static_cast<double>(event.time_ns - summary.window.begin_ns) / length;
      parts[std::min(batches - 1, static_cast<std::size_t>(place * static_cast<double>(batches)))] += tokens;
    }
  }
  const double n = static_cast<double>(batches);
  double mean = 0, squares = 0;
  for (double& part : parts) mean += (part *= n / phase.seconds) / n;
  for (const double part : parts) squares += (part - mean) * (part - mean);
  phase.error = std::sqrt(squares / (n - 1) / n);
  return phase;
}

ASSAY_DETAIL_HEADER_INLINE LadderGain ladder_gain(const LadderPhase& before, const LadderPhase& phase,
                                                  double confidence) {
  const double none = std::numeric_limits<double>::infinity();
  if (!(before.tokens_per_second > 0)) return {none, -none, none};
  const double ratio = phase.tokens_per_second / before.tokens_per_second;
  const double spread = std::hypot(phase.error, ratio * before.error) / before.tokens_per_second;
  const std::size_t batches = std::max<std::size_t>(2, std::min(before.batches, phase.batches));
  const double reach = detail::student_t_about(confidence, static_cast<double>(batches - 1)) * spread;
  return {ratio - 1, ratio - 1 - reach, ratio - 1 + reach};
}

ASSAY_DETAIL_HEADER_INLINE Plateau find_plateau(std::span<const LadderPhase> phases, const LadderRules& rules) {
  Plateau plateau;
  std::size_t flat = 0;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const LadderPhase* before = detail::best_phase(phases.first(i));
    if (before != nullptr) {
      const LadderGain gain = ladder_gain(*before, phases[i], rules.confidence);
      flat = gain.upper < rules.least_gain ? flat + 1 : 0;
      if (flat == 1) plateau.users = before->users;
      if (gain.upper < -rules.most_loss && plateau.collapsed_users == 0) {
        plateau.collapsed_users = phases[i].users;
        plateau.collapsed_tokens_per_second = phases[i].tokens_per_second;
      }
    }
    if (flat >= rules.flat_phases) plateau.reached = true;
  }
  if (!plateau.reached) plateau.users = 0;
  if (const LadderPhase* best = detail::best_phase(phases)) {
    plateau.tokens_per_second = best->tokens_per_second;
    plateau.most_users = best->users;
  }
  return plateau;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<LadderPhase>> climb_ladder(const ProbeUsers& probe,
                                                                         const LadderRules& rules, std::size_t most) {
  std::vector<LadderPhase> phases;
  for (std::size_t users = next_users(0, rules); users <= most; users = next_users(users, rules)) {
    auto phase = probe(users);
    if (!phase) return phase.propagate();
    phases.push_back(std::move(phase).value());
    const Plateau plateau = find_plateau(phases, rules);
    if (plateau.reached || plateau.collapsed_users > 0 || !phases.back().void_reason.empty() ||
        phases.back().served < phases.back().requests)
      break;
  }
  return phases;
}

ASSAY_DETAIL_HEADER_INLINE Outcome ladder_outcome(std::span<const LadderPhase> phases, const LadderRules& rules,
                                                  const std::string& id) {
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  const Plateau plateau = find_plateau(phases, rules);
  outcome.measure("peak_tokens_per_second", plateau.tokens_per_second, "tokens/s");
  outcome.measure("peak_users", static_cast<double>(plateau.most_users), "users");
  if (plateau.reached) outcome.measure("plateau_users", static_cast<double>(plateau.users), "users");
  detail::show_phases(outcome, phases, rules);
  for (const LadderPhase& phase : phases) {
    if (phase.served < phase.requests || phase.requests == 0) {
      outcome.verdict = phase.requests == 0 ? Verdict::inconclusive : Verdict::fail;
      outcome.reason = "with " + std::to_string(phase.users) + " users " +
                       std::to_string(phase.requests - phase.served) + " of " + std::to_string(phase.requests) +
                       " requests were not served";
      return outcome;
    }
    if (phase.void_reason.empty()) continue;
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "with " + std::to_string(phase.users) + " users the run is void: " + phase.void_reason;
    return outcome;
  }
  if (plateau.collapsed_users > 0) {
    outcome.verdict = Verdict::fail;
    outcome.reason = "throughput collapses: " + detail::tokens_text(plateau.tokens_per_second) + " with " +
                     std::to_string(plateau.most_users) + " users, " +
                     detail::tokens_text(plateau.collapsed_tokens_per_second) + " with " +
                     std::to_string(plateau.collapsed_users);
  } else if (!plateau.reached) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = phases.empty() ? "no phase ran"
                                    : "no plateau up to " + std::to_string(phases.back().users) +
                                          " users: allow more, or longer phases, whose gains are known better";
  } else {
    outcome.verdict = Verdict::pass;
  }
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE Outcome claimed_plateau_outcome(std::span<const LadderPhase> phases,
                                                           const LadderRules& rules, const ClaimedPlateau& claim,
                                                           const std::string& id) {
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  outcome.measure("claimed_users", static_cast<double>(claim.users), "users");
  outcome.measure("claimed_tokens_per_second", claim.tokens_per_second, "tokens/s");
  const LadderPhase *at = detail::phase_with(phases, claim.users), *best = detail::best_phase(phases);
  const LadderPhase *fewer = nullptr, *more = nullptr;
  for (const LadderPhase& phase : phases) {
    if (2 * phase.users <= claim.users) fewer = &phase;
    if (phase.users > claim.users && (more == nullptr || phase.tokens_per_second > more->tokens_per_second))
      more = &phase;
  }
  const auto finish = [&](Verdict verdict, std::string reason) {
    outcome.verdict = verdict;
    outcome.reason = std::move(reason);
    return outcome;
  };
  for (const LadderPhase& phase : phases)
    if (!phase.void_reason.empty() || phase.served < phase.requests)
      return finish(Verdict::inconclusive, "the phase with " + std::to_string(phase.users) +
                                               " users is void or has requests that were not served");
  const std::string said = std::to_string(claim.users) + " users and " + detail::tokens_text(claim.tokens_per_second);
  if (best != nullptr && claim.tokens_per_second > 0) {
    LadderPhase claimed;
    claimed.users = claim.users;
    claimed.tokens_per_second = claim.tokens_per_second;
    claimed.batches = best->batches;
    if (ladder_gain(*best, claimed, rules.confidence).lower > rules.least_gain)
      return finish(Verdict::fail, "the plateau is said to be at " + said + "; the most that came is " +
                                       detail::tokens_text(best->tokens_per_second) + ", with " +
                                       std::to_string(best->users) + " users");
  }
  if (at == nullptr)
    return finish(Verdict::inconclusive,
                  "no phase ran with the " + std::to_string(claim.users) + " users of the claim");
  if (more != nullptr && ladder_gain(*at, *more, rules.confidence).lower > rules.least_gain)
    return finish(Verdict::fail, "the plateau is said to be at " + said + "; " + std::to_string(more->users) +
                                     " users bring " + detail::tokens_text(more->tokens_per_second) + " against " +
                                     detail::tokens_text(at->tokens_per_second) + " there");
  if (fewer != nullptr && ladder_gain(*fewer, *at, rules.confidence).upper < rules.least_gain)
    return finish(Verdict::fail, "the plateau is said to be at " + said + "; " + std::to_string(fewer->users) +
                                     " users bring " + detail::tokens_text(fewer->tokens_per_second) + " already");
  if (more == nullptr || (fewer == nullptr && claim.users > 1))
    return finish(Verdict::inconclusive, "no phase ran with " + std::string(more == nullptr ? "more" : "half of the") +
                                             " users, so that nothing shows where the plateau begins");
  if (ladder_gain(*at, *more, rules.confidence).upper >= rules.least_gain)
    return finish(Verdict::inconclusive, "whether " + std::to_string(more->users) +
                                             " users bring more than the claimed " + std::to_string(claim.users) +
                                             " is not known well enough; longer phases would tell");
  return finish(Verdict::pass, "");
}

}  // namespace assay::inline v0
