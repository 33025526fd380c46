#include "assay/statistics/outliers.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("Tukey's fences lie 1.5 and 3 interquartile ranges out", "[statistics]") {
  std::vector<double> samples;
  for (int i = 0; i <= 100; ++i) samples.push_back(i);  // quartiles 25 and 75
  const TukeyFences fences = tukey_fences(samples);
  CHECK(fences.low_severe == Approx(-125));
  CHECK(fences.low_mild == Approx(-50));
  CHECK(fences.high_mild == Approx(150));
  CHECK(fences.high_severe == Approx(225));
  CHECK(fences.class_of(150) == OutlierClass::none);
  CHECK(fences.class_of(150.1) == OutlierClass::high_mild);
  CHECK(fences.class_of(225.1) == OutlierClass::high_severe);
  CHECK(fences.class_of(-50.1) == OutlierClass::low_mild);
  CHECK(fences.class_of(-126) == OutlierClass::low_severe);
}

TEST_CASE("outliers are counted by class", "[statistics]") {
  std::vector<double> samples;
  for (int i = 0; i <= 100; ++i) samples.push_back(i);
  samples.insert(samples.end(), {160, 170, 1000, -60, -1000});
  const OutlierCounts counts = count_outliers(samples);
  CHECK(counts.high_mild == 2);
  CHECK(counts.high_severe == 1);
  CHECK(counts.low_mild == 1);
  CHECK(counts.low_severe == 1);
  CHECK(counts.outliers() == 5);
  CHECK(counts.none == 101);
}

TEST_CASE("seven of a thousand normal samples lie beyond the mild fences", "[statistics]") {
  assay::testing::Noise noise(11);
  const OutlierCounts counts = count_outliers(noise.normals(100000));
  CHECK(static_cast<double>(counts.outliers()) / 1e5 == Approx(0.00698).epsilon(0.1));
  CHECK(counts.high_severe + counts.low_severe < 10);
}

TEST_CASE("outliers among equal samples, and of what is none", "[statistics]") {
  CHECK(count_outliers(std::vector<double>(10, 4.0)).none == 10);
  CHECK(count_outliers(std::vector<double>{4, 4, 4, 4, 4, 4, 4.001}).high_severe == 1);
  assay::testing::check_refuses_what_is_no_sample([](const std::vector<double>& x) { return count_outliers(x).none; },
                                                  1);
}
