#include "assay/serving/speculative_decoding.hpp"

#include <cmath>

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

const std::vector<double> target{0.5, 0.3, 0.15, 0.05}, draft{0.25, 0.25, 0.25, 0.25};

}  // namespace

TEST_CASE("the right rule keeps the target's distribution, and no other does", "[serving]") {
  for (const assay::SpeculationRule rule : assay::all_speculation_rules) {
    const auto found = assay::speculation_distribution(rule, target, draft);
    double distance = 0, sum = 0;
    for (std::size_t x = 0; x < found.size(); ++x) {
      distance += std::abs(found[x] - target[x]);
      sum += found[x];
    }
    INFO(name_of(rule));
    CHECK(sum == Approx(1));
    CHECK((distance < 1e-12) == (rule == assay::SpeculationRule::correct));
  }
  CHECK(assay::speculation_distribution(assay::SpeculationRule::always_accept, target, draft) == draft);
}

TEST_CASE("the share of accepted tokens is the overlap of both distributions", "[serving]") {
  CHECK(assay::acceptance_rate(target, draft) == Approx(0.25 + 0.25 + 0.15 + 0.05));
  CHECK(assay::acceptance_rate(target, target) == Approx(1));
}

TEST_CASE("tokens are drawn as the exact distribution of each rule says", "[serving]") {
  assay::detail::RandomSequence random(3);
  constexpr int draws = 200'000;
  for (const assay::SpeculationRule rule : assay::all_speculation_rules) {
    std::vector<double> share(target.size());
    double accepted = 0;
    for (int i = 0; i < draws; ++i) {
      const auto drawn = assay::speculate(rule, target, draft, random);
      share[drawn.token] += 1.0 / draws;
      accepted += drawn.accepted ? 1.0 / draws : 0;
    }
    INFO(name_of(rule));
    const auto exact = assay::speculation_distribution(rule, target, draft);
    for (std::size_t x = 0; x < share.size(); ++x) CHECK(share[x] == Approx(exact[x]).margin(0.006));
    if (rule == assay::SpeculationRule::correct)
      CHECK(accepted == Approx(assay::acceptance_rate(target, draft)).margin(0.006));
  }
}

TEST_CASE("equal distributions are accepted whole, different vocabularies are misuse", "[serving]") {
  assay::detail::RandomSequence random(3);
  for (int i = 0; i < 1000; ++i)
    CHECK(assay::speculate(assay::SpeculationRule::correct, target, target, random).accepted);
  CHECK_THROWS_AS(assay::acceptance_rate(target, std::vector<double>{1}), assay::Misuse);
}
