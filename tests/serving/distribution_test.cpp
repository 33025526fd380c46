#include "assay/serving/distribution_test.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/serving/sampling.hpp"
#include "assay/serving/speculative_decoding.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

using List = std::vector<double>;
using Counts = std::vector<std::uint64_t>;

double uniform(assay::detail::RandomSequence& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

/// softmax of ten numbers of [0, 1): the pairs by which the effects of wrong rules are known.
List random_distribution(assay::detail::RandomSequence& random) {
  List logits;
  for (int i = 0; i < 10; ++i) logits.push_back(uniform(random));
  return assay::sampling_distribution(logits, {});
}

Counts draw(const List& distribution, std::uint64_t samples, assay::detail::RandomSequence& random) {
  Counts counts(distribution.size());
  for (std::uint64_t i = 0; i < samples; ++i) ++counts[assay::draw_token(distribution, uniform(random))];
  return counts;
}

}  // namespace

TEST_CASE("chi-square is what it is by hand", "[serving]") {
  // (44 − 50)²/50 + (56 − 50)²/50 = 1.44; of one degree of freedom p = erfc(√(1.44/2)).
  const auto test = assay::test_distribution(Counts{44, 56}, List{0.5, 0.5});
  CHECK(test.statistic == Approx(1.44));
  CHECK(test.degrees_of_freedom == 1);
  CHECK(test.p_value == Approx(std::erfc(std::sqrt(0.72))));
}

TEST_CASE("cells that expect too little are pooled, and impossible tokens refute at once", "[serving]") {
  const auto pooled = assay::test_distribution(Counts{90, 4, 3, 3}, List{0.9, 0.04, 0.03, 0.03});
  CHECK(pooled.degrees_of_freedom == 1);
  CHECK(pooled.p_value == Approx(1));
  const auto impossible = assay::test_distribution(Counts{99, 1}, List{1, 0});
  CHECK(impossible.impossible == 1);
  CHECK(assay::distribution_outcome(impossible, "x").verdict == assay::Verdict::fail);
  CHECK(assay::distribution_outcome(assay::test_distribution(Counts{3, 2}, List{0.5, 0.5}), "x").verdict ==
        assay::Verdict::inconclusive);
}

TEST_CASE("wrong rules of speculation are found with as many samples as their effect asks for", "[serving]") {
  // Median over pairs of what each rule needs for 90 % power at .001, known from an independent calculation.
  const std::vector<std::pair<assay::SpeculationRule, double>> known{{assay::SpeculationRule::redraw_from_target, 1176},
                                                                     {assay::SpeculationRule::always_accept, 205},
                                                                     {assay::SpeculationRule::absolute_residual, 820},
                                                                     {assay::SpeculationRule::inflated_ratio, 19'456},
                                                                     {assay::SpeculationRule::no_division, 38}};
  for (const auto& [rule, samples] : known) {
    assay::detail::RandomSequence random(11);
    List needed;
    int found = 0;
    constexpr int pairs = 60;
    for (int i = 0; i < pairs; ++i) {
      const List q = random_distribution(random), p = random_distribution(random);
      const List actual = assay::speculation_distribution(rule, p, q);
      needed.push_back(assay::samples_to_refute(actual, p));
      const auto enough = static_cast<std::uint64_t>(std::ceil(needed.back()));
      // Below some 50 samples of ten tokens cells are pooled, and the promise does not hold.
      if (enough < 100) continue;
      found += assay::test_distribution(draw(actual, enough, random), p).p_value < 1e-3 ? 1 : 0;
    }
    std::sort(needed.begin(), needed.end());
    INFO(name_of(rule) << " needs " << needed[pairs / 2]);
    CHECK(needed[pairs / 2] == Approx(samples).epsilon(0.35));
    if (rule != assay::SpeculationRule::no_division) CHECK(found >= pairs * 3 / 4);
  }
}

TEST_CASE("the right rule is accused no more often than the level says", "[serving]") {
  assay::detail::RandomSequence random(5);
  const List q = random_distribution(random), p = random_distribution(random);
  int accused = 0;
  constexpr int tests = 2000;
  for (int i = 0; i < tests; ++i) {
    Counts counts(p.size());
    for (int k = 0; k < 500; ++k) ++counts[assay::speculate(assay::SpeculationRule::correct, p, q, random).token];
    accused += assay::test_distribution(counts, p).p_value < 0.01 ? 1 : 0;
  }
  CHECK(accused <= 40);  // 20 are expected; above 40 lies 1 in 50,000
  CHECK(accused >= 5);
}

TEST_CASE("equal distributions are never told apart, excluded tokens by the first", "[serving]") {
  CHECK(std::isinf(assay::samples_to_refute(List{0.5, 0.5}, List{0.5, 0.5})));
  CHECK(assay::samples_to_refute(List{0.5, 0.5}, List{1, 0}) == 1);
}

TEST_CASE("what is no distribution is misuse", "[serving]") {
  CHECK_THROWS_AS(assay::test_distribution(Counts{1}, List{0.5, 0.5}), assay::Misuse);
  CHECK_THROWS_AS(assay::test_distribution(Counts{1, 1}, List{0.5, 0.6}), assay::Misuse);
  CHECK_THROWS_AS(assay::test_distribution(Counts{0, 0}, List{0.5, 0.5}), assay::Misuse);
  CHECK_THROWS_AS(assay::samples_to_refute(List{1}, List{1}), assay::Misuse);
}
