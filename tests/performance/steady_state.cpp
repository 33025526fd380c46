#include "assay/performance/steady_state.hpp"

#include <limits>

#include "assay/statistics/random_sequence.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// After how many values `value(i)` is steady; 0 if not within `most`.
template <class Value>
std::size_t steady_after(Value value, std::size_t most = 500, const SteadyCriterion& criterion = {}) {
  SteadyState state(criterion);
  for (std::size_t i = 0; i < most; ++i)
    if (state.add(value(i))) return i + 1;
  return 0;
}

/// Roughly normal, mean 0 and deviation 1.
double noise(detail::RandomSequence& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
  return sum;
}

}  // namespace

TEST_CASE("what does not move is steady as soon as there are two windows of it") {
  CHECK(steady_after([](std::size_t) { return 3.0; }) == 20);
  CHECK(steady_after([](std::size_t) { return 0.0; }) == 20);
  CHECK(steady_after([](std::size_t) { return 3.0; }, 500, {4, 0}) == 8);
  CHECK(steady_after([](std::size_t) { return 3.0; }, 19) == 0);
}

TEST_CASE("scatter is not taken for drift: most noisy kernels are steady soon, some by chance a little later") {
  detail::RandomSequence random(1);
  std::size_t late = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const double deviation = trial % 3 == 0 ? 0.001 : trial % 3 == 1 ? 0.05 : 0.3;
    const std::size_t after = steady_after([&](std::size_t) { return 10 + 10 * deviation * noise(random); });
    REQUIRE(after > 0);
    REQUIRE(after <= 60);
    late += after > 20 ? 1 : 0;
  }
  CHECK(late < 45);  // two deviations: about 5 % a trial, and a little for the estimate of σ
}

TEST_CASE("what alternates between two speeds is steady") {
  CHECK(steady_after([](std::size_t i) { return i % 2 == 0 ? 1.0 : 1.4; }) == 20);
}

TEST_CASE("what still gets faster is not steady until it stops") {
  const std::size_t after =
      steady_after([](std::size_t i) { return i < 40 ? 2 - 0.025 * static_cast<double>(i) : 1.0; });
  CHECK(after >= 40);
  CHECK(after <= 70);
  CHECK(steady_after([](std::size_t i) { return 1 + 0.01 * static_cast<double>(i); }, 60) == 0);
  CHECK(steady_after([](std::size_t i) { return std::pow(1.005, static_cast<double>(i)); }, 1000) == 0);
  detail::RandomSequence random(5);
  CHECK(steady_after([&](std::size_t i) { return std::pow(1.02, static_cast<double>(i)) * (1 + 0.01 * noise(random)); },
                     500) == 0);
}

TEST_CASE("what never got steady says why") {
  SteadyState state;
  state.add(1);
  CHECK_THAT(state.reason(), contains("never got steady: only 1 values while warming up, and the criterion needs 20"));
  for (int i = 0; i < 40; ++i) state.add(1 + 0.1 * i);
  CHECK_THAT(state.reason(), contains("never got steady: after 41 values of warm-up the median still moved by"));
  for (int i = 0; i < 40; ++i) state.add(9);
  CHECK(state.reason().empty());
  CHECK(state.steady());
}

TEST_CASE("a criterion that is none, and values that are none, are misuse") {
  CHECK_THROWS_AS(SteadyState({2, 0.01}), Misuse);
  CHECK_THROWS_AS(SteadyState({10, -0.01}), Misuse);
  CHECK_THROWS_AS(SteadyState({10, std::numeric_limits<double>::quiet_NaN()}), Misuse);
  CHECK_THROWS_AS(SteadyState().add(std::numeric_limits<double>::infinity()), Misuse);
}
