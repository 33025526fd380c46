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
    if (error > expected.error)
      FAIL("f(" << a << ", " << b << ") = " << out << " is off by " << error << ", allowed " << expected.error);
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
  require_covered<T>(
      [](const A& m, Bounded a, Bounded b) { return m.divide(m.subtract(a, b), m.add(a, m.multiply(b, b))); },
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
  CHECK(is_nan(
      m.subtract({std::numeric_limits<double>::infinity(), 0}, {std::numeric_limits<double>::infinity(), 0}).value));
}

TEST_CASE("sums carry their growth factor and their terms' errors") {
  const BoundedArithmetic m{Arithmetic{}};
  const Bounded sum = m.sum(2, 10, 0.5, 0.01, 8);
  CHECK(sum.value == 2);
  CHECK(sum.error == Approx(0.5 * 1.01 + 0.01 * 10));
}

TEST_CASE("an infinity or NaN is demanded where every evaluation gives it, and only there") {
  const BoundedArithmetic m{Arithmetic{}};
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const Bounded infinite = m.exact(infinity), none = m.exact(nan), perhaps{infinity, infinity}, near_one{1, 0.1},
                near_zero{0.05, 0.1};
  const auto demands = [](Bounded result, double special) {
    const ExpectedElement expected = result.expected();
    return expected.error == 0 && (is_nan(special) ? is_nan(expected.value) : expected.value == special);
  };
  const auto open = [](Bounded result) {
    const ExpectedElement expected = result.expected();
    return is_finite(expected.value) && !is_finite(expected.error);
  };
  SECTION("infinities") {
    CHECK(demands(m.add(infinite, near_one), infinity));
    CHECK(demands(m.multiply(near_one, infinite), infinity));
    CHECK(demands(m.multiply(m.negate(near_one), infinite), -infinity));
    CHECK(demands(m.divide(infinite, near_one), infinity));
    CHECK(demands(m.rounded(m.sqrt(infinite)), infinity));
    CHECK(demands(m.exp(infinite), infinity));
    CHECK(demands(m.scale(infinite, 0.5), infinity));
    CHECK(demands(m.maximum(near_one, infinite), infinity));
    CHECK(demands(m.sum(infinity, infinity, 0.5, 0.01, 8), infinity));
  }
  SECTION("NaN") {
    CHECK(demands(m.add(infinite, m.negate(infinite)), nan));
    CHECK(demands(m.multiply(infinite, m.exact(0)), nan));
    CHECK(demands(m.divide(infinite, infinite), nan));
    CHECK(demands(m.add(none, perhaps), nan));
    CHECK(demands(m.multiply(near_zero, none), nan));
    CHECK(demands(m.divide(none, near_zero), nan));
    CHECK(demands(m.exp(none), nan));
    CHECK(demands(m.sqrt(m.exact(-1)), nan));
    CHECK(demands(m.sigmoid(m.tanh(m.erf(m.log(none)))), nan));
    CHECK(demands(m.maximum(near_one, none), nan));
    CHECK(demands(m.multiply(m.negate(infinite), m.sigmoid(m.negate(infinite))),
                  nan));  // no kernel has but 0 for the limit
    CHECK(demands(m.multiply(infinite, m.subtract(m.exact(1), m.erf(infinite))), nan));
    CHECK(demands(m.multiply(infinite, m.subtract(m.exact(1), m.tanh(infinite))), nan));
  }
  SECTION("neither") {
    CHECK(open(m.add(perhaps, near_one)));
    CHECK(open(m.multiply(near_zero, infinite)));
    CHECK(open(m.multiply(Bounded{0, 0.1}, infinite)));
    CHECK(open(m.divide(infinite, near_zero)));
    CHECK(open(m.add(infinite, m.negate(perhaps))));
    CHECK(open(m.sqrt({-0.1, 0.2})));
    CHECK(open(m.exp(m.negate(perhaps))));
    CHECK(open(m.sigmoid(perhaps)));
    CHECK(open(m.maximum(near_one, perhaps)));
    CHECK(open(m.multiply(m.exact(1e200), m.exact(1e200))));
  }
}
