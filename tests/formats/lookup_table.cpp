#include "assay/formats/lookup_table.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::decode;
using assay::encode;
using assay::LookupTable;
using assay::Overflow;
using assay::Rounding;
using assay::testing::all_roundings;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr LookupTable<3> sorted{"sorted", {-4, -1.5, -1, 0, 0.1, 0.3, 2, 100}};
constexpr LookupTable<3> shuffled{"shuffled", {2, -1, 0.3, 0, 100, -4, 0.1, -1.5}};
constexpr LookupTable<2> with_nan{"with_nan", {1, std::numeric_limits<double>::quiet_NaN(), -3, 1}};
constexpr LookupTable<1> wide{"wide", {-0x1p1000, 1}};

/// In 64 significand bits, where distances are exact for the operands below: the value that the rounding must choose.
template <int Bits>
double expected(const LookupTable<Bits>& table, double value, Rounding rounding) {
  using Wide = long double;
  double best = std::numeric_limits<double>::quiet_NaN(), least = infinity, most = -infinity;
  for (const double entry : table.values) {
    if (std::isnan(entry)) continue;
    least = std::fmin(least, entry);
    most = std::fmax(most, entry);
  }
  if (value <= least) return least;
  if (value >= most) return most;
  for (const double entry : table.values) {
    if (std::isnan(entry)) continue;
    if (rounding == Rounding::toward_positive && entry < value) continue;
    if (rounding == Rounding::toward_negative && entry > value) continue;
    if (rounding == Rounding::toward_zero && (value < 0 ? entry < value : entry > value)) continue;
    const Wide distance = std::abs(Wide{entry} - Wide{value}), so_far = std::abs(Wide{best} - Wide{value});
    const bool tie_won =
        distance == so_far &&
        (rounding == Rounding::nearest_away ? (value < 0 ? entry < best : entry > best) : entry < best);
    if (std::isnan(best) || distance < so_far || tie_won) best = entry;
  }
  return best;
}

template <int Bits>
int disagreements(const LookupTable<Bits>& table, double value) {
  int wrong = 0;
  for (const Rounding rounding : all_roundings)
    for (const Overflow overflow : {Overflow::ieee, Overflow::saturate})
      wrong += decode(table, encode(table, value, rounding, overflow)) != expected(table, value, rounding) ? 1 : 0;
  return wrong;
}

template <int Bits>
int disagreements(const LookupTable<Bits>& table) {
  int wrong = 0;
  for (const double a : table.values)
    for (const double b : table.values) {
      const double middle = (a + b) / 2;
      for (const double value : {a, middle, std::nextafter(middle, infinity), std::nextafter(middle, -infinity),
                                 std::nextafter(a, b), a + (b - a) / 4})
        if (!std::isnan(value)) wrong += disagreements(table, value);
    }
  assay::testing::TestNumbers numbers(3);
  for (int i = 0; i < 20000; ++i) wrong += disagreements(table, numbers.value(-6, 8));
  for (const double value : {infinity, -infinity, 1e300, -1e300, 0x1p-1074, -0x1p-1074})
    wrong += disagreements(table, value);
  return wrong;
}

}  // namespace

TEST_CASE("the nearest value is found, whatever the order of the table", "[formats]") {
  CHECK(disagreements(sorted) == 0);
  CHECK(disagreements(shuffled) == 0);
  CHECK(disagreements(with_nan) == 0);
}

TEST_CASE("of two values as near the smaller is taken, or the one farther from zero", "[formats]") {
  static_assert(decode(sorted, encode(sorted, -1.25)) == -1.5 && decode(sorted, encode(sorted, -0.5)) == -1);
  static_assert(decode(sorted, encode(sorted, 51.0)) == 2 &&
                decode(sorted, encode(sorted, 51.0, Rounding::nearest_away)) == 100);
  static_assert(decode(sorted, encode(sorted, -0.5, Rounding::nearest_away)) == -1);
  static_assert(encode(with_nan, 1.0) == 0 && encode(with_nan, -1.5) == 2);
  CHECK(encode(with_nan, std::nan("")) == 1);
  CHECK(decode(sorted, encode(sorted, std::nan(""))) == 0);
  CHECK(decode(sorted, encode(sorted, std::nan(""), Rounding::toward_positive)) == 0);
}

TEST_CASE("distances are compared exactly where doubles would call a tie", "[formats]") {
  // the middle is (1 − 2^1000)/2, a little above −2^999: −2^999 is nearer to −2^1000
  CHECK(encode(wide, -0x1p999) == 0);
  CHECK(encode(wide, -0x1.FFFFFFFFFFFFFp998) == 1);
}

TEST_CASE("codes are read from their lowest bits", "[formats]") {
  for (std::uint64_t code = 0; code < 8; ++code) {
    CHECK(decode(sorted, code) == sorted.values[code]);
    CHECK(decode(sorted, code + 8 * 13) == sorted.values[code]);
  }
}
