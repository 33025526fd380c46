#include "assay/validators/quantization_quality.hpp"

#include "testing/catch.hpp"

using namespace assay;
using testing::Approx;

TEST_CASE("the measures of quantization are those computed by hand") {
  // values 3, 4, −12; results 3, 5, −10: errors 0, 1, 2
  QuantizationQuality quality;
  quality.add(3, 3);
  quality.add(4, 5);
  quality.add(-12, -10, true);
  CHECK(quality.count == 3);
  CHECK(quality.signal == 169);
  CHECK(quality.noise == 5);
  CHECK(quality.sqnr() == Approx(10 * std::log10(33.8)));
  CHECK(quality.max_error == 2);
  CHECK(quality.mean_error() == 1);
  CHECK(quality.root_mean_square_error() == Approx(std::sqrt(5.0 / 3)));
  CHECK(quality.clipping_rate() == Approx(1.0 / 3));
  CHECK(quality.cosine() == Approx((9 + 20 + 120) / (13 * std::sqrt(9.0 + 25 + 100))));
}

TEST_CASE("what is not finite is counted and spoils no sum") {
  QuantizationQuality quality;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  quality.add(nan, 1);
  quality.add(-infinity, 448, true);
  quality.add(1, nan);
  quality.add(1, infinity);
  CHECK(std::isnan(quality.sqnr()));
  CHECK(std::isnan(quality.mean_error()));
  CHECK(std::isnan(quality.cosine()));
  quality.add(10, 9);
  CHECK(quality.not_finite == 2);
  CHECK(quality.lost == 2);
  CHECK(quality.count == 1);
  CHECK(quality.clipped == 0);
  CHECK(quality.sqnr() == Approx(20));
}

TEST_CASE("nothing lost, nothing left and no signal are told apart") {
  QuantizationQuality exact, vanished, from_nothing, zeros;
  exact.add(0.5, 0.5);
  CHECK(exact.sqnr() == std::numeric_limits<double>::infinity());
  CHECK(exact.cosine() == 1);
  vanished.add(0.5, 0);
  CHECK(vanished.sqnr() == 0);
  CHECK(vanished.cosine() == 0);
  from_nothing.add(0, 0.5);
  CHECK(from_nothing.sqnr() == -std::numeric_limits<double>::infinity());
  CHECK(from_nothing.cosine() == 0);
  zeros.add(0, 0);
  CHECK(zeros.sqnr() == std::numeric_limits<double>::infinity());
  CHECK(zeros.cosine() == 1);
  QuantizationQuality opposite;
  opposite.add(1, -1);
  CHECK(opposite.cosine() == -1);
}

TEST_CASE("joined measures are those of all values") {
  QuantizationQuality left, right, all;
  for (int i = 0; i < 20; ++i) {
    const double value = 0.25 * i - 2, result = std::round(value);
    (i < 7 ? left : right).add(value, result, i == 3);
    all.add(value, result, i == 3);
  }
  left.add(std::numeric_limits<double>::infinity(), 1);
  right.add(1, std::numeric_limits<double>::infinity());
  left.join(right);
  CHECK(left.count == all.count);
  CHECK(left.clipped == 1);
  CHECK(left.not_finite == 1);
  CHECK(left.lost == 1);
  CHECK(left.sqnr() == all.sqnr());
  CHECK(left.max_error == all.max_error);
  CHECK(left.mean_error() == all.mean_error());
  CHECK(left.cosine() == Approx(all.cosine()));
}
