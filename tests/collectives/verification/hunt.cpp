#include "assay/collectives/verification/hunt.hpp"

#include "collectives/verification/verified_world.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

Outcome hunted(const HuntOptions& options, const testing::Mischief& mischief = {}) {
  return testing::outcome_of_world(
      3,
      [&](AnyCollective& collective, Coordinator& coordinator) {
        CollectiveProblem problem;
        problem.count = 257;
        problem.seed = 11;
        return hunt(collective, coordinator, problem, options);
      },
      mischief);
}

}  // namespace

TEST_CASE("a hunt finds the calls that were corrupted, their rate, and how to repeat the first") {
  HuntOptions options;
  options.calls = 1000;
  options.first_call = 50000;
  const Outcome outcome = hunted(options, [](int rank, std::uint64_t number, const CollectiveCall& call) {
    if (rank == 2 && number % 400 == 337) static_cast<char*>(call.receive)[4 * 100 + 2] ^= 8;
  });
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("first_call") == "50337");
  CHECK(outcome.label("fault") == "intermittent_bit_flip");
  CHECK(outcome.label("guilty_rank") == "2");
  CHECK(outcome.measurement("calls") == 1000.0);
  CHECK(outcome.measurement("corrupted_calls") == 2.0);
  CHECK(*outcome.measurement("corruption_rate_lower") < 0.002);
  CHECK(*outcome.measurement("corruption_rate_upper") > 0.002);
  CHECK(outcome.diagnosis.back() == "in 2 of 1000 calls; repeat the first with first_call 50337 and seed 11");
}

TEST_CASE("a hunt ends where nothing more can be learned: time, failures, a runtime that broke") {
  HuntOptions options;
  options.calls = 300;
  Outcome outcome = hunted(options);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("corruption_rate_lower") == 0.0);
  CHECK(*outcome.measurement("corruption_rate_upper") < 0.013);
  options.budget = std::chrono::seconds(0);
  CHECK(hunted(options).measurement("calls") == 64.0);
  options.budget = std::chrono::hours(1);
  options.most_failures = 5;
  outcome =
      hunted(options, [](int, std::uint64_t, const CollectiveCall& call) { static_cast<char*>(call.receive)[1] ^= 1; });
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(*outcome.measurement("calls") <= 64.0);
}

TEST_CASE("intervals of rates hold what they should") {
  CHECK(rate_interval(0, 10000).upper == testing::Approx(3.84e-4).epsilon(0.01));
  CHECK(rate_interval(0, 10000).lower == 0);
  CHECK(rate_interval(10, 10).upper == 1);
  CHECK(rate_interval(5, 10).lower == testing::Approx(0.2366).epsilon(0.001));
  CHECK(rate_interval(0, 0).upper == 1);
}
