#include "assay/formats/nf4.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using assay::nf4;

namespace {

constexpr auto nf4_table = assay::NormalFloat4::table();

/// The code by counting the middles, as float32, that lie below: the rule of bitsandbytes.
int code_by_thresholds(float value) {
  int code = 0;
  for (int i = 0; i + 1 < 16; ++i)
    code += value > static_cast<float>((nf4_table.values[i] + nf4_table.values[i + 1]) / 2) ? 1 : 0;
  return code;
}

}  // namespace

TEST_CASE("NF4 has sixteen ascending values from -1 to 1, each a float32, with zero at code 7", "[formats]") {
  for (int code = 0; code < 16; ++code) {
    const double value = assay::decode(nf4::from_bits(static_cast<std::uint8_t>(code)));
    if (code > 0) CHECK(value > nf4_table.values[code - 1]);
    CHECK(static_cast<double>(static_cast<float>(value)) == value);
    CHECK(assay::encode<nf4>(value).bits == code);
  }
  static_assert(nf4_table.values[0] == -1 && nf4_table.values[7] == 0 && nf4_table.values[15] == 1 &&
                assay::FormatTraits<nf4>::bits == 4);
  CHECK(std::string(assay::FormatTraits<nf4>::name()) == "nf4");
}

// The construction of the paper: with δ = (1/32 + 1/30)/2, eight evenly spaced probabilities from 1/2 to 1 − δ for the
// positive half and seven for the negative one, through the normal distribution's quantiles, divided by the largest.
TEST_CASE("NF4's values are the quantiles that the paper constructs", "[formats]") {
  const double delta = (1.0 / 32 + 1.0 / 30) / 2;
  const auto quantile = [](double probability) {
    double low = 0, high = 8;
    for (int i = 0; i < 200; ++i) {
      const double middle = (low + high) / 2;
      (std::erfc(-middle / std::sqrt(2.0)) / 2 < probability ? low : high) = middle;
    }
    return low;
  };
  const double largest = quantile(1 - delta);
  for (int i = 1; i <= 8; ++i)
    CHECK(quantile(0.5 + (0.5 - delta) * i / 8) / largest == Approx(nf4_table.values[7 + i]).epsilon(1e-6));
  for (int i = 1; i <= 7; ++i)
    CHECK(-quantile(0.5 + (0.5 - delta) * i / 7) / largest == Approx(nf4_table.values[7 - i]).epsilon(1e-6));
}

TEST_CASE("NF4 is encoded as by strict comparison with the middles, but for those that float32 rounds up",
          "[formats]") {
  int wrong = 0, rounded_up = 0;
  for (int code = 0; code + 1 < 16; ++code) {
    const double middle = (nf4_table.values[code] + nf4_table.values[code + 1]) / 2;
    const float threshold = static_cast<float>(middle);
    float value = threshold;
    for (int i = 0; i < 2000; ++i) value = std::nextafter(value, -2.0f);
    for (int i = 0; i < 4000; ++i, value = std::nextafter(value, 2.0f)) {
      const bool excepted = value == threshold && static_cast<double>(threshold) > middle;
      rounded_up += excepted ? 1 : 0;
      wrong +=
          assay::encode<nf4>(static_cast<double>(value)).bits != code_by_thresholds(value) + (excepted ? 1 : 0) ? 1 : 0;
    }
  }
  for (float value = -1.25f; value < 1.25f; value += 0x1p-16f)
    wrong += assay::encode<nf4>(static_cast<double>(value)).bits != code_by_thresholds(value) ? 1 : 0;
  CHECK(wrong == 0);
  CHECK(rounded_up > 0);
  CHECK(assay::encode<nf4>(std::nan("")).bits == 7);
}
