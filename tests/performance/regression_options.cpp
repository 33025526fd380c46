#include "assay/performance/regression_options.hpp"

#include "assay/performance/regression.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("options out of their ranges are misuse", "[performance]") {
  const std::vector<double> samples{1, 2, 3, 4, 5};
  const auto judged = [&](auto set) {
    RegressionOptions options;
    set(options);
    return judge_regression(samples, samples, Direction::lower_is_better, options).verdict;
  };
  CHECK_NOTHROW(judged([](RegressionOptions&) {}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {-0.01, 1.0, 5.0, nan})
    CHECK_THROWS_AS(judged([&](RegressionOptions& options) { options.minimum_effect = bad; }), Misuse);
  for (const double bad : {0.0, 1.0, 95.0, nan})
    CHECK_THROWS_AS(judged([&](RegressionOptions& options) { options.confidence = bad; }), Misuse);
  for (const double bad : {0.9, nan, std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(judged([&](RegressionOptions& options) { options.variance_inflation = bad; }), Misuse);
}
