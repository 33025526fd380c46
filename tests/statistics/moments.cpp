#include "assay/statistics/moments.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("mean and deviation are numpy's with ddof = 1", "[statistics]") {
  const Moments moments = moments_of(std::vector<double>{3.1, 4.7, 1.2, 9.9, 5.5, 2.8, 7.4});
  CHECK(moments.count == 7);
  CHECK(moments.mean == Approx(4.942857142857143).epsilon(1e-15));
  CHECK(moments.deviation == Approx(2.971451465113272).epsilon(1e-14));
}

TEST_CASE("a large mean costs the deviation no digits", "[statistics]") {
  std::vector<double> samples;
  for (int i = 0; i < 1000; ++i) samples.push_back(1e9 + (i % 2 == 0 ? 1e-3 : -1e-3));
  CHECK(moments_of(samples).deviation == Approx(1e-3 * std::sqrt(1000.0 / 999)).epsilon(1e-3));
  CHECK(moments_of(std::vector<double>(1000, 0.1)).deviation == Approx(0).margin(1e-16));
  CHECK(moments_of(std::vector<double>{-1e150, 1e150}).deviation == Approx(1.4142135623730951e150));
}

TEST_CASE("moments of too little, NaN and infinities are refused", "[statistics]") {
  assay::testing::check_refuses_what_is_no_sample([](const std::vector<double>& x) { return moments_of(x).mean; }, 2);
}
