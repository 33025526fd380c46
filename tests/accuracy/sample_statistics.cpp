#include "assay/accuracy/sample_statistics.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("Statistics of samples add up", "[accuracy]") {
  SampleStatistics samples{2, {}};
  samples.add(std::vector<double>{1, 2});
  samples.add(std::vector<double>{3, 4});
  CHECK(samples.size() == 2);
  CHECK(samples.row(1)[0] == 3);
  CHECK(samples.sums() == std::vector<double>{4, 6});
  CHECK(mean_of_sums(samples.sums()) == 4.0 / 6);
  CHECK_THROWS_AS(samples.add(std::vector<double>{1}), Misuse);
}
