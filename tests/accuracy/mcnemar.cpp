#include "assay/accuracy/mcnemar.hpp"

#include "accuracy/near.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "assay/statistics/samples.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::near;

TEST_CASE("McNemar's test is scipy's", "[accuracy]") {
  const McNemar test = mcnemar({15, 5, 100});
  CHECK(near(test.exact, 0.04138946533203125, 1e-12));
  CHECK(near(test.mid_p, 0.026603698730468753, 1e-12));
  CHECK(near(test.chi_squared, 0.04417134490844271, 1e-12));
  CHECK(mcnemar({0, 0, 10}).exact == 1);
  CHECK(mcnemar({7, 7, 20}).exact == 1);
  CHECK_THROWS_AS(mcnemar({6, 5, 10}), Misuse);
  const McNemar many = mcnemar({500000, 500000, 1000000});
  CHECK(near(many.exact, 1, 1e-6));
}

TEST_CASE("Tango's interval holds where nothing differs", "[accuracy]") {
  const double z = detail::normal_quantile_of(0.975), square = z * z;
  for (const std::uint64_t n : {5u, 100u, 10000u}) {
    const DifferenceInterval interval = paired_proportion_interval({0, 0, n}, 0.95);
    CHECK(interval.estimate == 0);
    CHECK(near(interval.upper, square / (static_cast<double>(n) + square), 1e-9));
    CHECK(near(interval.lower, -interval.upper, 1e-9));
  }
  const DifferenceInterval one_way = paired_proportion_interval({12, 2, 50}, 0.95);
  CHECK((one_way.lower > 0 && one_way.lower < one_way.estimate && one_way.estimate < one_way.upper));
}

TEST_CASE("Tango's interval covers what it promises", "[accuracy]") {
  detail::RandomSequence random(7);
  int covered = 0;
  constexpr int runs = 1000;
  for (int run = 0; run < runs; ++run) {
    Discordance pairs{0, 0, 200};
    for (int i = 0; i < 200; ++i) {
      const std::uint32_t drawn = random.below(100);
      pairs.only_candidate += drawn < 8;
      pairs.only_baseline += drawn >= 8 && drawn < 11;
    }
    const DifferenceInterval interval = paired_proportion_interval(pairs, 0.9);
    covered += interval.lower <= 0.05 && 0.05 <= interval.upper;
  }
  CHECK((covered > 870 && covered < 930));
}
