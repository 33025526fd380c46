#include "assay/fleet/population/burn_in.hpp"

#include <cmath>
#include <random>

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

const BurnInPlan plan{1e-3, 1e-2, 0.05, 0.05};

/// The share of simulated units of a rate that are rejected.
double rejected_share(double rate) {
  std::mt19937_64 random(11);
  std::exponential_distribution<double> next(rate);
  int rejected = 0;
  constexpr int units = 4000;
  for (int unit = 0; unit < units; ++unit) {
    double hours = 0;
    for (std::uint64_t failures = 0;; ++failures) {
      const double failure = hours + next(random);
      if (failure >= hours_to_accept(plan, failures)) break;  // accepted before it failed again
      hours = failure;
      if (judge_burn_in(plan, hours, failures + 1) == BurnInVerdict::reject) {
        ++rejected;
        break;
      }
    }
  }
  return static_cast<double>(rejected) / units;
}

}  // namespace

TEST_CASE("the test errs as rarely as it promises") {
  CHECK(rejected_share(plan.good_rate) <= plan.alpha * 1.1);
  CHECK(1 - rejected_share(plan.bad_rate) <= plan.beta * 1.3);  // Wald's bounds hold up to the overshoot
  CHECK(rejected_share(plan.bad_rate) > 0.9);
}

TEST_CASE("hours to accept grow with failures") {
  CHECK(hours_to_accept(plan) == Approx(std::log(0.95 / 0.05) / 9e-3));
  CHECK(judge_burn_in(plan, hours_to_accept(plan) * 1.001, 0) == BurnInVerdict::accept);
  CHECK(judge_burn_in(plan, hours_to_accept(plan) * 0.999, 0) == BurnInVerdict::go_on);
  CHECK(hours_to_accept(plan, 1) > hours_to_accept(plan));
  CHECK(judge_burn_in(plan, 1, 2) == BurnInVerdict::reject);
  CHECK(name_of(BurnInVerdict::go_on) == std::string("go on"));
  CHECK(failure_free_hours(1000, 0.95) == Approx(2995.7).epsilon(1e-4));
  CHECK_THROWS_AS(static_cast<void>(failure_free_hours(1000, 1)), Misuse);
}

TEST_CASE("the outcome of a burn-in says where it stands") {
  const Outcome accepted = burn_in_outcome(plan, "n1/gpu3", 1000, 0);
  CHECK(accepted.id == "burn_in/n1/gpu3");
  CHECK(accepted.verdict == Verdict::pass);
  CHECK(accepted.reason.empty());
  CHECK(*accepted.measurement("hours") == 1000);
  const Outcome rejected = burn_in_outcome(plan, "a", 1, 2);
  CHECK(rejected.verdict == Verdict::fail);
  CHECK_THAT(rejected.reason, contains("2 failures in 1 h: rejected"));
  CHECK(*rejected.measurement("failures") == 2);
  const Outcome open = burn_in_outcome(plan, "a", hours_to_accept(plan) - 7, 0);
  CHECK(open.verdict == Verdict::inconclusive);
  CHECK_THAT(open.reason, contains("goes on: 7 h more"));
}

TEST_CASE("plans that cannot be") {
  CHECK(check(plan).has_value());
  CHECK_THAT(check({1e-2, 1e-3, 0.05, 0.05}).error().message, contains("below the bad one"));
  CHECK_FALSE(check({0, 1, 0.05, 0.05}).has_value());
  CHECK_FALSE(check({1, std::nan(""), 0.05, 0.05}).has_value());
  CHECK_FALSE(check({1, 2, 0.5, 0.05}).has_value());
}

TEST_CASE("who failed once failed, and a rate has an interval") {
  const IntermittentRate rate = intermittent_rate("n1/gpu3", 3, 1000);
  CHECK(rate.interval.lower < 0.003);
  CHECK(rate.interval.upper > 0.003);
  CHECK(rate.attempts_to_repeat == Approx(998).margin(2));
  CHECK(rate_outcome(rate).verdict == Verdict::fail);
  CHECK_THAT(rate_outcome(rate).reason, contains("3 of 1000 attempts failed"));
  CHECK(rate_outcome(intermittent_rate("a", 0, 1000)).verdict == Verdict::pass);
  CHECK(rate_outcome(intermittent_rate("a", 0, 0)).verdict == Verdict::inconclusive);
  CHECK(intermittent_rate("a", 5, 5).attempts_to_repeat == 1);
  CHECK_THROWS_AS(static_cast<void>(intermittent_rate("a", 2, 1)), Misuse);
}

TEST_CASE("screening in rotation") {
  const ScreeningPlan screening{100'000, 15, 0.001, 0.8};
  CHECK(screening_period_hours(screening) == Approx(250));
  CHECK(screening_exposure_hours(screening) == Approx(250 * 0.75));
  CHECK_THROWS_AS(static_cast<void>(screening_period_hours({1, 15, 0, 1})), Misuse);
}
