#include "assay/serving/early_stopping.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

TEST_CASE("the queries that early stopping asks for are LoadGen's", "[serving]") {
  std::ifstream file(assay::testing::source_directory() / "tests/serving/data/early_stopping.csv");
  std::string line;
  REQUIRE(std::getline(file, line));
  int rows = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    double percentile = 0;
    std::uint64_t over = 0, queries = 0;
    char comma = 0;
    REQUIRE(cells >> percentile >> comma >> over >> comma >> queries);
    const assay::EarlyStoppingOptions options{percentile, 0.99, 0};
    INFO(line);
    CHECK(assay::queries_within_latency(over, options) + over == queries);
    CHECK(assay::early_stopping_met(queries, over, options));
    CHECK_FALSE(assay::early_stopping_met(queries - 1, over, options));
    ++rows;
  }
  CHECK(rows == 50);
}

TEST_CASE("estimates discard as many of the slowest as the queries allow", "[serving]") {
  std::vector<double> sorted;
  for (int i = 1; i <= 81; ++i) sorted.push_back(i);
  const assay::EarlyStoppingOptions options{0.9, 0.99, 0};
  CHECK(*assay::early_stopping_estimate(sorted, options) == 80);
  sorted.pop_back();
  CHECK(*assay::early_stopping_estimate(sorted, options) == 80);
  sorted.resize(63);
  CHECK_FALSE(assay::early_stopping_estimate(sorted, options));
  CHECK_FALSE(assay::early_stopping_estimate({}, options));
}

TEST_CASE("a percentile of 0 or 1 is misuse", "[serving]") {
  CHECK_THROWS_AS(assay::queries_within_latency(0, {1.0, 0.99, 0}), assay::Misuse);
  CHECK_THROWS_AS(assay::queries_within_latency(0, {0.9, 0.0, 0}), assay::Misuse);
  CHECK_THROWS_AS(assay::queries_within_latency(0, {0.9, 0.99, 0.9}), assay::Misuse);
}
