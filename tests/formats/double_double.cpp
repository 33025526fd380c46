#include "assay/formats/double_double.hpp"

#include <cmath>
#include <limits>

#include "assay/formats/limits.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::DoubleDouble;
using assay::two_product;
using assay::two_sum;

TEST_CASE("sums and products keep what rounding loses", "[formats]") {
  const DoubleDouble sum = two_sum(1.0, 0x1p-80);
  CHECK(sum.high == 1.0);
  CHECK(sum.low == 0x1p-80);
  const DoubleDouble reversed = two_sum(0x1p-80, 1.0);
  CHECK(reversed.high == 1.0);
  CHECK(reversed.low == 0x1p-80);
  const DoubleDouble product = two_product(1 + 0x1p-52, 1 + 0x1p-52);
  CHECK(product.high == 1 + 0x1p-51);
  CHECK(product.low == 0x1p-104);
  static_assert(two_sum(1.0, 0x1p-60).low == 0x1p-60);
}

#if defined(__SIZEOF_FLOAT128__)
TEST_CASE("sums and products are exact in 113-bit arithmetic", "[formats]") {
  __extension__ using Quad = __float128;
  assay::testing::TestNumbers numbers(17);
  int wrong = 0, inexact = 0;
  for (int i = 0; i < 300000; ++i) {
    const double a = numbers.value(-25, 25), b = numbers.value(-25, 25);
    const DoubleDouble sum = two_sum(a, b), product = two_product(a, b);
    wrong +=
        static_cast<Quad>(sum.high) + static_cast<Quad>(sum.low) != static_cast<Quad>(a) + static_cast<Quad>(b) ? 1 : 0;
    wrong +=
        static_cast<Quad>(product.high) + static_cast<Quad>(product.low) != static_cast<Quad>(a) * static_cast<Quad>(b)
            ? 1
            : 0;
    wrong += sum.high != a + b || product.high != a * b ? 1 : 0;
    wrong += std::abs(product.low) > assay::unit_in_last_place<double>(product.high) / 2 ? 1 : 0;
    inexact += sum.low != 0 && product.low != 0 ? 1 : 0;

    const int shift =
        static_cast<int>(numbers.bits() % 1900) - 950;  // large and small operands whose product is in range
    const DoubleDouble shifted = two_product(std::ldexp(a, shift), std::ldexp(b, -shift));
    wrong += shifted.high != product.high || shifted.low != product.low ? 1 : 0;
  }
  CHECK(wrong == 0);
  CHECK(inexact > 50000);
}
#endif

TEST_CASE("products of the largest operands that stay in range are exact", "[formats]") {
  const double large = 0x1.FFFFFFFFFFFFFp1022, factor = 1 + 0x1p-52;
  const DoubleDouble expected = two_product(std::ldexp(large, -1000), factor);
  for (const DoubleDouble& product : {two_product(large, factor), two_product(factor, large)}) {
    CHECK(product.high == std::ldexp(expected.high, 1000));
    CHECK(product.low == std::ldexp(expected.low, 1000));
    CHECK(product.low != 0);
  }
}

TEST_CASE("a product out of range is infinite, without a NaN beside it", "[formats]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double a : {1e300, -1e300, infinity})
    for (const double b : {1e300, -1e300}) {
      const DoubleDouble product = two_product(a, b);
      CHECK(product.high == a * b);
      CHECK(std::isinf(product.high));
      CHECK(product.low == 0.0);
    }
}
