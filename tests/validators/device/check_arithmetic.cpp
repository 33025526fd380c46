#include "assay/validators/device/check_arithmetic.hpp"

#include <type_traits>

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A device whose compiler was told to be fast.
struct FastDevice : Host {
  using Host::Host;
  FloatingPointState state;
  bool approximate = false;
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream&, std::size_t count, const Functor& functor) const {
    with_floating_point_state(state, [&] {
      for (std::size_t i = 0; i < count; ++i) functor(i);
    });
    if constexpr (std::is_same_v<Functor, detail::ArithmeticProbe>)
      if (approximate) functor.results[2 * functor.count + 77] *= 1 + 0x1p-23f;
    return {};
  }
};

}  // namespace

TEST_CASE("arithmetic that keeps subnormal numbers and rounds quotients passes", "[device]") {
  Host host(2);
  CHECK(check_arithmetic(host).verdict == Verdict::pass);
  EmulatedDevice device;
  const Outcome outcome = check_arithmetic(device);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.id == "arithmetic/emulated");
  CHECK(device.misuses().empty());
  FloatingPointState fast;
  fast.flush_results = fast.flush_operands = FloatingPointState::complete;
  with_floating_point_state(
      fast, [&] { CHECK(check_arithmetic(host).verdict == Verdict::pass); });  // the caller's does not matter
}

TEST_CASE("a device that flushes subnormal numbers or divides approximately is named", "[device]") {
  const auto check = [](const FastDevice& of, const char* fault, const char* reason) {
    FastDevice device = of;
    const Outcome outcome = check_arithmetic(device);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.label("fault") == fault);
    CHECK_THAT(outcome.reason, testing::contains(reason));
    CHECK_THAT(outcome.reason, testing::contains("without -use_fast_math"));
  };
  FastDevice device;
  device.approximate = true;
  check(device, "approximate_quotients", "1 of 1024 quotients");
  if (!FloatingPointState::complete) return;
  device.state.flush_results = true;
  check(device, "flushed_results", "of 1024 results that should be subnormal");
  device.state.flush_results = false, device.state.flush_operands = true;
  check(device, "flushed_operands", "1024 of 1024 numbers made of subnormal operands");
}

TEST_CASE("a check of arithmetic whose device fails is an error", "[device]") {
  EmulatedDevice sound;
  REQUIRE(check_arithmetic(sound).verdict == Verdict::pass);
  for (const EmulatedFailure way : {EmulatedFailure::once, EmulatedFailure::asynchronous, EmulatedFailure::sticky})
    for (std::size_t call = 0; call + 1 < sound.calls(); ++call) {
      CAPTURE(call);
      EmulatedDevice device;
      device.fail_after(call, way);
      const Outcome outcome = check_arithmetic(device);
      CHECK(outcome.verdict == Verdict::error);
      CHECK_THAT(outcome.reason, testing::contains("it was told to fail"));
      CHECK(device.misuses().empty());
    }
}
