#include "assay/validators/magnitude_distribution.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("magnitudes are counted by binade") {
  MagnitudeDistribution values;
  for (const double value : {1.0, -1.5, 2.0, 0.25, 0.0, -0.0, 0x1p-149, 0x1p-1000, 1e300}) values.add(value);
  values.add(std::numeric_limits<double>::quiet_NaN());
  values.add(-std::numeric_limits<double>::infinity());
  CHECK(values.count == 9);
  CHECK(values.zeros == 2);
  CHECK(values.not_finite == 2);
  CHECK(values.in_binade(0) == 2);
  CHECK(values.in_binade(1) == 1);
  CHECK(values.in_binade(-1) == 0);
  CHECK(values.in_binade(-2) == 1);
  CHECK(values.in_binade(-149) == 2);
  CHECK(values.in_binade(127) == 1);
  CHECK(values.largest == 1e300);
  CHECK(values.smallest == 0x1p-1000);
}

TEST_CASE("the peak is told in root mean squares") {
  MagnitudeDistribution values;
  CHECK(values.peak_to_root_mean_square() == 0);
  for (int i = 0; i < 15; ++i) values.add(0);
  CHECK(values.peak_to_root_mean_square() == 0);
  values.add(-8);
  CHECK(values.root_mean_square() == 2);
  CHECK(values.peak_to_root_mean_square() == 4);
}
