#include "assay/tensor/random_values.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr int count = 200000;

RandomBits draw(int index, std::uint64_t stream = 0) {
  return random_bits(42 + stream, static_cast<std::uint64_t>(index), 0);
}

struct Moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 0, least = 1e300, greatest = -1e300;
};

template <class Sample>
Moments moments(Sample&& sample) {
  std::vector<double> values;
  Moments result;
  for (int i = 0; i < count; ++i) {
    values.push_back(sample(i));
    result.mean += values.back() / count;
    result.least = std::fmin(result.least, values.back());
    result.greatest = std::fmax(result.greatest, values.back());
  }
  double third = 0, fourth = 0;
  for (double value : values) {
    const double d = value - result.mean;
    result.variance += d * d / count;
    third += d * d * d / count;
    fourth += d * d * d * d / count;
  }
  result.skewness = third / std::pow(result.variance, 1.5);
  result.kurtosis = fourth / (result.variance * result.variance);
  return result;
}

constexpr RandomBits all(std::uint32_t word) {
  return {{word, word, word, word}};
}

}  // namespace

TEST_CASE("uniform_positive covers (0, 1] evenly", "[tensor]") {
  static_assert(uniform_positive(all(0)) == 0x1p-53);
  static_assert(uniform_positive(all(0xFFFFFFFF)) == 1.0);
  const Moments found = moments([](int i) { return uniform_positive(draw(i)); });
  CHECK(found.least > 0);
  CHECK(found.greatest <= 1);
  CHECK(std::fabs(found.mean - 0.5) < 5 * std::sqrt(1.0 / 12 / count));  // five standard deviations of the mean
  CHECK(std::fabs(found.variance - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / count));
  int tenths[10] = {};
  for (int i = 0; i < count; ++i) ++tenths[static_cast<int>(std::fmin(uniform_positive(draw(i)) * 10, 9))];
  for (int bucket : tenths) CHECK(std::abs(bucket - count / 10) < 5 * std::sqrt(count * 0.09));
}

TEST_CASE("uniform_symmetric covers [−1, 1] evenly and never gives 0", "[tensor]") {
  static_assert(uniform_symmetric(all(0)) == 0x1p-53);
  static_assert(uniform_symmetric(all(0xFFFFFFFF)) == -1.0);
  const Moments found = moments([](int i) { return uniform_symmetric(draw(i)); });
  CHECK(found.least >= -1);
  CHECK(found.greatest <= 1);
  CHECK(std::fabs(found.mean) < 5 * std::sqrt(1.0 / 3 / count));
  CHECK(std::fabs(found.variance - 1.0 / 3) < 5 * std::sqrt(4.0 / 45 / count));
}

TEST_CASE("uniform_below covers its range evenly, for any bound", "[tensor]") {
  static_assert(uniform_below(0, 7) == 0 && uniform_below(0xFFFFFFFF, 7) == 6);
  static_assert(uniform_below(0xFFFFFFFF, 1) == 0);
  static_assert(uniform_below(0xFFFFFFFF, 0xFFFFFFFF) == 0xFFFFFFFE);
  int hits[7] = {};
  for (int i = 0; i < count; ++i) ++hits[uniform_below(draw(i).words[0], 7)];
  for (int hit : hits) CHECK(std::abs(hit - count / 7) < 5 * std::sqrt(count * (6.0 / 49)));
}

TEST_CASE("nonzero_integer gives every integer of ±[1, bound] and no other", "[tensor]") {
  int hits[7] = {};
  for (int i = 0; i < count; ++i) {
    const double value = nonzero_integer(draw(i), 3);
    REQUIRE(value == std::floor(value));
    REQUIRE(std::fabs(value) <= 3);
    ++hits[static_cast<int>(value) + 3];
  }
  CHECK(hits[3] == 0);
  for (int value : {-3, -2, -1, 1, 2, 3})
    CHECK(std::abs(hits[value + 3] - count / 6) < 5 * std::sqrt(count * (5.0 / 36)));
}

TEST_CASE("standard_normal has the moments of a sum of twelve uniforms", "[tensor]") {
  static_assert(standard_normal(all(0)) < -5.98 && standard_normal(all(0)) >= -6);
  static_assert(standard_normal(all(0xFFFFFFFF)) == -standard_normal(all(0)));
  const Moments found = moments([](int i) { return standard_normal(draw(i)); });
  CHECK(std::fabs(found.mean) < 5 * std::sqrt(1.0 / count));
  CHECK(std::fabs(found.variance - 1) < 5 * std::sqrt(2.0 / count));
  CHECK(std::fabs(found.skewness) < 5 * std::sqrt(6.0 / count));
  CHECK(std::fabs(found.kurtosis - 2.9) < 5 * std::sqrt(24.0 / count));  // 3 − 6/(5·12)
  CHECK(found.least < -3.5);
  CHECK(found.greatest > 3.5);
  for (int i = 0; i < 1000; ++i) {
    const double scaled = standard_normal(draw(i)) * 0x1p30;
    REQUIRE(scaled == std::floor(scaled));
    REQUIRE(std::fmod(scaled, 2) != 0);  // never 0, and never below a grid that float32 can tell
  }
}

TEST_CASE("log_uniform spreads its exponents evenly over [lowest, highest) with both signs", "[tensor]") {
  constexpr int lowest = -10, highest = 2;
  int exponents[highest - lowest] = {};
  int negative = 0;
  double fractions = 0;
  for (int i = 0; i < count; ++i) {
    const double value = log_uniform(draw(i), lowest, highest);
    const int exponent = std::ilogb(value);
    REQUIRE(exponent >= lowest);
    REQUIRE(exponent < highest);
    ++exponents[exponent - lowest];
    negative += value < 0 ? 1 : 0;
    fractions += std::fabs(value) / std::ldexp(1.0, exponent) - 1;
  }
  for (int hits : exponents) CHECK(std::abs(hits - count / 12) < 5 * std::sqrt(count * (11.0 / 144)));
  CHECK(std::abs(negative - count / 2) < 5 * std::sqrt(count / 4.0));
  CHECK(std::fabs(fractions / count - 0.5) < 5 * std::sqrt(1.0 / 12 / count));
  static_assert(log_uniform(all(0), -10, 2) == 0x1p-10);
}
