#include "assay/accuracy/equivalence.hpp"

#include <cmath>

#include "accuracy/near.hpp"
#include "assay/accuracy/perplexity.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;

Score accuracy_score(std::size_t samples, std::size_t wrong_from, std::size_t wrong_to) {
  Score score{"top1", 0, "1", true, "test", {}, {2, {}}, mean_of_sums};
  score.binary = true;
  for (std::size_t i = 0; i < samples; ++i)
    score.statistics.add(std::vector<double>{i >= wrong_from && i < wrong_to ? 0.0 : 1.0, 1});
  score.value = mean_of_sums(score.statistics.sums());
  return score;
}

}  // namespace

TEST_CASE("Within, beyond, or too few to tell", "[accuracy]") {
  CHECK(judge_equivalence({0, -0.4, 0.4}, 0.5) == Verdict::pass);
  CHECK(judge_equivalence({0, -0.6, 0.4}, 0.5) == Verdict::inconclusive);
  CHECK(judge_equivalence({-2, -3, -0.6}, 0.5) == Verdict::fail);
  CHECK_THROWS_AS(judge_equivalence({}, 0), Misuse);
}

TEST_CASE("A claim about accuracy needs its samples", "[accuracy]") {
  EquivalenceClaim claim;
  claim.margin = 0.005;
  CHECK(compare_scores(accuracy_score(100, 0, 0), accuracy_score(100, 0, 0), claim).verdict == Verdict::inconclusive);
  CHECK(compare_scores(accuracy_score(50000, 0, 10), accuracy_score(50000, 10, 20), claim).verdict == Verdict::pass);
  const EquivalenceJudgment worse = compare_scores(accuracy_score(50000, 0, 2000), accuracy_score(50000, 0, 0), claim);
  CHECK(worse.verdict == Verdict::fail);
  CHECK(worse.interval.estimate == -0.04);
  CHECK(worse.p_difference < 1e-10);
  const EquivalenceJudgment few = compare_scores(accuracy_score(1000, 0, 30), accuracy_score(1000, 30, 60), claim);
  CHECK(few.verdict == Verdict::inconclusive);
  CHECK(few.samples_needed > 1000);
  CHECK(few.reason.find("samples do not decide") != std::string::npos);
}

TEST_CASE("The sample size of two one-sided tests", "[accuracy]") {
  EquivalenceClaim claim;
  claim.margin = 0.1;
  // (z_0.95 + z_0.9)² = 8.5638
  CHECK(samples_for_margin(1, claim) == 857);
  claim.margin = 0.05;
  CHECK(samples_for_margin(1, claim) == 3426);
}

TEST_CASE("Other metrics by the paired bootstrap, and too few are too few", "[accuracy]") {
  Score a{"kl", 0, "nat", false, "test", {}, {2, {}}, mean_of_sums}, b = a;
  for (int i = 0; i < 20; ++i) a.statistics.add(std::vector<double>{1, 1}), b.statistics.add(std::vector<double>{1, 1});
  EquivalenceClaim claim;
  CHECK(compare_scores(a, b, claim).verdict == Verdict::inconclusive);
  for (int i = 0; i < 20; ++i) a.statistics.add(std::vector<double>{1, 1}), b.statistics.add(std::vector<double>{1, 1});
  CHECK(compare_scores(a, b, claim).verdict == Verdict::pass);
  b.convention = "another";
  CHECK_THROWS_AS(compare_scores(a, b, claim), Misuse);
}

TEST_CASE("Against a stated value", "[accuracy]") {
  EquivalenceClaim claim;
  claim.margin = 0.01;
  CHECK(compare_with_stated(accuracy_score(100000, 0, 24000), 0.76, claim).verdict == Verdict::pass);
  CHECK(compare_with_stated(accuracy_score(100000, 0, 30000), 0.76, claim).verdict == Verdict::fail);
  CHECK(compare_with_stated(accuracy_score(100, 0, 24), 0.76, claim).verdict == Verdict::inconclusive);
}

TEST_CASE("One sequence of infinite loss among 40 is within no margin", "[accuracy]") {
  std::vector<TokenLosses> ours(40, {1.0, 1.2}), theirs = ours;
  ours[7].back() = INFINITY;
  EquivalenceClaim claim;
  claim.margin = 0.5;
  for (const PerplexityMean mean :
       {PerplexityMean::corpus, PerplexityMean::sequences, PerplexityMean::sequence_losses}) {
    const Score candidate = perplexity(ours, mean), baseline = perplexity(theirs, mean);
    const EquivalenceJudgment judgment = compare_scores(candidate, baseline, claim);
    CHECK(judgment.verdict == Verdict::fail);
    CHECK(judgment.interval.upper == INFINITY);
    CHECK(compare_scores(candidate, candidate, claim).verdict == Verdict::fail);
    CHECK(compare_with_stated(candidate, baseline.value, claim).verdict == Verdict::fail);
    CHECK(compare_with_stated(baseline, baseline.value, claim).verdict == Verdict::pass);
  }
  CHECK(judge_equivalence({INFINITY, -0.1, 0.1}, 0.5) == Verdict::fail);
  CHECK(judge_equivalence({std::nan(""), -0.1, 0.1}, 0.5) == Verdict::fail);
}
