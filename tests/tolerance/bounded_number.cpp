#include "assay/tolerance/bounded_number.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace assay;

TEST_CASE("operators are the operations of the arithmetic, one by one") {
  const BoundedArithmetic by(arithmetic_in<float32>());
  const BoundedNumber a(3, by), b(0.7, by);
  const auto same = [](const BoundedNumber& number, Bounded due) {
    CHECK(number.value() == due.value);
    CHECK(number.error() == due.error);
  };
  const Bounded x{3, 0}, y{0.7, 0};
  same(a + b, by.add(x, y));
  same(a - b, by.subtract(x, y));
  same(-a, by.negate(x));
  same(a * b, by.multiply(x, y));
  same(a / b, by.divide(x, y));
  same(a + 0.7, by.add(x, y));
  same(0.7 + a, by.add(x, y));
  same(a - 0.7, by.subtract(x, y));
  same(3 - b, by.subtract(x, y));
  same(a * 0.7, by.multiply(x, y));
  same(3 * b, by.multiply(x, y));
  same(a / 0.7, by.divide(x, y));
  same(3 / b, by.divide(x, y));
  same(sqrt(a), by.sqrt(x));
  same(rsqrt(a), by.rsqrt(x));
  same(exp(a), by.exp(x));
  same(log(a), by.log(x));
  same(tanh(a), by.tanh(x));
  same(erf(a), by.erf(x));
  same(sin(a), by.sin(x));
  same(cos(a), by.cos(x));
  same(maximum(a, b), by.maximum(x, y));
  same(rounded(a), by.rounded(x));
}

TEST_CASE("a formula written with operators covers a kernel in that arithmetic") {
  const BoundedArithmetic by(arithmetic_in<float32>());
  for (int i = -20; i <= 20; ++i) {
    const float x = 0.37F * static_cast<float>(i);
    const float kernel = x / (1.0F + std::exp(-x));
    const BoundedNumber due = BoundedNumber(x, by) / (1 + exp(-BoundedNumber(x, by)));
    CHECK(std::fabs(static_cast<double>(kernel) - due.value()) <= due.error() + 1e-7 * std::fabs(due.value()));
    CHECK(due.expected().error == due.error());
  }
}
