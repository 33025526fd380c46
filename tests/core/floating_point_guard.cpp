#include "assay/core/floating_point_guard.hpp"

#include <cfenv>
#include <thread>
#include <vector>

#include "testing/catch.hpp"

using assay::FloatingPointGuard;
using assay::FloatingPointState;
using assay::RoundingDirection;

namespace {

// Volatile operands and results keep the compiler from computing at its own time, in its own rounding.
template <class T>
T sum(T a, T b) {
  volatile T x = a, y = b;
  volatile T result = x + y;
  return result;
}
double product(double a, double b) {
  volatile double x = a, y = b;
  volatile double result = x * y;
  return result;
}

std::vector<FloatingPointState> all_states() {
  std::vector<FloatingPointState> states;
  for (const RoundingDirection direction : {RoundingDirection::to_nearest, RoundingDirection::downward,
                                            RoundingDirection::upward, RoundingDirection::toward_zero})
    for (const bool flush_results : {false, true})
      for (const bool flush_operands : {false, true})
        for (const bool traps : {false, true}) {
#if defined(__aarch64__)
          if (flush_results != flush_operands || traps)
            continue;  // one switch for both; most of its processors cannot trap
#endif
          if (!FloatingPointState::complete && (flush_results || flush_operands || traps)) continue;
          FloatingPointState state;
          state.rounding = direction;
          state.flush_results = flush_results;
          state.flush_operands = flush_operands;
          state.traps = traps;
          states.push_back(state);
        }
  return states;
}

}  // namespace

TEST_CASE("every state can be set, read back, and is undone", "[core]") {
  const FloatingPointState before = FloatingPointState::current();
  for (const FloatingPointState& state : all_states()) {
    FloatingPointState inside, nested, after_nested;
    {
      const FloatingPointGuard guard(state);
      inside = FloatingPointState::current();
      {
        const FloatingPointGuard default_guard;
        nested = FloatingPointState::current();
      }
      after_nested = FloatingPointState::current();
    }
    CHECK(inside == state);
    CHECK(nested == FloatingPointState{});
    CHECK(after_nested == state);
    CHECK(FloatingPointState::current() == before);
  }
}

TEST_CASE("a state of rounding rounds so", "[core]") {
  const auto rounded = [](RoundingDirection direction, double a, double b) {
    FloatingPointState state;
    state.rounding = direction;
    const FloatingPointGuard guard(state);
    return sum(a, b);
  };
  const double up = 1.0 + 0x1p-52;
  const double down = 1.0 - 0x1p-53;
  CHECK(rounded(RoundingDirection::to_nearest, 1.0, 0x1p-60) == 1.0);
  CHECK(rounded(RoundingDirection::upward, 1.0, 0x1p-60) == up);
  CHECK(rounded(RoundingDirection::downward, 1.0, 0x1p-60) == 1.0);
  CHECK(rounded(RoundingDirection::toward_zero, 1.0, 0x1p-60) == 1.0);
  CHECK(rounded(RoundingDirection::downward, 1.0, -0x1p-60) == down);
  CHECK(rounded(RoundingDirection::toward_zero, 1.0, -0x1p-60) == down);
  CHECK(rounded(RoundingDirection::upward, -1.0, -0x1p-60) == -1.0);
  CHECK(rounded(RoundingDirection::downward, -1.0, -0x1p-60) == -up);
}

TEST_CASE("a default guard undoes what the caller had set", "[core]") {
  REQUIRE(std::fesetround(FE_UPWARD) == 0);
  double inside = 0, outside = 0;
  long double extended_inside = 0, extended_outside = 0;
  {
    const FloatingPointGuard guard;
    inside = sum(1.0, 0x1p-60);
    extended_inside = sum(1.0L, 0x1p-100L);
  }
  outside = sum(1.0, 0x1p-60);
  extended_outside = sum(1.0L, 0x1p-100L);
  const int restored = std::fegetround();
  std::fesetround(FE_TONEAREST);
  CHECK(inside == 1.0);
  CHECK(extended_inside == 1.0L);
  CHECK(outside > 1.0);
  CHECK(extended_outside > 1.0L);
  CHECK(restored == FE_UPWARD);
}

TEST_CASE("no arithmetic of an action leaves its state", "[core]") {
  volatile double one = 1.0, tiny = 0x1p-60;
  const double a = one, b = tiny;
  FloatingPointState upward;
  upward.rounding = RoundingDirection::upward;
  double first = 0, second = 0;
  assay::with_floating_point_state(upward, [&] { first = a + b; });
  assay::with_floating_point_state({}, [&] { second = a + b; });
  CHECK(first == 1.0 + 0x1p-52);
  CHECK(second == 1.0);
  CHECK(a + b == 1.0);
}

TEST_CASE("flushing makes zeros of subnormals, and the default guard keeps them", "[core]") {
  if constexpr (FloatingPointState::complete) {
    FloatingPointState flushing;
    flushing.flush_results = true;
    flushing.flush_operands = true;
    const FloatingPointGuard outer(flushing);
    double flushed_result = product(0x1p-1022, 0.5);
    double flushed_operand = product(0x1p-1074, 0x1p100);
    double kept_result = 0, kept_operand = 0;
    {
      const FloatingPointGuard guard;
      kept_result = product(0x1p-1022, 0.5);
      kept_operand = product(0x1p-1074, 0x1p100);
    }
    const bool kept_bits = __builtin_bit_cast(unsigned long long, kept_result) == 1ULL << 51;
    const FloatingPointGuard guard;  // comparisons below must see subnormals
    CHECK(flushed_result == 0.0);
    CHECK(flushed_operand == 0.0);
    CHECK(kept_bits);
    CHECK(kept_operand == 0x1p-974);
  }
}

TEST_CASE("the environment belongs to one thread", "[core]") {
  FloatingPointState downward;
  downward.rounding = RoundingDirection::downward;
  FloatingPointState of_other;
  std::thread other([&] {
    const FloatingPointGuard guard(downward);
    of_other = FloatingPointState::current();
  });
  other.join();
  CHECK(of_other == downward);
  CHECK(FloatingPointState::current() == FloatingPointState{});
}
