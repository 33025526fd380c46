#include "assay/fleet/population/peer_outliers.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

PeerGroup normal_group(std::size_t subjects, unsigned seed, double spread = 0.01) {
  PeerGroup group;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(1000, 1000 * spread);
  for (std::uint32_t subject = 0; subject < subjects; ++subject) {
    group.subjects.push_back(subject);
    group.values.push_back(normal(random));
  }
  return group;
}

}  // namespace

TEST_CASE("equal peers are not accused, however many or few they are") {
  PeerOptions options;
  options.minimum_effect = 0;  // the threshold alone
  for (const std::size_t subjects : {8u, 16u, 64u, 1000u}) {
    std::size_t accused = 0;
    const unsigned fleets = subjects == 1000 ? 100 : 1000;
    for (unsigned seed = 0; seed < fleets; ++seed) {
      const PeerVerdict verdict = compare_peers(normal_group(subjects, seed + 1), options);
      REQUIRE(verdict.decided);
      accused += verdict.worse.size() + verdict.better.size();
    }
    INFO(subjects);
    CHECK(static_cast<double>(accused) <= 0.03 * fleets);  // 0.01 expected of normal values
  }
}

TEST_CASE("planted outliers are found, in either direction, worst first") {
  PeerGroup group = normal_group(1000, 7);
  group.values[17] = 880;
  group.values[40] = 700;
  group.values[90] = 1300;
  const PeerVerdict verdict = compare_peers(group);
  REQUIRE(verdict.worse.size() == 2);
  CHECK(verdict.worse[0].subject == 40);
  CHECK(verdict.worse[1].subject == 17);
  CHECK(verdict.worse[0].effect == testing::Approx(-0.3).margin(0.01));
  REQUIRE(verdict.better.size() == 1);
  group.higher_is_better = false;
  CHECK(compare_peers(group).worse.front().subject == 90);
}

TEST_CASE("a third of the fleet may be bad: the good ones are still the norm") {
  PeerGroup group = normal_group(900, 3);
  for (std::size_t subject = 0; subject < 300; ++subject) group.values[subject] *= 0.8;
  const PeerVerdict verdict = compare_peers(group);
  CHECK(verdict.worse.size() == 300);
  CHECK(verdict.better.empty());
}

TEST_CASE("what does not matter is not told, and equal values have no spread") {
  PeerGroup group = normal_group(1000, 5, 0.0001);
  group.values[3] = 990;  // 100 deviations, 1 %
  CHECK(compare_peers(group).worse.empty());
  group.values.assign(1000, 5);
  CHECK(compare_peers(group).worse.empty());
  group.values[9] = 4;
  REQUIRE(compare_peers(group).worse.size() == 1);
  CHECK(compare_peers(group).worse.front().subject == 9);
}

TEST_CASE("several values of a subject are one, and what is no number is counted") {
  PeerGroup group = normal_group(50, 1);
  for (int repeat = 0; repeat < 2; ++repeat) {
    group.subjects.push_back(4);
    group.values.push_back(1000);
  }
  group.subjects.push_back(4);
  group.values.push_back(10);  // one bad reading of four
  group.subjects.push_back(5);
  group.values.push_back(std::numeric_limits<double>::quiet_NaN());
  const PeerVerdict verdict = compare_peers(group);
  CHECK(verdict.subjects == 50);
  CHECK(verdict.left_out == 1);
  CHECK(verdict.worse.empty());
  CHECK_FALSE(compare_peers(normal_group(7, 1)).decided);
  CHECK_FALSE(compare_peers({}).decided);
  group.values.pop_back();
  CHECK_THROWS_AS(static_cast<void>(compare_peers(group)), Misuse);
}

TEST_CASE("a swap tells the part from its place") {
  CHECK(judge_swap(80, 100, 80, 95) == SwapVerdict::part);
  CHECK(judge_swap(80, 80, 100, 95) == SwapVerdict::place);
  CHECK(judge_swap(80, 100, 100, 95) == SwapVerdict::contact);
  CHECK(judge_swap(80, 80, 80, 95) == SwapVerdict::inconclusive);
  CHECK(judge_swap(100, 100, 100, 95) == SwapVerdict::inconclusive);
  CHECK(judge_swap(120, 100, 120, 105, false) == SwapVerdict::part);
  CHECK(judge_swap(std::nan(""), 100, 80, 95) == SwapVerdict::inconclusive);
  CHECK(name_of(SwapVerdict::place) == std::string("place"));
}

TEST_CASE("values that are too large to be compared are left out, and tiny probabilities are taken") {
  PeerGroup group = normal_group(16, 1);
  for (const double value : {1e300, -1e300, 1e150}) {
    group.subjects.push_back(static_cast<std::uint32_t>(group.subjects.size()));
    group.values.push_back(value);
  }
  PeerOptions options;
  options.false_accusations = 1e-320;
  const PeerVerdict verdict = compare_peers(group, options);
  CHECK(verdict.decided);
  CHECK(verdict.left_out == 3);
  CHECK(verdict.subjects == 16);
  CHECK(std::isfinite(verdict.threshold));
}
