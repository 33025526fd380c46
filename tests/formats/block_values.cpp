#include "assay/formats/block_values.hpp"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "assay/formats/block_schemes.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

BlockExtremes of(std::initializer_list<double> values) {
  BlockExtremes extremes;
  for (double value : values) extremes.add(value);
  return extremes;
}
double decoded_scale(const BlockScaling& scheme, std::initializer_list<double> values, double tensor_scale = 1) {
  return scheme.scale.decode(scale_code(scheme, of(values), tensor_scale));
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("extremes look at finite values and know of the others") {
  const BlockExtremes extremes = of({3, -5, 0.5});
  CHECK(extremes.amax == 5);
  CHECK(extremes.smallest == -5);
  CHECK(extremes.largest == 3);
  CHECK_FALSE(extremes.special);
  CHECK(of({2, 3}).smallest == 0);  // zero is in every range
  CHECK(of({1, NAN}).special);
  CHECK(of({1, -infinity}).special);
  CHECK(of({1, -infinity}).amax == 1);
  BlockExtremes joined = of({1, 2});
  joined.join(of({-7, NAN}));
  CHECK(joined.amax == 7);
  CHECK(joined.special);
}

TEST_CASE("MX scales: amax at a power of two and just below, cut to e8m0's range, NaN for a block with one") {
  const BlockScaling scheme = mxfp8_e4m3();
  CHECK(decoded_scale(scheme, {256, 1}) == 1);
  CHECK(decoded_scale(scheme, {std::nextafter(256.0F, 0.0F), 1}) == 0.5);
  CHECK(decoded_scale(scheme, {0x1p-149}) == 0x1p-127);
  CHECK(decoded_scale(scheme, {3e38}) == 0x1p119);
  CHECK(decoded_scale(scheme, {0, -0.0}) == 0x1p-127);
  CHECK(std::isnan(decoded_scale(scheme, {1, NAN})));
  CHECK(std::isnan(decoded_scale(scheme, {1, infinity})));
  CHECK(decoded_scale(mxfp4(), {4}) == 1);
  CHECK(decoded_scale(mxint8(), {1.5}) == 1);
}

TEST_CASE("what may differ between libraries is a field") {
  BlockScaling scheme = mxfp8_e4m3();
  scheme.specials = SpecialValueRule::per_element;
  CHECK(decoded_scale(scheme, {256, NAN, infinity}) == 1);
  CHECK(element_code(scheme, NAN, 1) == 0x7F);
  CHECK(element_code(scheme, infinity, 1) == 0x7E);
  scheme.zero_block = ZeroBlockScale::one;
  CHECK(decoded_scale(scheme, {0}) == 1);
  scheme.keeps_negative_zero = false;
  CHECK(element_code(scheme, -1e-9, 1) == 0);
  scheme.keeps_negative_zero = true;
  CHECK(element_code(scheme, -1e-9, 1) == 0x80);
  BlockScaling normal_scales = nvfp4();
  normal_scales.least_scale = 0x1p-6;  // no subnormal scales
  CHECK(decoded_scale(normal_scales, {12}) == 2);
  CHECK(decoded_scale(normal_scales, {0.01}) == 0x1p-6);
  CHECK(decoded_scale(normal_scales, {0}) == 0x1p-6);
  BlockScaling floored = fp8_1x128();
  floored.least_amax = 1e-4;
  CHECK(decoded_scale(floored, {1e-9}) == static_cast<double>(static_cast<float>(1e-4 / 448)));
  CHECK(decoded_scale(floored, {0}) == static_cast<double>(static_cast<float>(1e-4 / 448)));
}

TEST_CASE("NVFP4: the tensor's scale leaves the largest block with a scale of 448") {
  const BlockScaling scheme = nvfp4();
  const double tensor = ideal_tensor_scale(scheme, 5376);
  CHECK(tensor == 2);
  CHECK(ideal_tensor_scale(scheme, 0) == 1);
  CHECK(decoded_scale(scheme, {5376, 1}, tensor) == 448);
  CHECK(decoded_scale(scheme, {12}, tensor) == 1);
  CHECK(decoded_scale(scheme, {1e-9}, tensor) == 0);  // too small for e4m3: the block becomes zero
  CHECK(element_code(scheme, -1e-9, 0) == 0x8);
  CHECK(element_value(scheme, 0x7, 448 * tensor) == 5376);
}

TEST_CASE("element codes: ties to even, saturation, subnormals") {
  const BlockScaling scheme = mxfp4();
  const double values[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 5.01, 100, -5};
  const std::uint32_t codes[] = {0, 2, 2, 4, 4, 6, 6, 7, 7, 14};
  for (std::size_t i = 0; i < 10; ++i) CHECK(element_code(scheme, values[i] * 8, 8) == codes[i]);
  CHECK(element_value(scheme, 13, 0.5) == -1.5);
}

TEST_CASE("affine integers: scale, zero point and codes of a range that holds zero") {
  const BlockScaling scheme = uint8_tensor();
  const BlockExtremes extremes = of({-1, 4.1});
  const double scale = scheme.scale.decode(scale_code(scheme, extremes));
  CHECK(scale == static_cast<double>(static_cast<float>(5.1 / 255)));
  const int zero = zero_point(scheme, extremes.smallest, scale);
  CHECK(zero == 50);
  CHECK(element_code(scheme, 0, scale, zero) == 50);
  CHECK(element_code(scheme, -1, scale, zero) == 0);
  CHECK(element_code(scheme, 4.1, scale, zero) == 255);
  CHECK(element_value(scheme, 51, scale, zero) == scale);
  CHECK(zero_point(int8_channel(), -3, 1) == 0);
  CHECK(zero_point(int8_channel_asymmetric(), 0, 1) == -128);
  CHECK(decoded_scale(scheme, {0}) == 1);
}

TEST_CASE("everything is known at compile time") {
  static_assert(element_code(mxfp4(), 3.0, 0.5) == 7);
  static_assert(scale_code(mxfp4(), BlockExtremes{6, 0, 6, false}) == 127);
  CHECK(true);
}
