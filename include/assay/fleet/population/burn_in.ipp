#pragma once

#include "assay/fleet/population/burn_in.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// The logarithm of how much likelier so many failures are of a bad unit.
[[nodiscard]] inline double burn_in_evidence(const BurnInPlan& plan, double hours, double failures) noexcept {
  return failures * std::log(plan.bad_rate / plan.good_rate) - (plan.bad_rate - plan.good_rate) * hours;
}

ASSAY_DETAIL_HEADER_INLINE void expect_screening(const ScreeningPlan& plan) {
  expect(plan.minutes > 0 && plan.share > 0 && plan.share <= 1 && plan.detection > 0 && plan.detection <= 1,
         [] { return std::string("screening: minutes are above 0, share and detection above 0 and 1 at most"); });
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE const char* name_of(BurnInVerdict verdict) noexcept {
  return verdict == BurnInVerdict::accept ? "accept" : verdict == BurnInVerdict::reject ? "reject" : "go on";
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const BurnInPlan& plan) {
  if (!(plan.good_rate > 0 && plan.bad_rate > plan.good_rate && std::isfinite(plan.bad_rate)))
    return failure(ErrorKind::invalid, "the good rate is above 0 and below the bad one; given are " +
                                           number_text(plan.good_rate) + " and " + number_text(plan.bad_rate) +
                                           " failures an hour");
  if (!(plan.alpha > 0 && plan.alpha < 0.5 && plan.beta > 0 && plan.beta < 0.5))
    return failure(ErrorKind::invalid, "probabilities of wrong answers lie between 0 and 0.5");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE BurnInVerdict judge_burn_in(const BurnInPlan& plan, double hours,
                                                       std::uint64_t failures) noexcept {
  const double evidence = detail::burn_in_evidence(plan, hours, static_cast<double>(failures));
  if (evidence >= std::log((1 - plan.beta) / plan.alpha)) return BurnInVerdict::reject;
  return evidence <= std::log(plan.beta / (1 - plan.alpha)) ? BurnInVerdict::accept : BurnInVerdict::go_on;
}

ASSAY_DETAIL_HEADER_INLINE double hours_to_accept(const BurnInPlan& plan, std::uint64_t failures) noexcept {
  return (static_cast<double>(failures) * std::log(plan.bad_rate / plan.good_rate) -
          std::log(plan.beta / (1 - plan.alpha))) /
         (plan.bad_rate - plan.good_rate);
}

ASSAY_DETAIL_HEADER_INLINE Outcome burn_in_outcome(const BurnInPlan& plan, const std::string& subject, double hours,
                                                   std::uint64_t failures) {
  Outcome outcome;
  outcome.id = "burn_in/" + subject;
  outcome.measure("hours", hours, "h");
  outcome.measure("failures", static_cast<double>(failures));
  switch (judge_burn_in(plan, hours, failures)) {
    case BurnInVerdict::accept: outcome.verdict = Verdict::pass; break;
    case BurnInVerdict::reject:
      outcome.verdict = Verdict::fail;
      outcome.reason = std::to_string(failures) + " failures in " + number_text(hours, 4) + " h: rejected";
      break;
    case BurnInVerdict::go_on:
      outcome.verdict = Verdict::inconclusive;
      outcome.reason = "goes on: " + number_text(hours_to_accept(plan, failures) - hours, 4) +
                       " h more without a failure, and it is accepted";
      break;
  }
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE double failure_free_hours(double hours, double confidence) {
  expect(hours > 0 && confidence > 0 && confidence < 1,
         [] { return std::string("failure_free_hours: hours are above 0, a confidence lies between 0 and 1"); });
  return -std::log1p(-confidence) * hours;
}

ASSAY_DETAIL_HEADER_INLINE IntermittentRate intermittent_rate(std::string subject, std::uint64_t failures,
                                                              std::uint64_t attempts) {
  expect(failures <= attempts, [&] {
    return "intermittent_rate: '" + subject + "' failed " + std::to_string(failures) + " of " +
           std::to_string(attempts) + " times; attempts count failures, too";
  });
  IntermittentRate one{std::move(subject),
                       failures,
                       attempts,
                       0,
                       rate_interval(failures, attempts),
                       std::numeric_limits<double>::infinity()};
  if (attempts > 0) one.rate = static_cast<double>(failures) / static_cast<double>(attempts);
  if (failures > 0)
    one.attempts_to_repeat = failures == attempts ? 1 : std::ceil(std::log(0.05) / std::log1p(-one.rate));
  return one;
}

ASSAY_DETAIL_HEADER_INLINE Outcome rate_outcome(const IntermittentRate& rate) {
  Outcome outcome;
  outcome.id = "fleet/" + rate.subject;
  outcome.labels = {{"subject", rate.subject}};
  outcome.measure("attempts", static_cast<double>(rate.attempts));
  if (rate.attempts == 0) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "nothing was attempted";
    return outcome;
  }
  outcome.measure("failure_rate", rate.rate);
  outcome.measure("failure_rate_upper", rate.interval.upper);
  const std::string interval =
      number_text(rate.interval.lower * 100) + " to " + number_text(rate.interval.upper * 100) + " %";
  if (rate.failures > 0) {
    outcome.verdict = Verdict::fail;
    outcome.reason = std::to_string(rate.failures) + " of " + std::to_string(rate.attempts) + " attempts failed (" +
                     interval + "); " + number_text(rate.attempts_to_repeat) + " attempts show it again";
  } else {
    outcome.verdict = Verdict::pass;
    outcome.derivation.push_back("no failure in " + std::to_string(rate.attempts) + " attempts: the rate is " +
                                 interval);
  }
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE double screening_period_hours(const ScreeningPlan& plan) {
  detail::expect_screening(plan);
  return plan.minutes / 60 / plan.share;
}

ASSAY_DETAIL_HEADER_INLINE double screening_exposure_hours(const ScreeningPlan& plan) {
  return screening_period_hours(plan) * (1 / plan.detection - 0.5);
}

}  // namespace assay::inline v0
