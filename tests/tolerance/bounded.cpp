#include "assay/tolerance/bounded.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace assay;

namespace {

/// A formula in running error analysis, and the same in an arithmetic that rounds every result to T.
template <FloatFormat T>
void require_covered(const std::function<Bounded(const BoundedArithmetic&, Bounded, Bounded)>& bounded,
                     const std::function<double(double, double)>& rounded, double low, double high) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> draw(low, high);
  const BoundedArithmetic arithmetic(arithmetic_in<T>());
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double a = round_to<T>(draw(random)), b = round_to<T>(draw(random));
    const Bounded expected = bounded(arithmetic, {a, 0}, {b, 0});
    if (!std::isfinite(expected.error)) continue;
    const double out = rounded(a, b);
    if (!std::isfinite(out)) continue;
    const double error = std::fabs(out - expected.value);
    if (error > expected.error) FAIL("f(" << a << ", " << b << ") = " << out << " is off by " << error << ", allowed " << expected.error);
    if (expected.error > 0) worst = std::max(worst, error / expected.error);
  }
  CHECK(worst > 0.01);  // the bound says something
}

template <FloatFormat T>
void require_all_covered() {
  const auto r = [](double value) { return round_to<T>(value); };
  using A = BoundedArithmetic;
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.add(m.multiply(a, b), a); },
                     [&](double a, double b) { return r(r(a * b) + a); }, -4, 4);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.add(m.multiply(a, b), a); },
                     [&](double a, double b) { return r(a * b + a); }, -4, 4);  // fused
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.divide(m.subtract(a, b), m.add(a, m.multiply(b, b))); },
                     [&](double a, double b) { return r(r(a - b) / r(a + r(b * b))); }, 1, 5);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.rsqrt(m.add(m.multiply(a, a), b)); },
                     [&](double a, double b) { return r(1 / r(std::sqrt(r(r(a * a) + b)))); }, 0.5, 4);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.sqrt(m.multiply(a, b)); },
                     [&](double a, double b) { return r(std::sqrt(r(a * b))); }, 0.01, 4);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.exp(m.multiply(a, b)); },
                     [&](double a, double b) { return r(std::exp2(r(r(a * b) * 1.4426950408889634))); }, -2, 2);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.log(m.multiply(a, b)); },
                     [&](double a, double b) { return r(std::log(r(a * b))); }, 1.5, 8);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.tanh(m.add(a, b)); },
                     [&](double a, double b) { return r(std::tanh(r(a + b))); }, -3, 3);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.erf(m.multiply(a, b)); },
                     [&](double a, double b) { return r(std::erf(r(a * b))); }, -2, 2);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.sigmoid(m.add(a, b)); },
                     [&](double a, double b) { return r(1 / r(1 + r(std::exp(-r(a + b))))); }, -6, 6);
  require_covered<T>([](const A& m, Bounded a, Bounded b) { return m.multiply(m.sin(a), m.cos(m.multiply(a, b))); },
                     [&](double a, double b) { return r(r(std::sin(a)) * r(std::cos(r(a * b)))); }, -20, 20);
}

}  // namespace

TEST_CASE("running errors cover an arithmetic that rounds every result, fused or not") {
  require_all_covered<float32>();
  require_all_covered<float16>();
  require_all_covered<bfloat16>();
}

TEST_CASE("running errors are infinite where nothing can be said") {
  const BoundedArithmetic m{Arithmetic{}};
  CHECK(std::isinf(m.divide({1, 0}, {1e-9, 1e-8}).error));
  CHECK(std::isinf(m.rsqrt({1e-9, 1e-8}).error));
  CHECK(std::isinf(m.log({1e-9, 1e-8}).error));
  CHECK(std::isinf(m.multiply({3e38, 0}, {1.2, 0}).error));
  CHECK(std::isinf(m.sum(1, 1, 0, std::numeric_limits<double>::infinity(), 10).error));
  CHECK(m.divide({1, 0}, {0, 0}).value == std::numeric_limits<double>::infinity());
  CHECK(m.divide({1, 0}, {0, 0}).error == 0);
  CHECK(is_nan(m.subtract({std::numeric_limits<double>::infinity(), 0}, {std::numeric_limits<double>::infinity(), 0}).value));
}

TEST_CASE("sums carry their growth factor and their terms' errors") {
  const BoundedArithmetic m{Arithmetic{}};
  const Bounded sum = m.sum(2, 10, 0.5, 0.01, 8);
  CHECK(sum.value == 2);
  CHECK(sum.error == Approx(0.5 * 1.01 + 0.01 * 10));
}
